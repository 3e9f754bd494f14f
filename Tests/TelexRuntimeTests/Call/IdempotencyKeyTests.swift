import HTTPTypes
import TelexJSON
import TelexTesting
import Testing

@testable import TelexRuntime

@Suite("The idempotency key of a call")
struct IdempotencyKeyTests {
    /// Returns the error of a call that posts, if its method has a key in `header`, and the
    /// requests.
    private func post(
        _ options: CallOptions, header: String? = "Idempotency-Key", isCoalesced: Bool = false,
        _ fill: (inout RequestBuilder) -> Void = { _ in }, failures: Int = 0
    ) -> (call: DataOperation<[User]>, transport: InMemoryTransport) {
        let count = Counter()
        let (manager, transport) = tiny { _ in
            count.next() <= failures
                ? .bytes(status: .serviceUnavailable) : .json(#"{"response":[]}"#)
        }
        let endpoint = Endpoint(
            .post, "charges",
            operation: OperationRules(isCoalesced: isCoalesced, idempotencyKey: header))
        var builder = RequestBuilder(RequestTemplate(method: "charge", endpoint: endpoint))
        fill(&builder)
        return (manager.operation(builder.finish(UsersMapper.get), options: options), transport)
    }

    private func keys(_ transport: InMemoryTransport, _ header: String) -> [String?] {
        transport.requests.map { request in
            HTTPField.Name(header).flatMap { request.head.headerFields[$0] }
        }
    }

    @Test("the idempotency key of a call is the app's own, if it sets one, in all attempts")
    func own() async throws {
        let retry = RetryPolicy(backoff: Backoff(initial: .zero))
        let options = CallOptions(retry: retry, idempotencyKey: "order 17")
        for header in ["Idempotency-Key", "X-Request-Id"] {
            let (call, transport) = post(options, header: header, failures: 1)
            #expect(try await call.value == [])
            #expect(keys(transport, header) == ["order 17", "order 17"])
        }
    }

    @Test("the idempotency key of a call is another one for each call otherwise")
    func made() async throws {
        var seen: Set<String?> = []
        for _ in 0..<2 {
            let (call, transport) = post(CallOptions(tags: ["a"]))
            _ = try await call.value
            seen.formUnion(keys(transport, "Idempotency-Key"))
        }
        #expect(seen.count == 2 && !seen.contains(nil))
    }

    @Test("the idempotency key of a call is passed to the transport, as long as it is sent")
    func told() async throws {
        let transport = KeyRecorder()
        let manager = APIManager<TinyAPI>(
            transport: transport, credentials: .memory(Credential(token: "secret"))
        ) { $0.settings.clock = .stopped }
        for header in [nil, "X-Request-Id"] {
            let endpoint = Endpoint(
                .post, "charges", operation: OperationRules(idempotencyKey: header))
            let builder = RequestBuilder(RequestTemplate(method: "charge", endpoint: endpoint))
            _ = try await manager.operation(builder.finish(UsersMapper.get)).value
        }
        // The first of two requests is redirected to another server, which gets no key.
        #expect(transport.keyed.withLock { $0 } == [false, false, true, false])
    }

    @Test("an idempotency key is sent once, also if the request already has a field of its name")
    func once() async throws {
        let (call, transport) = post(
            CallOptions(idempotencyKey: "order"), { $0.header("idempotency-key", "another") })
        _ = try await call.value
        #expect(keys(transport, "Idempotency-Key") == ["order"])
    }

    @Test(
        "the idempotency key of a call is refused if it is no valid field value",
        arguments: ["", "a\nb", " a", "a\u{0}"])
    func impossible(key: String) async {
        let (call, transport) = post(CallOptions(idempotencyKey: key))
        let error = await failure(call)
        #expect(error?.phase == .build)
        #expect(error?.reason == .invalidRequest)
        #expect(error?.violations.map(\.path) == ["idempotencyKey"])
        #expect(error?.description.contains(key.isEmpty ? "not empty" : "control") == true)
        #expect(transport.requests.isEmpty)
    }

    @Test("an idempotency key is refused if the method has none, even if its calls share requests")
    func unknown() async {
        for isCoalesced in [false, true] {
            let (call, transport) = post(
                CallOptions(idempotencyKey: "order"), header: nil, isCoalesced: isCoalesced)
            let error = await failure(call)
            #expect(error?.reason == .invalidRequest)
            #expect(error?.description.contains("`charge` has no `idempotency-key`") == true)
            #expect(transport.requests.isEmpty)
        }
    }

    @Test("an idempotency key is refused for a call that could have shared the request of another")
    func unknownBesideAnother() async throws {
        let gate = Gate()
        let client = TestClient { _ in
            await gate.wait()
            return .json(#"{"response":[]}"#)
        }
        let first = client.manager.operation(EngineRequests.shared(id: 1))
        first.start()
        await client.subscribers(1)
        let second = client.manager.operation(
            EngineRequests.shared(id: 1), options: CallOptions(idempotencyKey: "order"))
        #expect(await failure(second)?.reason == .invalidRequest)
        gate.open()
        #expect(try await first.value == [])
    }
}

/// Redirects each request to another server, which answers, and records whether there was a key.
private final class KeyRecorder: Transport {
    let keyed = Lock<[Bool]>([])

    func send(_ request: TransportRequest) async throws(TransportError) -> TransportReply {
        keyed.withLock { $0.append(request.isRepeatable) }
        if request.head.authority == "elsewhere.test" {
            return TransportReply(
                head: HTTPResponse(status: .ok), body: ReplyBody(Array(#"{"response":[]}"#.utf8)))
        }
        let fields: HTTPFields = [.location: "https://elsewhere.test/"]
        return TransportReply(
            head: HTTPResponse(status: .temporaryRedirect, headerFields: fields))
    }
}
