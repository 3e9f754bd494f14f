import HTTPTypes
import TelexInspector
import TelexJSON
import TelexRuntime
import TelexTesting
import Testing

@Suite("An inspector")
struct InspectorTests {
    private static let head =
        #"{"telex-inspector":1,"app":"App","run":"r","number":1,"dropped":3}"#

    private static func event(_ name: String, _ time: Int, _ rest: String = "") -> String {
        #"{"event":"\#(name)","date":\#(1_000_000 + time),"elapsed":\#(time),"api":"A","#
            + #""method":"a.get","call":"7","attempt":1\#(rest)}"#
    }

    /// The exchange that ends an event: 1 ms to be sent, 20 ms to be answered, 4 ms to be received.
    private static func exchange(_ status: Int) -> String {
        #","exchange":{"request":{"method":"GET","url":"https://a.test/"},"#
            + #""response":{"status":\#(status)},"timings":{"send":1,"wait":20,"receive":4}}"#
    }

    private static func send(
        _ lines: String..., to inspector: Inspector, host: String = "127.0.0.1:4020",
        fields: HTTPFields = [:]
    ) async throws -> (status: Int, text: String) {
        try await ask(
            inspector, "/lines", method: .post, host: host, body: lines.joined(separator: "\n"),
            fields: fields)
    }

    private static func ask(
        _ inspector: Inspector, _ path: String, method: HTTPRequest.Method = .get,
        host: String = "127.0.0.1:4020", body: String? = nil, fields: HTTPFields = [:]
    ) async throws -> (status: Int, text: String) {
        var head = HTTPRequest(method: method, scheme: "http", authority: host, path: path)
        head.headerFields = fields
        if method == .post, fields[.contentType] == nil {
            head.headerFields[.contentType] = "application/x-ndjson"
        }
        let reply = try await InMemoryTransport(serving: inspector.answer).send(
            TransportRequest(head: head, body: body.map { .bytes(Array($0.utf8)) }))
        let bytes = try await reply.body.collect(upTo: 1 << 24)
        return (reply.head.status.code, String(decoding: bytes, as: UTF8.self))
    }

    private static func call(_ number: Int, of inspector: Inspector) async throws -> JSONValue {
        let text = try await ask(inspector, "/calls/\(number)").text
        let value = JSONReader.read(Array(text.utf8)) { json -> JSONValue? in json.value() }.value
        return try #require(value, "\(text)")
    }

    /// The bars of a call: `kind start-end`.
    private static func bars(_ call: JSONValue) -> [String] {
        call["bars"]?.asArray?.map { bar in
            "\(bar[0]?.asString ?? "") \(bar[1]?.description ?? "")-\(bar[2]?.description ?? "")"
        } ?? []
    }

    // MARK: Bars

    @Test("an inspector shows what the time of a call went into")
    func time() async throws {
        let inspector = Inspector()
        let reply = try await Self.send(
            Self.head, Self.event("started", 0), Self.event("queued", 0, #","because":"busy""#),
            Self.event("sending", 30), Self.event("received", 55, Self.exchange(503)),
            Self.event("retrying", 55, #","delay":100"#), Self.event("sending", 160),
            Self.event("received", 185, Self.exchange(401)), Self.event("postponed", 185),
            Self.event("sending", 250), Self.event("received", 275, Self.exchange(200)),
            Self.event("succeeded", 276), to: inspector)
        #expect(reply.status == 204)
        let call = try await Self.call(1, of: inspector)
        #expect(
            Self.bars(call) == [
                "waiting 0-30", "sending 30-31", "server 31-51", "receiving 51-55",
                "back-off 55-155", "waiting 155-160", "sending 160-161", "server 161-181",
                "receiving 181-185", "postponed 185-250", "sending 250-251", "server 251-271",
                "receiving 271-275",
            ])
        #expect(call["state"] == "succeeded" && call["status"] == 200 && call["app"] == "App")
        #expect(call["exchanges"]?.asArray?.count == 3)
        #expect(call["start"] == 1_000_000 && call["end"] == 1_000_276)
    }

    @Test("an inspector ends a back-off with the call that is cancelled in it")
    func cancelled() async throws {
        let inspector = Inspector()
        _ = try await Self.send(
            Self.head, Self.event("started", 0), Self.event("sending", 0),
            Self.event("received", 25, Self.exchange(503)),
            Self.event("retrying", 25, #","delay":5000"#), Self.event("cancelled", 100),
            to: inspector)
        let call = try await Self.call(1, of: inspector)
        #expect(Self.bars(call).last == "back-off 25-100")
        #expect(call["state"] == "cancelled" && call["end"] == 1_000_100)
    }

    @Test("an inspector shows a refresh as a call with the requests that it sends")
    func refresh() async throws {
        let inspector = Inspector()
        func event(_ name: String, _ time: Int, _ rest: String = "") -> String {
            Self.event(name, time, rest).replacing(#""call":"7","#, with: "")
        }
        for number in 1...2 {
            _ = try await Self.send(
                Self.head.replacing("\"number\":1", with: "\"number\":\(number)"),
                event("refresh-started", 10), event("sending", 10),
                event("received", 35, Self.exchange(200)), event("refresh-ended", 40), to: inspector
            )
        }
        for number in 1...2 {
            let call = try await Self.call(number, of: inspector)
            #expect(call["method"] == "token" && call["state"] == "succeeded")
            #expect(
                Self.bars(call) == [
                    "refresh 0-30", "sending 0-1", "server 1-21", "receiving 21-25",
                ])
        }
    }

    @Test("an inspector shows that a call with a new token waits for its turn")
    func turn() async throws {
        let inspector = Inspector()
        func ofAPI(_ line: String) -> String { line.replacing(#""call":"7","#, with: "") }
        _ = try await Self.send(
            Self.head, Self.event("started", 0), Self.event("postponed", 0),
            ofAPI(Self.event("refresh-started", 0)), ofAPI(Self.event("refresh-ended", 40)),
            Self.event("sending", 100), Self.event("received", 125, Self.exchange(200)),
            Self.event("succeeded", 125), to: inspector)
        let bars = Self.bars(try await Self.call(1, of: inspector))
        #expect(bars.prefix(3) == ["postponed 0-40", "waiting 40-100", "sending 100-101"])
    }

    @Test("an inspector shows a token that is asked for outside of a refresh, and a shared request")
    func others() async throws {
        let inspector = Inspector()
        _ = try await Self.send(
            Self.head, Self.event("sending", 0).replacing(#""call":"7","#, with: ""),
            Self.event("received", 25, Self.exchange(400)).replacing(#""call":"7","#, with: ""),
            Self.event("sending", 30, #","shared":true"#),
            Self.event("received", 55, Self.exchange(200) + #","shared":true"#), to: inspector)
        #expect(try await Self.call(1, of: inspector)["state"] == "failed")
        let shared = try await Self.call(2, of: inspector)
        #expect(shared["state"] == "succeeded" && shared["isShared"] == true)
    }

    // MARK: What is sent

    @Test("an inspector reads lines that are sent twice once")
    func twice() async throws {
        let inspector = Inspector()
        for _ in 0..<2 {
            let reply = try await Self.send(Self.head, Self.event("started", 0), to: inspector)
            #expect(reply.status == 204)
        }
        #expect(try await Self.call(1, of: inspector)["notes"]?.asArray?.count == 1)
        #expect(try await Self.ask(inspector, "/calls/2").status == 404)
    }

    @Test(
        "an inspector refuses what is no line, and says where",
        arguments: [
            ("", "line 1: expected `telex-inspector`, `app`, `run` and `number`"),
            ("{", "line 1: expected"), ("[1]", "line 1: expected"),
            (head.replacing(":1,\"app\"", with: ":2,\"app\""), "version 2 of the lines is not 1"),
            (head + "\n{\"event\":1}", "line 2: no event"),
            (head + "\n" + event("started", 0) + "\nnull", "line 3: no event"),
        ])
    func invalid(body: String, message: String) async throws {
        let inspector = Inspector()
        let reply = try await Self.ask(inspector, "/lines", method: .post, body: body)
        #expect(reply.status == 400 && reply.text.contains(message), "\(reply.text)")
    }

    @Test("an inspector takes numbers without sense for what they are")
    func numbers() async throws {
        let inspector = Inspector()
        let odd = #","attempt":-5,"delay":-1,"violations":[1,{}],"tags":7,"owner":[]"#
        let exchange = #","exchange":{"timings":{"send":-1,"wait":1e300},"response":{"status":-3}}"#
        let reply = try await Self.send(
            Self.head, Self.event("started", -50, odd), Self.event("retrying", 0, odd),
            Self.event("received", 5, exchange), Self.event("received", 6, #","exchange":[]"#),
            Self.event("succeeded", -100), to: inspector)
        #expect(reply.status == 204)
        #expect(try await Self.call(1, of: inspector)["state"] == "succeeded")
        #expect(try await Self.ask(inspector, "/har").status == 200)
    }

    // MARK: Bounds

    @Test("an inspector keeps the newest calls within its number and its size")
    func bounds() async throws {
        let few = Inspector(calls: 3)
        for number in 0..<10 { few.record(HostileCall.plain(number)) }
        #expect(try await Self.ask(few, "/calls/7").status == 404)
        #expect(try await Self.ask(few, "/calls/8").status == 200)
        let small = Inspector(bytes: 5000)
        for number in 0..<10 { small.record(HostileCall.plain(number)) }
        #expect(try await Self.ask(small, "/calls/7").status == 404)
        #expect(try await Self.ask(small, "/calls/10").status == 200)
    }

    @Test("an inspector keeps the newest exchanges of a call that goes on and on")
    func exchanges() async throws {
        let inspector = Inspector()
        let many = (0..<500).flatMap {
            [
                Self.event("sending", $0 * 30),
                Self.event("received", $0 * 30 + 25, Self.exchange(200)),
            ]
        }
        _ = try await Self.send(
            Self.head, Self.event("started", 0), many.joined(separator: "\n"), to: inspector)
        let call = try await Self.call(1, of: inspector)
        #expect(call["exchanges"]?.asArray?.count == 200)
        #expect(call["droppedExchanges"] == 300)
        #expect(call["bars"]?.asArray?.count ?? 0 <= 200)
        #expect(call["notes"]?.asArray?.count == 200)
    }

    @Test("an inspector sends a slow page the last state of each call, and 500 calls at once")
    func slowPage() async throws {
        let inspector = Inspector()
        let head = HTTPRequest(
            method: .get, scheme: "http", authority: "localhost:4020", path: "/events")
        let reply = try await InMemoryTransport(serving: inspector.answer)
            .send(TransportRequest(head: head))
        var chunks = reply.body.makeAsyncIterator()
        func next() async throws -> (count: Int, text: String) {
            let text = String(decoding: try await chunks.next() ?? [], as: UTF8.self)
            return (text.matches(of: /"id":/).count, text)
        }
        let first = try await next()
        #expect(first.count == 0 && first.text.contains("\"reset\":true"))
        for number in 0..<700 { inspector.record(HostileCall.plain(number)) }
        // One call that changes many times while the page reads nothing.
        let events = (0..<300).map { Self.event("queued", $0) }
        _ = try await Self.send(
            Self.head, Self.event("started", 0), events.joined(separator: "\n"), to: inspector)
        #expect(try await next().count == 500)
        let rest = try await next()
        #expect(rest.count == 201 && rest.text.contains("\"id\":701"))
        #expect(rest.text.contains("\"lost\":3"))
    }

    // MARK: Access

    @Test("an inspector on this machine answers under the names of this machine alone")
    func hosts() async throws {
        let inspector = Inspector()
        for host in ["127.0.0.1:4020", "localhost:4020"] {
            #expect(try await Self.ask(inspector, "/", host: host).status == 200)
        }
        // A name of another site that leads here.
        let evil = try await Self.ask(inspector, "/har", host: "evil.example:4020")
        #expect(evil.status == 403)
    }

    @Test("an inspector refuses what pages of other sites have the browser send")
    func origins() async throws {
        let inspector = Inspector()
        let foreign = try await Self.send(
            Self.head, to: inspector, fields: [.origin: "https://evil.example"])
        #expect(foreign.status == 403)
        let form = try await Self.send(
            Self.head, to: inspector, fields: [.contentType: "text/plain"])
        #expect(form.status == 415)
        let own = try await Self.send(
            Self.head, to: inspector,
            fields: [.origin: "http://127.0.0.1:4020", .contentType: "application/x-ndjson"])
        #expect(own.status == 204)
    }

    @Test("an inspector for other machines answers with the pairing code alone")
    func pairing() async throws {
        let code = PairingCode()
        let inspector = Inspector(pairingCode: code)
        let host = "192.168.1.5:4020"
        let field = try #require(HTTPField.Name("X-Telex-Code"))
        #expect(try await Self.ask(inspector, "/", host: host).status == 401)
        #expect(try await Self.ask(inspector, "/har", host: "127.0.0.1:4020").status == 401)
        #expect(try await Self.ask(inspector, "/?code=AAAA-AAAA", host: host).status == 401)
        #expect(try await Self.ask(inspector, "/?code=\(code.text)", host: host).status == 303)
        for (sent, status) in [(code.text, 204), ("AAAA-AAAA", 401), ("", 401)] {
            let reply = try await Self.send(
                Self.head, to: inspector, host: host, fields: [field: sent])
            #expect(reply.status == status)
        }
        for (cookie, status) in [("a=b; telex-code=\(code.text)", 200), ("telex-code=A", 401)] {
            let reply = try await Self.ask(
                inspector, "/", host: host, fields: [.cookie: cookie])
            #expect(reply.status == status)
        }
    }

    @Test("a pairing code has letters that are told apart, and is another one each time")
    func codes() {
        let codes = (0..<100).map { _ in PairingCode().text }
        #expect(Set(codes).count == 100)
        #expect(
            codes.allSatisfy { $0.wholeMatch(of: /[2-9A-HJ-NP-Z]{4}-[2-9A-HJ-NP-Z]{4}/) != nil })
    }
}
