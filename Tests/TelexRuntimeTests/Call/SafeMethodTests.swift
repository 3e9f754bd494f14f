import HTTPTypes
import RuntimeTestSupport
import TelexTesting
import Testing

@testable import TelexRuntime

@Suite("A POST that only reads")
struct SafeMethodTests {
    private func search(
        _ client: CacheClient, for text: String, isSafe: Bool = true, isCoalesced: Bool = false,
        cache: CacheRules? = nil, _ fill: (inout RequestBuilder) -> Void = { _ in }
    ) -> DataOperation<[Int]> {
        let rules = OperationRules(isCoalesced: isCoalesced, isSafe: isSafe, cache: cache)
        let endpoint = Endpoint(.post, "list", auth: .none, operation: rules)
        var request = RequestBuilder(TestAPI.APIMethod("search", endpoint))
        request.json { $0.field("text", text) }
        fill(&request)
        return client.manager.operation(request.finish { $0.list() })
    }

    private static let failing: InMemoryTransport.Script = { _ in
        .bytes(status: .internalServerError)
    }

    @Test(
        "a POST that only reads is sent again after a failure that may have had an effect",
        arguments: [false, true])
    func repeated(isSafe: Bool) async {
        let retry = RetryPolicy(
            attempts: 3, on: [.status(500...500)], backoff: Backoff(initial: .zero))
        let client = CacheClient(retry: retry, serving: Self.failing)
        await #expect(throws: APIError.self) {
            try await search(client, for: "a", isSafe: isSafe).value
        }
        #expect(client.count == (isSafe ? 3 : 1))
    }

    @Test("a POST that only reads may be sent again by a transport that meets a closed connection")
    func transport() async throws {
        let client = CacheClient { _ in .json("[1]") }
        for isSafe in [false, true] { _ = try await search(client, for: "a", isSafe: isSafe).value }
        #expect(client.transport.requests.map(\.request.isRepeatable) == [false, true])
    }

    @Test("a POST that only reads shares a request with equal calls, not with one of another body")
    func shared() async throws {
        let held = Gate()
        let client = CacheClient { _ in
            await held.wait()
            return .json("[1]")
        }
        let calls = ["a", "b", "a"].map { search(client, for: $0, isCoalesced: true) }
        for call in calls { call.start() }
        await until { client.count == 2 }
        held.open()
        for call in calls { #expect(try await call.value == [1]) }
        #expect(client.count == 2)
    }

    @Test("a POST that only reads does not share what cannot be compared: a file")
    func files() async throws {
        let client = CacheClient { _ in .json("[1]") }
        for _ in 0..<2 {
            let call = search(client, for: "a", isCoalesced: true, cache: CacheRules()) {
                $0.part("photo", UploadFile(bytes: [1], name: "a.jpg", type: "image/jpeg"))
            }
            #expect(try await call.response.source == .network)
        }
        #expect(client.count == 2)
    }

    @Test("a POST that only reads uses a stored reply to the same body, and removes none")
    func cached() async throws {
        let client = CacheClient(serving: VersionedServer([.cacheControl: "max-age=60"]).script)
        _ = try await client.list().value
        for (text, source) in [("a", ReplySource.network), ("b", .network), ("a", .cache)] {
            let call = search(client, for: text, cache: CacheRules())
            #expect(try await call.response.source == source)
        }
        #expect(try await client.list().response.source == .cache)
    }
}
