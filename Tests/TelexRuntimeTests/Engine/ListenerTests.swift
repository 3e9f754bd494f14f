import Foundation
import HTTPTypes
import TelexJSON
import TelexTesting
import Testing

@testable import TelexRuntime
@testable import TelexScheduling

@Suite("Listeners")
struct ListenerTests {
    /// Records the events.
    private final class RecordingListener: APIEventListener {
        let bodyLimit: Int
        private let heard = Lock<[APIEvent]>([])

        init(bodyLimit: Int = 0) { self.bodyLimit = bodyLimit }

        var events: [APIEvent] { heard.withLock { $0 } }

        /// The exchanges that came to an end.
        var exchanges: [ExchangeRecord] {
            events.compactMap { event in
                switch event.kind {
                case .received(let exchange), .disconnected(let exchange): exchange
                default: nil
                }
            }
        }

        func handle(_ event: APIEvent) { heard.withLock { $0.append(event) } }
    }

    private static let users = #"{"response":[{"id":"1","name":"Ann"}]}"#

    private func manager(
        _ listeners: [any APIEventListener], clock: RuntimeClock = .stopped,
        refresher: (any CredentialRefresher)? = nil,
        _ script: @escaping InMemoryTransport.Script = { _ in .json(users) }
    ) -> APIManager<TinyAPI> {
        APIManager<TinyAPI>(
            transport: InMemoryTransport(script),
            credentials: .memory(Credential(token: secret, refreshToken: "r3fr3sh"))
        ) {
            $0.refresher = refresher
            $0.settings.clock = clock
            $0.listeners = listeners
        }
    }

    @Test("listeners all receive the same events, and so does the event stream")
    func many() async throws {
        let (one, other) = (RecordingListener(), RecordingListener())
        var stream: AsyncStream<APIEvent>?
        do {
            let manager = manager([one, other])
            stream = manager.events
            _ = try await manager.operation(UsersRequests.get(ids: ["1"])).value
        }
        var read: [String] = []
        for await event in try #require(stream) { read.append(event.description) }
        #expect(read.count == 4)
        #expect(one.events.map(\.description) == read)
        #expect(other.events.map(\.description) == read)
    }

    @Test("listeners receive date, elapsed time, owner and tags with each event")
    func facts() async throws {
        let listener = RecordingListener()
        let date = Date(timeIntervalSince1970: 1_000_000)
        let clock = RuntimeClock(
            now: { date }, elapsed: { .seconds(5) }, sleep: RuntimeClock.stopped.sleep)
        let operation = manager([listener], clock: clock).operation(
            UsersRequests.get(ids: ["1"]),
            options: CallOptions(owner: OperationOwner("screen"), tags: ["a"]))
        _ = try await operation.value
        #expect(listener.events.count == 4)
        for event in listener.events {
            #expect(event.date == date && event.elapsed == .seconds(5))
            #expect(event.owner == OperationOwner("screen") && event.tags == ["a"])
            #expect(event.operation == operation.id && event.api == "Tiny")
        }
        #expect(listener.events.map(\.attempt) == [0, 1, 1, 1])
    }

    @Test("listeners receive only bodies of the size that they request")
    func bodies() async throws {
        let (deaf, curious, greedy) = (
            RecordingListener(), RecordingListener(bodyLimit: 7),
            RecordingListener(bodyLimit: 10_000)
        )
        _ = try await manager([deaf, curious, greedy])
            .operation(UsersRequests.get(ids: ["1"])).value
        #expect(deaf.exchanges.map(\.reply?.text) == [nil])
        #expect(curious.exchanges.map(\.reply?.text) == [nil])
        #expect(curious.exchanges.map(\.reply?.size) == [Self.users.utf8.count])
        #expect(greedy.exchanges.map(\.reply?.text) == [Self.users])
        #expect(deaf.exchanges.first?.reply?.size == Self.users.utf8.count)
    }

    @Test("listeners may request complete bodies")
    func allOfBodies() async throws {
        let listener = RecordingListener(bodyLimit: .max)
        let recorder = HARRecorder(bodyLimit: .max)
        _ = try await manager([listener, recorder]).operation(UsersRequests.get(ids: ["1"])).value
        #expect(listener.exchanges.map(\.reply?.text) == [Self.users])
        #expect(String(decoding: recorder.data(), as: UTF8.self).contains("Ann"))
    }

    @Test("listeners receive an error as one line of bounded length, whatever the server sends")
    func oneLine() async throws {
        let listener = RecordingListener()
        let words = #"a\nb\u001b[2J"# + String(repeating: "x", count: 1_500)
        let manager = manager([listener]) { _ in
            .json(
                #"{"error":{"error_code":"\#(words)","error_msg":"\#(words)"}}"#,
                fields: .requestID(String(repeating: "y", count: 50_000)))
        }
        let error = await failure(manager.operation(UsersRequests.get(ids: ["1"])))
        #expect(error?.message?.hasPrefix("a\nb") == true)
        for text in listener.events.map(\.description) + [error?.description ?? ""] {
            #expect(text.utf8.count < 1_300)
            #expect(!text.contains { $0.isNewline || $0 == "\u{1B}" })
        }
    }

    @Test("listeners receive the times of the phases of an exchange")
    func timings() async throws {
        let listener = RecordingListener()
        let time = Lock(Duration.zero)
        let clock = RuntimeClock(
            now: { Date(timeIntervalSince1970: 0) }, elapsed: { time.withLock { $0 } },
            sleep: RuntimeClock.stopped.sleep)
        let manager = manager([listener], clock: clock) { _ in
            time.withLock { $0 += .seconds(2) }
            let chunks = Lock([Array(Self.users.utf8)])
            return TransportReply(
                head: HTTPResponse(status: .ok),
                body: ReplyBody(length: nil) { () async throws(TransportError) in
                    time.withLock { $0 += .seconds(1) }
                    return chunks.withLock { $0.popLast() }
                })
        }
        _ = try await manager.operation(UsersRequests.get(ids: ["1"])).value
        let timings = try #require(listener.exchanges.first).timings
        #expect(timings.firstByte == .seconds(2))
        #expect(timings.lastByte == .seconds(4))
    }

    @Test("listeners receive the waiting time before an exchange, once, since the attempt before")
    func waits() async throws {
        let listener = RecordingListener()
        let (clock, sent) = (VirtualClock(), Counter())
        let manager = manager([listener], clock: clock.runtimeClock) { _ in
            switch sent.next() {
            case 1:
                clock.advance(by: .seconds(2))
                return .bytes(status: .serviceUnavailable)
            case 2: return .bytes(status: .found, fields: [.location: "/next"])
            default: return .json(Self.users)
            }
        }
        let call = manager.operation(
            UsersRequests.get(ids: ["1"]),
            options: CallOptions(
                retry: RetryPolicy(backoff: Backoff(initial: .seconds(3), jitter: 0))))
        call.start()
        await call.reach { $0.description.hasPrefix("waiting") }
        clock.advance(by: .seconds(3))
        _ = try await call.value
        #expect(listener.exchanges.map(\.timings.queued) == [.zero, .seconds(3), .zero])
    }

    @Test("listeners receive the reason why an exchange broke off, before and within its reply")
    func broken() async {
        let listener = RecordingListener()
        let manager = manager([listener]) { request throws(TransportError) in
            if request.head.path?.contains("ping") == true {
                throw TransportError(.cannotConnect, "refused")
            }
            return .truncated([1, 2], declaring: 9)
        }
        _ = await failure(manager.operation(UsersRequests.ping()))
        _ = await failure(manager.operation(UsersRequests.get(ids: ["1"])))
        #expect(
            listener.exchanges.map(\.failure?.kind) == [
                .cannotConnect, .truncated(received: 2, expected: 9),
            ])
        #expect(listener.exchanges.map(\.reply?.size) == [nil, 2])
        #expect(listener.exchanges.last?.reply?.isComplete == false)
    }

    @Test("listeners receive a refresh once, and never the old credential in its text")
    func refreshes() async {
        let listener = RecordingListener()
        let refused = TransportReply.json(#"{"error":{"error_code":5}}"#)
        let refresher = AppCredentialRefresher { old in
            throw CredentialError(.expired, "no more of \(old?.refreshToken ?? "") \(secret)")
        }
        let manager = manager([listener], refresher: refresher) { _ in refused }
        let error = await failure(manager.operation(UsersRequests.get(ids: ["1"])))
        #expect(error?.description.contains(Redactor.mark) == true)
        let told = listener.events.filter { $0.operation == nil }.map(\.description)
        #expect(
            told == [
                "⟳ Tiny gets a new credential",
                "✗ Tiny has no new credential, because no more of ‹redacted› ‹redacted›",
            ])
        #expect(error?.cause is CredentialError)
    }

    @Test(
        "listeners receive a JSON body without sensitive members, and their text nowhere else")
    func sensitiveJSON() async throws {
        let listener = RecordingListener(bodyLimit: 1000)
        let manager = TestAPI.manager(
            VaultAPI.definition,
            transport: InMemoryTransport { _ in
                .json(#"{"message":"code 4711-β is wrong"}"#, status: .badRequest)
            },
            credentials: .memory(Credential(token: secret))
        ) { $0.listeners = [listener] }
        var request = RequestBuilder(VaultAPI.APIMethod.form)
        request.jsonObject { json in
            json.field("name", "Ann")
            json.field("code", "4711-β", sensitive: true)
            json.field("count", 12, sensitive: true)
            json.field("flag", true, sensitive: true)
            json.field("note", "x")
        }
        let error = await failure(manager.operation(request.finishRaw()))
        #expect(error?.message == "code ‹redacted› is wrong")
        let exchange = try #require(listener.exchanges.first)
        #expect(
            exchange.request.body?.text
                == #"{"name":"Ann","code":"‹redacted›","count":‹redacted›,"flag":‹redacted›,"note":"x"}"#
        )
        #expect(exchange.reply?.text == #"{"message":"code ‹redacted› is wrong"}"#)
    }

    /// Adds something to every body.
    private struct BodyEditor: Interceptor {
        var change: @Sendable ([UInt8]) -> [UInt8] = { $0 + [0x0A] }

        func intercept(
            _ request: TransportRequest, of call: InterceptedCall, next: Next
        ) async throws -> TransportReply {
            var request = request
            if case .bytes(let bytes) = request.body { request.body = .bytes(change(bytes)) }
            return try await next(request)
        }
    }

    @Test("listeners receive the parts of an unchanged multipart body, with the token redacted")
    func multipart() async throws {
        try await VaultAPI.$placement.withValue(.form("token")) {
            let (listener, other) = (RecordingListener(), RecordingListener())
            for (listener, interceptors) in [(listener, []), (other, [BodyEditor()])] {
                let manager = TestAPI.manager(
                    VaultAPI.definition, transport: InMemoryTransport { _ in .bytes() },
                    credentials: .memory(Credential(token: secret))
                ) {
                    $0.interceptors = interceptors
                    $0.listeners = [listener]
                }
                var request = RequestBuilder(VaultAPI.APIMethod.multipart)
                request.part("name", "Ann")
                request.part("long", String(repeating: "ä", count: 600))
                request.part("photo", UploadFile(bytes: [1, 2, 3], name: "a.jpg"))
                _ = try await manager.operation(request.finishRaw()).value
            }
            let record = try #require(listener.exchanges.first).request
            #expect(
                record.body?.parts == [
                    BodyPartRecord(name: "name", value: "Ann"),
                    BodyPartRecord(
                        name: "long", value: String(repeating: "ä", count: 512) + "‹cut›"),
                    BodyPartRecord(
                        name: "photo", fileName: "a.jpg", type: "image/jpeg"),
                    BodyPartRecord(name: "token", value: Redactor.mark),
                ])
            #expect(record.curl.contains("-F 'photo=@\"a.jpg\";type=image/jpeg'"))
            #expect(other.exchanges.first?.request.body?.parts == [])
        }
    }

    @Test("listeners get nothing an interceptor prepends to a JSON body, except after the token")
    func prefixed() async throws {
        try await VaultAPI.$placement.withValue(.json("token")) {
            let add: @Sendable ([UInt8]) -> [UInt8] = {
                Array(#"{"device":"d3v1ce","#.utf8) + $0.dropFirst()
            }
            var texts: [String?] = []
            for interceptors in [[], [BodyEditor { $0 }], [BodyEditor(change: add)]] {
                let listener = RecordingListener(bodyLimit: 1000)
                let manager = TestAPI.manager(
                    VaultAPI.definition, transport: InMemoryTransport { _ in .bytes() },
                    credentials: .memory(Credential(token: secret))
                ) {
                    $0.interceptors = interceptors
                    $0.listeners = [listener]
                }
                var request = RequestBuilder(VaultAPI.APIMethod.form)
                request.jsonObject { json in
                    json.field("name", "Ann")
                    json.field("code", "4711", sensitive: true)
                }
                _ = try await manager.operation(request.finishRaw()).value
                texts.append(listener.exchanges.first?.request.body?.text)
            }
            let own = #"{"token":"‹redacted›","name":"Ann","code":"‹redacted›"}"#
            #expect(texts == [own, own, nil])
        }
    }

    /// Where a request has a value of the credential.
    enum RequestPlace: CaseIterable {
        case query, form, part

        fileprivate var method: VaultAPI.APIMethod { self == .part ? .multipart : .form }
    }

    @Test("listeners receive nothing of a replaced token, though the server repeats it")
    func replacedToken() async throws {
        let listener = RecordingListener(bodyLimit: 4096)
        let refresher = AppCredentialRefresher { _ in Credential(token: "another-t0ken") }
        let requests = Counter()
        let manager = manager([listener], refresher: refresher) { _ in
            guard requests.next() > 1 else { return .json(#"{"error":{"error_code":5}}"#) }
            let words = "replaced \(secret)"
            return .json(
                #"{"error":{"error_code":100,"error_msg":"\#(words)"}}"#,
                fields: [.server: words])
        }
        let error = await failure(manager.operation(UsersRequests.get(ids: ["1"])))
        #expect(error?.message == "replaced ‹redacted›")
        let exchange = try #require(listener.exchanges.last)
        #expect(exchange.reply?.fields["Server"] == "replaced ‹redacted›")
        for event in listener.events {
            let texts = TaintTests.texts(event)
            #expect(!texts.contains(secret))
            #expect(!texts.contains("another-t0ken"))
        }
    }

    @Test(
        "listeners receive the plain values of a credential, and no secret one",
        arguments: RequestPlace.allCases)
    func facts(of place: RequestPlace) async throws {
        let listener = RecordingListener()
        let credential = Credential(
            token: secret, values: ["user_id": "u7", "id_token": "1dt0ken"])
        let manager = TestAPI.manager(
            VaultAPI.definition, transport: InMemoryTransport { _ in .bytes() },
            credentials: .memory(credential)
        ) { $0.listeners = [listener] }
        var request = RequestBuilder(place.method)
        let names = [
            ("user_id", "x_user_id"), ("id_token", "x_id_token"),
        ]
        for (key, name) in names {
            switch place {
            case .query: request.query(name, nil as String?, orCredential: key)
            case .form: request.form(name, nil as String?, orCredential: key)
            case .part: request.part(name, nil as String?, orCredential: key)
            }
        }
        _ = try await manager.operation(request.finishRaw()).value
        let record = try #require(listener.exchanges.first).request
        #expect(record.curl.contains("x_user_id=u7"))
        #expect(record.curl.contains("x_id_token=‹redacted›"))
    }

    @Test("listeners receive nothing of a reply that is longer than the recorded part of it")
    func cutCookie() async throws {
        let cookie = String(repeating: "c00kie", count: 200)
        let listener = RecordingListener(bodyLimit: 30)
        let manager = TestAPI.manager(
            VaultAPI.definition,
            transport: InMemoryTransport { _ in
                .bytes(
                    Array("you are \(cookie)".utf8),
                    fields: [.setCookie: "sid=\(cookie)", .contentType: "text/plain"])
            },
            credentials: .memory(Credential(token: "t"))
        ) { $0.listeners = [listener] }
        let request = RequestBuilder(VaultAPI.APIMethod.form)
        _ = try await manager.operation(request.finishRaw()).value
        let reply = try #require(listener.exchanges.first?.reply)
        #expect(reply.text == nil && reply.size == 1208)
    }

    @Test(
        "listeners get the text of whole replies only, of a type whose values can be told apart",
        arguments: [
            ("application/json", #"{"a":1,"token":"x"}"#, #"{"a":1,"token":"‹redacted›"}"#),
            ("application/problem+json; charset=utf-8", "[1]", "[1]"), (nil, "[1]", "[1]"),
            ("application/x-www-form-urlencoded", "a=1&t%6Fken=x&b", "a=1&t%6Fken=‹redacted›&b"),
            ("text/plain", "a is 1\ntoken: x\n", "a is 1\ntoken: ‹redacted›\n"),
            ("application/json", #"{"a":1,"token":"#, nil), ("application/json", "", nil),
            ("application/json", "a", nil), ("application/xml", "<a>1</a>", nil),
            ("text/html", "<p>1</p>", nil), ("application/javascript", "a = 1", nil),
            ("application/octet-stream", "[1]", nil), (nil, "a", nil),
        ] as [(String?, String, String?)])
    func types(type: String?, body: String, shown: String?) async throws {
        let listener = RecordingListener(bodyLimit: 1000)
        let manager = TestAPI.manager(
            VaultAPI.definition,
            transport: InMemoryTransport { _ in
                var fields: HTTPFields = [:]
                fields[.contentType] = type
                return .bytes(Array(body.utf8), fields: fields)
            },
            credentials: .memory(Credential(token: secret))
        ) { $0.listeners = [listener] }
        let request = RequestBuilder(VaultAPI.APIMethod.form)
        _ = try await manager.operation(request.finishRaw()).value
        let reply = try #require(listener.exchanges.first?.reply)
        #expect(reply.text == shown)
        #expect(reply.type == type && reply.size == body.utf8.count)
    }

    @Test(
        "listeners receive nothing of a reply's sensitive fields, nor of what resembles a token",
        arguments: [
            (
                #"{"pin":"p1n","note":"n","access_token":"new","x":{"Password":[1,"}"]},"y":1}"#,
                #"{"pin":"‹redacted›","note":"n","access_token":"‹redacted›","#
                    + #""x":{"Password":‹redacted›},"y":1}"#
            ),
            (
                #"{"p\u0069n":"p1n","note":"pin: [","access_token":"n]w"}"#,
                #"{"p\u0069n":"‹redacted›","note":"pin: ‹redacted›","access_token":"‹redacted›"}"#
            ),
        ])
    func sensitiveReply(_ body: String, shown: String) async throws {
        let listener = RecordingListener(bodyLimit: 1000)
        let manager = TestAPI.manager(
            VaultAPI.definition,
            transport: InMemoryTransport { _ in
                .json(body, fields: [.setCookie: "sid=c00kie; Path=/"])
            },
            credentials: .memory(Credential(token: secret))
        ) { $0.listeners = [listener] }
        var request = RequestBuilder(VaultAPI.APIMethod.form)
        request.form("name", "Ann")
        let call: APIRequest<Receipt> = request.finish { json in json.value() }
        _ = try await manager.operation(call).value
        let reply = try #require(listener.exchanges.first?.reply)
        #expect(reply.text == shown)
        #expect(reply.fields["Set-Cookie"] == Redactor.mark)
    }

    @Test("listeners cost nothing while there are none: no event is created")
    func nobody() async throws {
        let manager = manager([])
        #expect(!manager.factory.hub.isObserved)
        do {
            let stream = manager.events
            #expect(manager.factory.hub.isObserved)
            _ = stream
        }
        _ = try await manager.operation(UsersRequests.get(ids: ["1"])).value
        #expect(!manager.factory.hub.isObserved)
    }
}
