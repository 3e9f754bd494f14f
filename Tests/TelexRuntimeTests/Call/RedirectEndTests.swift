import HTTPTypes
import TelexJSON
import TelexTesting
import Testing

@testable import TelexRuntime
@testable import TelexScheduling

/// An API with a bearer token, which 401 declares expired.
private enum Guarded {
    enum APIMethod: String, CaseIterable, APIMethodName {
        case page, order

        var endpoint: Endpoint { Endpoint(self == .page ? .get : .post, rawValue) }
    }

    static let definition = APIDefinition(
        name: "Guarded", servers: [Server("main", "https://guarded.test/")],
        auth: AuthRules(token: .bearer, expired: [.status(401)]), retry: .never)
}

/// The reply at the end of a redirect concerns that address, not the redirected request.
@Suite("The end of a redirect")
struct RedirectEndTests {
    private let posts = Counter()

    private func client(
        leadsTo address: String, _ status: HTTPResponse.Status = .seeOther,
        _ reply: @escaping @Sendable () throws(TransportError) -> TransportReply
    ) -> TestClient {
        TestClient { [posts] (request) throws(TransportError) in
            guard request.head.method == .post else { return try reply() }
            _ = posts.next()
            return .bytes(status: status, fields: [.location: address])
        }
    }

    private func save(_ client: TestClient) async -> APIError? {
        let call = client.manager.operation(
            UsersRequests.save(name: "a", password: "secret"),
            options: CallOptions(retry: RetryPolicy(backoff: Backoff(initial: .zero))))
        do { try await call.value } catch { return error as? APIError }
        return nil
    }

    @Test(
        "a redirect's end causes no repetition of an unsafe request if its page is unreachable",
        arguments: [HTTPResponse.Status.found, .seeOther])
    func unreachable(_ status: HTTPResponse.Status) async {
        let client = client(leadsTo: "https://dead.test/result", status) {
            () throws(TransportError) in
            throw TransportError(.cannotConnect, "nobody listens")
        }
        let error = await save(client)
        #expect(posts.value == 1)
        #expect(error?.isRetryable == false)
    }

    @Test("the end of a redirect causes no repetition of an unsafe request if its host is busy")
    func busy() async {
        let client = client(leadsTo: "https://api.tiny.test/result") {
            .bytes(status: .tooManyRequests)
        }
        let error = await save(client)
        #expect(posts.value == 1)
        #expect(error?.status == 429 && error?.isRetryable == false)
    }

    @Test("the end of a redirect does not refuse a token that was not sent there")
    func foreign() async {
        let refreshes = Counter()
        let transport = InMemoryTransport { request in
            request.head.authority == "cdn.test"
                ? .json(#"{"error":{"error_code":5}}"#, status: .unauthorized)
                : .bytes(status: .found, fields: [.location: "https://cdn.test/x"])
        }
        let manager = APIManager<TinyAPI>(
            transport: transport, credentials: MemoryCredentialStore(Credential(token: "old"))
        ) {
            $0.refresher = .app { _ in
                _ = refreshes.next()
                return Credential(token: "new")
            }
            $0.settings.clock = .stopped
        }
        let error = await #expect(throws: APIError.self) {
            try await manager.operation(UsersRequests.get(ids: ["1"])).value
        }
        #expect(error?.reason == .status(401))
        #expect(refreshes.value == 0 && transport.requests.count == 2)
    }

    @Test("the end of a redirect on the same host does not refuse a token that the address dropped")
    func withoutToken() async {
        let refreshes = Counter()
        let transport = InMemoryTransport { request in
            request.head.path == "/there"
                ? .json(#"{"error":{"error_code":5}}"#)
                : .bytes(status: .found, fields: [.location: "/there"])
        }
        let manager = APIManager<TinyAPI>(
            transport: transport, credentials: MemoryCredentialStore(Credential(token: "old"))
        ) {
            $0.refresher = .app { _ in Credential(token: "new \(refreshes.next())") }
            $0.settings.clock = .stopped
        }
        let error = await failure(manager.operation(UsersRequests.get(ids: ["1"])))
        #expect(error?.reason == .refused && error?.code == "5")
        #expect(refreshes.value == 0 && transport.requests.count == 2)
    }

    /// Returns the error, the requests and the number of refreshes of a call with a refreshable
    /// bearer token.
    private func refreshing(
        _ method: Guarded.APIMethod, _ script: @escaping InMemoryTransport.Script
    ) async -> (error: APIError?, requests: [SentRequest], refreshes: Int) {
        let refreshes = Counter()
        let transport = InMemoryTransport(script)
        let manager = TestAPI.manager(
            Guarded.definition, transport: transport,
            credentials: MemoryCredentialStore(Credential(token: "old"))
        ) { $0.refresher = .app { _ in Credential(token: "new \(refreshes.next())") } }
        let error = await failure(manager.operation(RequestBuilder(method).finishEmpty()))
        return (error, transport.requests, refreshes.value)
    }

    @Test("a redirect's end refuses no bearer token not sent there, and says it was held back")
    func foreignHeader() async {
        let (error, requests, refreshes) = await refreshing(.page) {
            $0.head.authority == "cdn.test"
                ? .bytes(status: .unauthorized)
                : .bytes(status: .found, fields: [.location: "https://cdn.test/x"])
        }
        #expect(error?.reason == .status(401))
        #expect(
            error?.description.contains(
                "asks for the token, which was held back because a redirect led elsewhere") == true)
        #expect(refreshes == 0 && requests.count == 2)
    }

    @Test("the end of a redirect does not refuse a token after a detour over another host")
    func detour() async {
        let (error, requests, refreshes) = await refreshing(.page) {
            switch ($0.head.authority, $0.head.path) {
            case ("cdn.test", _):
                .bytes(status: .found, fields: [.location: "https://guarded.test/back"])
            case (_, "/back"): .bytes(status: .unauthorized)
            default: .bytes(status: .found, fields: [.location: "https://cdn.test/x"])
            }
        }
        #expect(error?.reason == .status(401))
        #expect(refreshes == 0 && requests.count == 3)
    }

    @Test("the end of a redirect causes no repetition of an unsafe request, even with a new token")
    func doneAlready() async {
        let (error, requests, _) = await refreshing(.order) {
            $0.head.method == .post
                ? .bytes(status: .seeOther, fields: [.location: "/result"])
                : .bytes(status: .unauthorized)
        }
        #expect(error?.reason == .credentialRefused)
        #expect(requests.map(\.head.method) == [.post, .get])
    }

    @Test("the end of a redirect pauses no host of other calls")
    func pauseElsewhere() async throws {
        let client = TestClient { request in
            request.head.authority == "cdn.test" && request.head.path == "/x"
                ? .bytes(status: .serviceUnavailable, fields: [.retryAfter: "3600"])
                : request.head.authority == "cdn.test"
                    ? .bytes([1])
                    : .bytes(status: .found, fields: [.location: "https://cdn.test/x"])
        }
        let ping = client.manager.operation(
            UsersRequests.ping(), options: CallOptions(retry: .never))
        await #expect(throws: APIError.self) { try await ping.value }
        let upload = client.manager.operation(
            UsersRequests.upload(
                to: "https://cdn.test/upload", UploadFile(bytes: [1], name: "a")))
        upload.start()
        #expect(upload.state != .queued)
        _ = try await upload.value
    }

    @Test("the end of a redirect pauses its own host, and not the API's")
    func pause() async throws {
        let client = TestClient { request in
            switch (request.head.authority, request.head.path) {
            case ("cdn.test", _):
                .bytes(status: .serviceUnavailable, fields: [.retryAfter: "3600"])
            case (_, let path?) where path.contains("ping"):
                .bytes(status: .found, fields: [.location: "https://cdn.test/x"])
            default: .json(#"{"response":[]}"#)
            }
        }
        let ping = client.manager.operation(
            UsersRequests.ping(), options: CallOptions(retry: .never))
        await #expect(throws: APIError.self) { try await ping.value }
        #expect(try await client.call().value == [])
    }

    @Test("a redirect's end gets no part of a credential, nor does an absolute address elsewhere")
    func wholeAddress() async throws {
        let transport = InMemoryTransport { _ in .bytes([1]) }
        let credential = Credential(token: "token", values: ["id_token": "identity"])
        let manager = APIManager<TinyAPI>(
            transport: transport, credentials: MemoryCredentialStore(credential)
        ) { $0.settings.clock = .stopped }
        var request = RequestBuilder(TinyAPI.APIMethod.upload)
        request.address("upload_url", "https://elsewhere.test/a")
        request.query("who", nil as String?, orCredential: "id_token")
        request.part("photo", UploadFile(bytes: [1], name: "a"))
        _ = try await manager.operation(request.finishRaw()).value
        #expect(transport.requests.map(\.head.path) == ["/a"])
    }
}
