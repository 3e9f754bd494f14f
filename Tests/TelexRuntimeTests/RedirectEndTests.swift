import HTTPTypes
import TelexTesting
import Testing

@testable import TelexRuntime

/// What the end of a redirect says is said about that end, not about the request that was redirected.
@Suite("The end of a redirect")
struct RedirectEndTests {
    private let posts = Counter()

    private func desk(
        leadsTo address: String, _ status: HTTPResponse.Status = .seeOther,
        _ reply: @escaping @Sendable () throws(TransportError) -> TransportReply
    ) -> Desk {
        Desk { [posts] (request) throws(TransportError) in
            guard request.head.method == .post else { return try reply() }
            _ = posts.next()
            return .bytes(status: status, fields: [.location: address])
        }
    }

    private func save(_ desk: Desk) async -> APIError? {
        let call = desk.manager.operation(
            UsersRequests.save(name: "a", password: "secret"),
            options: CallOptions(retry: RetryPolicy(backoff: Backoff(initial: .zero))))
        do { try await call.value } catch { return error as? APIError }
        return nil
    }

    @Test(
        "is no reason to do again what was done, if its page cannot be reached",
        arguments: [HTTPResponse.Status.found, .seeOther])
    func unreachable(_ status: HTTPResponse.Status) async {
        let desk = desk(leadsTo: "https://dead.test/result", status) { () throws(TransportError) in
            throw TransportError(.cannotConnect, "nobody listens")
        }
        let error = await save(desk)
        #expect(posts.value == 1)
        #expect(error?.isRetryable == false)
    }

    @Test("is no reason to do again what was done, if its host is busy")
    func busy() async {
        let desk = desk(leadsTo: "https://api.tiny.test/result") {
            .bytes(status: .tooManyRequests)
        }
        let error = await save(desk)
        #expect(posts.value == 1)
        #expect(error?.status == 429 && error?.isRetryable == false)
    }

    @Test("is no reason to do again what was done, if it no longer takes the token")
    func expired() async {
        let desk = desk(leadsTo: "https://api.tiny.test/result") { .bytes(status: .unauthorized) }
        _ = await save(desk)
        #expect(posts.value == 1)
    }

    @Test("says nothing about a token that it was not shown")
    func foreign() async {
        let refreshes = Counter()
        let transport = InMemoryTransport { request in
            request.head.authority == "cdn.test"
                ? .bytes(status: .unauthorized)
                : .bytes(status: .found, fields: [.location: "https://cdn.test/x"])
        }
        let manager = APIManager<Tiny>(
            transport: transport, credentials: MemoryCredentialStore(Credential(token: "old")),
            refresher: .app { _ in
                _ = refreshes.next()
                return Credential(token: "new")
            })
        let error = await #expect(throws: APIError.self) {
            try await manager.operation(UsersRequests.get(ids: ["1"])).value
        }
        #expect(error?.reason == .status(401))
        #expect(refreshes.value == 0 && transport.requests.count == 2)
    }

    @Test("on the same host says nothing about a token that the address led away from")
    func withoutToken() async {
        let refreshes = Counter()
        let transport = InMemoryTransport { request in
            request.head.path == "/there"
                ? .json(#"{"error":{"error_code":5}}"#)
                : .bytes(status: .found, fields: [.location: "/there"])
        }
        let manager = APIManager<Tiny>(
            transport: transport, credentials: MemoryCredentialStore(Credential(token: "old")),
            refresher: .app { _ in Credential(token: "new \(refreshes.next())") })
        let error = await failure(manager.operation(UsersRequests.get(ids: ["1"])))
        #expect(error?.reason == .refused && error?.code == "5")
        #expect(refreshes.value == 0 && transport.requests.count == 2)
    }

    @Test("closes the host that it is, and not the API's")
    func pause() async throws {
        let desk = Desk { request in
            switch (request.head.authority, request.head.path) {
            case ("cdn.test", _):
                .bytes(status: .serviceUnavailable, fields: [.retryAfter: "3600"])
            case (_, let path?) where path.contains("ping"):
                .bytes(status: .found, fields: [.location: "https://cdn.test/x"])
            default: .json(#"{"response":[]}"#)
            }
        }
        let ping = desk.manager.operation(
            UsersRequests.ping(), options: CallOptions(retry: .never))
        await #expect(throws: APIError.self) { try await ping.value }
        #expect(try await desk.call().value == [])
    }

    @Test("gets no part of the credential, nor does a whole address elsewhere")
    func wholeAddress() async throws {
        let transport = InMemoryTransport { _ in .bytes([1]) }
        let credential = Credential(token: "token", values: ["id_token": "identity"])
        let manager = APIManager<Tiny>(
            transport: transport, credentials: MemoryCredentialStore(credential))
        var request = RequestBuilder(Tiny.APIMethod.upload)
        request.path("upload_url", "https://elsewhere.test/a")
        request.query("who", nil as String?, orCredential: "id_token")
        request.part("photo", UploadFile(bytes: [1], name: "a"))
        _ = try await manager.operation(request.finishRaw()).value
        #expect(transport.requests.map(\.head.path) == ["/a"])
    }
}
