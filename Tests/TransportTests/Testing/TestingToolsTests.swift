import Foundation
import HTTPTypes
import TelexRuntime
import TelexTesting
import TelexURLSession
import Testing

@Suite("The tools for tests")
struct TestingToolsTests {
    private static func request(
        _ authority: String = "example.test", fields: HTTPFields = [:], body: RequestBody? = nil
    ) -> TransportRequest {
        TransportRequest(
            head: HTTPRequest(
                method: .post, scheme: "http", authority: authority, path: "/",
                headerFields: fields),
            body: body, timeout: .noTimeout)
    }

    @Test("an open gate resumes all waiters, and a cancelled waiter resumes at once")
    func gate() async {
        let gate = Gate()
        let cancelled = Task { await gate.wait() }
        cancelled.cancel()
        await cancelled.value
        #expect(!gate.isOpen)
        await withTaskGroup { group in
            for _ in 0..<100 { group.addTask { await gate.wait() } }
            gate.open()
        }
        await gate.wait()
        #expect(gate.isOpen)
    }

    @Test("a transport in memory keeps the requests and their bodies")
    func inMemory() async throws {
        let transport = InMemoryTransport { _ in .json("{}") }
        let reply = try await transport.send(
            Self.request(body: .parts([.bytes([65]), .bytes([66])])))
        #expect(reply.head.headerFields[.contentType] == "application/json")
        #expect(transport.requests.map(\.text) == ["AB"])
    }

    @Test("a script may throw transport errors")
    func failing() async {
        let transport = InMemoryTransport { _ throws(TransportError) in
            throw TransportError(.offline, "no network")
        }
        let kind = await TransportError.kind { _ = try await transport.send(Self.request()) }
        #expect(kind == .offline)
    }

    @Test("a recorder keeps requests and replies without credentials")
    func recorder() async throws {
        let recorder = RecordingTransport(
            InMemoryTransport { _ in .bytes([1, 2, 3, 4], fields: [.setCookie: "secret"]) },
            keeping: 3)
        let fields: HTTPFields = [.authorization: "secret", .cookie: "secret", .accept: "*/*"]
        let reply = try await recorder.send(Self.request(fields: fields, body: .bytes([9])))
        #expect(reply.head.headerFields[.setCookie] == "secret")
        #expect(try await reply.body.collect(upTo: 9) == [1, 2, 3, 4])
        let exchange = try #require(recorder.exchanges.first)
        #expect(!"\(exchange)".contains("secret"))
        #expect(exchange.request.headerFields[.accept] == "*/*")
        #expect(exchange.requestBody == [9])
        #expect(exchange.replyBody == [1, 2, 3])
        #expect(exchange.isComplete)
        #expect(exchange.error == nil)
    }

    @Test("a recorder keeps the error of a reply that fails later")
    func recordedError() async {
        let recorder = RecordingTransport(
            InMemoryTransport { _ in .truncated([1], declaring: 2) })
        _ = await TransportError.kind {
            _ = try await recorder.send(Self.request()).body.collect(upTo: 9)
        }
        #expect(recorder.exchanges.first?.reply?.status == .ok)
        #expect(
            recorder.exchanges.first?.error?.kind == .truncated(received: 1, expected: 2))
    }

    @Test("a scripted reply that is given twice is read from its beginning each time")
    func replyTwice() async throws {
        let chunks = TransportReply.chunks([[1, 2], [3]])
        let transport = InMemoryTransport { _ in chunks }
        for _ in 0..<2 {
            let reply = try await transport.send(Self.request())
            #expect(try await reply.body.collect(upTo: 9) == [1, 2, 3])
        }
        let broken = TransportReply.truncated([1], declaring: 2)
        let cut = InMemoryTransport { _ in broken }
        for _ in 0..<2 {
            let kind = await TransportError.kind {
                _ = try await cut.send(Self.request()).body.collect(upTo: 9)
            }
            #expect(kind == .truncated(received: 1, expected: 2))
        }
    }

    @Test("a scripted reply has a body only where one may be")
    func framing() async throws {
        for status in [204, 304] {
            let transport = InMemoryTransport { _ in .json("{}", status: .init(code: status)) }
            let reply = try await transport.send(Self.request())
            #expect(try await reply.body.collect(upTo: 9) == [])
        }
        let transport = InMemoryTransport { _ in .json("{}") }
        var head = Self.request()
        head.head.method = .head
        #expect(try await transport.send(head).body.collect(upTo: 9) == [])
    }

    @Test(
        "a scripted body is as long as its head declares, or ends too early",
        arguments: [
            TransportReply.bytes([1, 2, 3], fields: [.contentLength: "5"]),
            .chunks([[1], [2, 3]], length: 5), .json("abc", fields: [.contentLength: "5"]),
        ])
    func tooShort(_ reply: TransportReply) async throws {
        let transport = InMemoryTransport { _ in reply }
        let body = try await transport.send(Self.request()).body
        #expect(body.length == 5)
        let kind = await TransportError.kind { _ = try await body.collect(upTo: 9) }
        #expect(kind == .truncated(received: 3, expected: 5))
    }

    @Test("the tools for tests of a scripted body, bytes above the declared length are left out")
    func surplus() async throws {
        let replies: [TransportReply] = [
            .bytes([1, 2, 3], fields: [.contentLength: "2"]), .chunks([[1], [2, 3]], length: 2),
        ]
        for reply in replies {
            let transport = InMemoryTransport { _ in reply }
            let body = try await transport.send(Self.request()).body
            #expect(try await body.collect(upTo: 9) == [1, 2])
        }
    }

    @Test("a scripted length that is none is refused, and one of compressed bytes is not counted")
    func oddLengths() async throws {
        for text in ["+1", "-1", "1, 2", "0x1"] {
            let odd = TransportReply.bytes([1], fields: [.contentLength: text])
            let transport = InMemoryTransport { _ in odd }
            let kind = await TransportError.kind { _ = try await transport.send(Self.request()) }
            #expect(kind == .other)
        }
        let compressed = TransportReply.bytes(
            [1, 2, 3], fields: [.contentLength: "1", .contentEncoding: "gzip"])
        let body = try await InMemoryTransport { _ in compressed }.send(Self.request()).body
        #expect(try await body.collect(upTo: 9) == [1, 2, 3])
    }

    @Test("a scripted body has one reader at a time, like any other")
    func secondReader() async throws {
        let gate = Gate()
        let transport = InMemoryTransport { _ in .chunks([[1]], length: 2, after: gate) }
        let body = try await transport.send(Self.request()).body
        var first = body.makeAsyncIterator()
        #expect(try await first.next() == [1])
        let kinds = await withTaskGroup { group in
            for _ in 0..<2 {
                group.addTask {
                    await TransportError.kind { _ = try await body.collect(upTo: 9) }
                }
            }
            // The reader that waits for the gate ends after it opens.
            let one = await group.next()
            gate.open()
            return [one, await group.next()]
        }
        #expect(kinds == [.unsupported, .truncated(received: 1, expected: 2)])
    }

    @Test("a fake error counts no attempt where none is made")
    func fakeAttempts() {
        let never: [APIError.Reason] = [
            .invalidRequest, .throttled(until: .distantFuture), .replaced,
            .hostPaused(until: .distantFuture),
        ]
        for reason in never { #expect(APIError.fake("a.b", reason).attempts == 0) }
        #expect(APIError.fake("a.b", .status(500)).attempts == 1)
        #expect(APIError.fake("a.b", .transport(.noHead)).attempts == 1)
        #expect(APIError.fake("a.b", .replaced, attempts: 2).attempts == 2)
    }

    @Test("a server reports requests that it did not pass to its handler")
    func brokenRequests() async throws {
        let server = try LoopbackServer(bodyLimit: 4) { _ in .text("ok") }
        defer { server.stop() }
        let end = "\r\nHost: a\r\n"
        do {
            for text in [
                "POST /cut HTTP/1.1\(end)Content-Length: 2\r\n\r\nA", "GET /half HTTP/1.1\(end)X-",
                "GE",
            ] {
                let client = try RawClient(port: server.port)
                client.send(text)
            }
            for text in [
                "nonsense\r\n", "POST /large HTTP/1.1\(end)Content-Length: 5\r\n\r\n",
                "POST /odd HTTP/1.1\(end)Transfer-Encoding: gzip\r\n\r\n",
                "GET /\(String(repeating: "a", count: 70_000)) HTTP/1.1\r\n",
            ] {
                let client = try RawClient(port: server.port)
                client.send(text)
                _ = client.receiveAll()
            }
            _ = try RawClient(port: server.port)
        }
        await server.waitUntilNoConnectionIsOpen()
        #expect(server.requests.isEmpty)
        let broken = server.brokenRequests.sorted { $0.connection < $1.connection }
        #expect(broken.map(\.connection) == Array(1...7))
        #expect(broken.map(\.status) == [nil, nil, nil, 400, 413, 501, 431])
        #expect(
            broken.map { $0.line.prefix(11) } == [
                "POST /cut H", "GET /half H", "", "nonsense", "POST /large", "POST /odd H", "",
            ])
        #expect(broken[0].fields[.contentLength] == "2")
    }

    @Test("a body that is read twice gives its bytes once if it is a stream")
    func bodyTwice() async throws {
        let body = ReplyBody([1, 2])
        #expect(try await body.collect(upTo: 2) == [1, 2])
        #expect(try await body.collect(upTo: 2) == [1, 2])
        let inspected = body.inspected { _ in }
        #expect(try await inspected.collect(upTo: 2) == [1, 2])
        #expect(try await inspected.collect(upTo: 2) == [])
    }

    @Test("collecting more than the limit ends the exchange")
    func collectBound() async {
        let ended = Gate()
        let body = ReplyBody(length: nil, cancel: { ended.open() }) { [1, 2, 3] }
        let kind = await TransportError.kind { _ = try await body.collect(upTo: 8) }
        #expect(kind == .tooLarge(limit: 8))
        #expect(ended.isOpen)
    }

    @Test("a stopped server ends all connections, whatever they wait for")
    func stop() async throws {
        let arrived = [Gate(), Gate(), Gate()]
        let server = try LoopbackServer { request in
            switch request.target {
            case "/0": arrived[0].open()
            case "/1": arrived[1].open()
            default: arrived[2].open()
            }
            return request.target == "/0" ? .silence : .text("x").held(by: Gate())
        }
        let authority = server.authority
        let waiting = (0..<3).map { number in
            Task {
                var request = Self.request(authority)
                request.head.path = "/\(number)"
                let sent = request
                return await TransportError.kind {
                    _ = try await URLSessionTransport.urlSession.send(sent)
                }
            }
        }
        for gate in arrived { await gate.wait() }
        server.stop()
        server.stop()
        for task in waiting { _ = await task.value }
        let late = await TransportError.kind {
            _ = try await URLSessionTransport.urlSession.send(Self.request(authority))
        }
        #expect(late == .cannotConnect)
    }

    @Test("a server refuses bodies above its limit")
    func serverBound() async throws {
        let server = try LoopbackServer(bodyLimit: 10) { _ in .text("ok") }
        defer { server.stop() }
        let request = Self.request(
            server.authority, body: .bytes(Array(repeating: 1, count: 11)))
        let reply = try await URLSessionTransport.urlSession.send(request)
        #expect(reply.head.status.code == 413)
        #expect(server.requests.isEmpty)
    }

    @Test("a reply waits for its gate")
    func held() async throws {
        let (arrived, mayReply) = (Gate(), Gate())
        let server = try LoopbackServer { _ in
            arrived.open()
            return .text("late").held(by: mayReply)
        }
        defer { server.stop() }
        let authority = server.authority
        let task = Task { try await URLSessionTransport.urlSession.send(Self.request(authority)) }
        await arrived.wait()
        mayReply.open()
        #expect(try await task.value.body.collect(upTo: 9) == Array("late".utf8))
    }

    @Test("a server detects a closed connection while its reply waits for a gate")
    func leftAtGate() async throws {
        let (arrived, isDone) = (Gate(), Gate())
        let server = try LoopbackServer { _ in
            arrived.open()
            return .text("late").held(by: Gate()).then(.open(isDone))
        }
        defer { server.stop() }
        let authority = server.authority
        let task = Task { try await URLSessionTransport.urlSession.send(Self.request(authority)) }
        await arrived.wait()
        task.cancel()
        await server.waitUntilNoConnectionIsOpen()
        #expect(server.openConnectionCount == 0)
        #expect(!isDone.isOpen)
        _ = await task.result
    }

    @Test("a server detects a reset connection while its reply waits for a gate")
    func brokenAtGate() async throws {
        let arrived = Gate()
        let server = try LoopbackServer { _ in
            arrived.open()
            return .text("late").held(by: Gate())
        }
        defer { server.stop() }
        var client: RawClient? = try RawClient(port: server.port)
        client?.send("GET / HTTP/1.1\r\n\r\n")
        await arrived.wait()
        #expect(server.openConnectionCount == 1)
        client?.resetAtEnd()
        client = nil
        await server.waitUntilNoConnectionIsOpen()
        #expect(server.openConnectionCount == 0)
    }

    @Test("a reply waits for its gate although the next request has arrived")
    func pipelined() async throws {
        let (arrived, mayReply) = (Gate(), Gate())
        let server = try LoopbackServer { request in
            if request.target == "/1" {
                arrived.open()
                return .text("one").held(by: mayReply)
            }
            return .text("two").then(.close)
        }
        defer { server.stop() }
        let client = try RawClient(port: server.port)
        client.send("GET /1 HTTP/1.1\r\n\r\n")
        await arrived.wait()
        client.send("GET /2 HTTP/1.1\r\n\r\n")
        mayReply.open()
        let text = client.receiveAll()
        #expect(text.contains("one") && text.contains("two"))
    }
}
