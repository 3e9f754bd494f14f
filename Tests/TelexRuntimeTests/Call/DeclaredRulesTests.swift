import HTTPTypes
import TelexJSON
import TelexTesting
import Testing

@testable import TelexRuntime
@testable import TelexScheduling

/// An API whose description has a request that renews the token.
private enum Renewing {
    static var definition: APIDefinition {
        var definition = TinyAPI.definition
        definition.auth.refresh = .request(RefreshRequest("https://login.tiny.test/token"))
        return definition
    }
}

@Suite("The declarations of a description")
struct DeclaredRulesTests {
    @Test("a declared refresh renews an expired token")
    func refreshes() async throws {
        let transport = InMemoryTransport { request in
            if request.head.authority == "login.tiny.test" {
                return .json(#"{"access_token":"new","token_type":"Bearer"}"#)
            }
            return request.head.path?.contains("access_token=new") == true
                ? .json(#"{"response":[]}"#)
                : .json(#"{"error":{"error_code":5,"error_msg":"expired"}}"#)
        }
        let store = MemoryCredentialStore(Credential(token: "old", refreshToken: "again"))
        let manager = TestAPI.manager(Renewing.definition, transport: transport, credentials: store)
        let users = try await manager.operation(UsersRequests.get(ids: ["1"])).value
        #expect(users.isEmpty)
        #expect(try await store.read()?.token == "new")
        let request = transport.requests.first { $0.head.authority == "login.tiny.test" }
        #expect(request?.text.contains("refresh_token=again") == true)
    }

    @Test("an expired token without a declared refresh and a refresher fails the call")
    func noRefresh() async {
        let transport = InMemoryTransport { _ in
            .json(#"{"error":{"error_code":5,"error_msg":"expired"}}"#)
        }
        let store = MemoryCredentialStore(Credential(token: "old"))
        let manager = APIManager<TinyAPI>(transport: transport, credentials: store) {
            $0.settings.clock = .stopped
        }
        let error = await #expect(throws: APIError.self) {
            try await manager.operation(UsersRequests.get(ids: ["1"])).value
        }
        #expect(error?.reason == .credentialRefused)
        #expect(transport.requests.count == 1)
    }

    @Test("a declared refresh without any credential asks for a login and sends nothing")
    func noLogin() async {
        let transport = InMemoryTransport { _ in .json(#"{"response":[]}"#) }
        let manager = TestAPI.manager(
            Renewing.definition, transport: transport, credentials: MemoryCredentialStore())
        let error = await #expect(throws: APIError.self) {
            try await manager.operation(UsersRequests.get(ids: ["1"])).value
        }
        #expect(error?.reason == .noCredential && error?.needsLogin == true)
        #expect(error?.attempts == 0 && transport.requests.isEmpty)
    }

    @Test("the description chooses the session of a method, with its settings")
    func session() async throws {
        let (manager, transport) = tiny { _ in .json(#"{"response":[]}"#) }
        _ = try await manager.operation(UsersRequests.file(name: "a")).value
        _ = try await manager.operation(UsersRequests.get(ids: ["1"])).value
        let files = TransportSession("files", isEphemeral: true, connectionsPerHost: 2)
        #expect(transport.requests.map(\.request.session) == [files, .shared])
    }

    @Test("the declarations of a description may be overridden by a call with another session")
    func ownSession() async throws {
        let (manager, transport) = tiny { _ in .json(#"{"response":[]}"#) }
        for session in [.named("files"), .ephemeral, .shared] as [Endpoint.Session] {
            let options = CallOptions(session: session)
            _ = try await manager.operation(UsersRequests.get(ids: ["1"]), options: options).value
        }
        let files = TransportSession("files", isEphemeral: true, connectionsPerHost: 2)
        #expect(transport.requests.map(\.request.session) == [files, .ephemeral, .shared])
    }

    @Test("a call with an unknown session is refused before anything is sent")
    func unknownSession() async {
        let (manager, transport) = tiny { _ in .json(#"{"response":[]}"#) }
        let error = await #expect(throws: APIError.self) {
            try await manager.operation(
                UsersRequests.get(ids: ["1"]), options: CallOptions(session: .named("file"))
            ).value
        }
        #expect(error?.reason == .invalidRequest)
        #expect(error?.description.contains("did you mean `files`?") == true)
        #expect(transport.requests.isEmpty)
    }

    @Test("calls are distinguished by members of a JSON body as by other parameters")
    func identity() {
        func identity(_ id: Int, _ note: String) -> String {
            var builder = RequestBuilder(
                RequestTemplate(method: "a.b", endpoint: Endpoint(.post, "a")))
            builder.query("page", 1)
            builder.jsonObject { json in
                json.field("note", note)
                json.field("id", id)
            }
            return builder.template.identity(of: ["id", "page"])
        }
        #expect(identity(1, "a") == identity(1, "b"))
        #expect(identity(1, "a") != identity(2, "a"))
    }
}
