import GalleryClient
import TelexRuntime
import TelexTesting
import Testing

@Suite("The page on authentication")
struct AuthenticationPageTests {
    private let service = TokenService()
    private let loginScreen = LoginScreen()

    /// The gallery and its login, which takes back tokens.
    private var transport: InMemoryTransport {
        let pictures = service.protecting { _ in .text("[]") }
        return InMemoryTransport(serving: { [service] request in
            request.path == "/token" ? service.refresh(request) : pictures(request)
        })
    }

    @Test("the page on authentication refreshes with the request of the spec, and keeps what came")
    func declared() async throws {
        try await withPath { path in
            let tokens = service.issue()
            service.expireAccessTokens()
            let gallery = APIManager<Gallery>(transport: transport, credentials: .file(path))
            let credential = Credential(token: tokens.access, refreshToken: tokens.refresh)
            try await gallery.logIn(credential)
            let pictures = try await gallery.pictures.list().value
            #expect(pictures == [])
            #expect(service.counts.refreshes == 1)
            #expect(try await gallery.credentials.read()?.refreshToken == "refresh-2")
        }
    }

    @Test("the page on authentication lets the app refresh, once for all calls")
    func app() async throws {
        let store = MemoryCredentialStore(Credential(token: "old"))
        let transport = InMemoryTransport { request in
            request.head.headerFields[.authorization] == "Bearer fresh"
                ? .json("[]") : .bytes(status: .unauthorized)
        }
        let gallery = APIManager<Gallery>(transport: transport, credentials: store) {
            $0.refresher = .app { _ in try await loginScreen.credential() }
        }
        let calls = (0..<5).map { _ in gallery.pictures.list() }
        for call in calls { call.start() }
        for call in calls { #expect(try await call.value == []) }
        #expect(loginScreen.display.lines == ["login"])
    }

    @Test("the page on authentication tells who has to do something when there is no new token")
    func refused() async throws {
        service.setRefreshing(.failing)
        let tokens = service.issue()
        service.expireAccessTokens()
        let gallery = APIManager<Gallery>(
            transport: transport,
            credentials: .memory(Credential(token: tokens.access, refreshToken: tokens.refresh)))
        do {
            _ = try await gallery.pictures.list().value
        } catch let error as APIError where error.phase == .auth {
            if error.needsLogin { loginScreen.show() }
        }
        #expect(loginScreen.display.lines == ["login"])
    }

    @Test("the page on authentication logs out here even if the server is not there")
    func logOut() async throws {
        let store = MemoryCredentialStore(Credential(token: "t"))
        let transport = InMemoryTransport { _ in .bytes(status: .forbidden) }
        let gallery = APIManager<Gallery>(transport: transport, credentials: store)
        await #expect(throws: APIError.self) {
            try await gallery.logOut(gallery.account.signOut())
        }
        #expect(try await store.read() == nil)
    }

    /// A store of one's own; the target has on what new targets of Xcode have.
    private struct OwnStore: CredentialStore {
        let memory = MemoryCredentialStore(Credential(token: "t"))

        func read() async throws(CredentialStoreError) -> Credential? { try await memory.read() }

        func save(_ credential: Credential) async throws(CredentialStoreError) {
            try await memory.save(credential)
        }

        func clear() async throws(CredentialStoreError) { try await memory.clear() }

        func exclusively<T: Sendable>(_ body: Exclusive<T>) async throws -> T {
            try await memory.exclusively(body)
        }
    }

    @Test("the page on authentication takes a store whose `exclusively` it provides")
    func ownStores() async throws {
        let store: any CredentialStore = OwnStore()
        #expect(try await store.exclusively { try await store.read()?.token } == "t")
    }
}
