import Foundation
import RuntimeTestSupport
import TelexOAuth
import TelexRuntime
import TelexTesting
import Testing

/// The server `app.py`, made of Authlib and Flask.
struct TokenServer: Sendable {
    /// The kind of refresher that gets new tokens from it.
    enum Refresher: CaseIterable, Sendable {
        /// The request that a spec declares.
        case declared
        /// The module TelexOAuth.
        case oauth
    }

    let address: String
    let folder: TemporaryFolder
    private let barrier = RequestBarrier()

    private init(address: String, folder: TemporaryFolder) {
        self.address = address
        self.folder = folder
    }

    static func run<Value: Sendable>(
        _ body: (TokenServer) async throws -> Value
    ) async throws -> Value {
        try await PythonServer.run("app.py", with: await InstalledServers.python) {
            try await body(TokenServer(address: $0, folder: $1))
        }
    }

    /// A manager with a transport of its own and a new login.
    func manager(_ refresher: Refresher = .declared) async throws -> APIManager<TestAPI> {
        let manager = manager(keepingIn: .memory, refresher)
        try await manager.credentials.save(try await login())
        return manager
    }

    func manager(
        keepingIn store: any CredentialStore, _ refresher: Refresher = .declared
    ) -> APIManager<TestAPI> {
        let transport = PatientTransport()
        return TestAPI.manager(.servers, transport: transport, credentials: store) {
            $0.refresher = self.refresher(refresher, transport)
            $0.server = .url(address)
            $0.interceptors = [barrier]
            $0.settings = EngineSettings(refreshTimeout: nil)
        }
    }

    private func refresher(
        _ refresher: Refresher, _ transport: PatientTransport
    ) -> any CredentialRefresher {
        switch refresher {
        case .declared:
            RequestCredentialRefresher(
                RefreshRequest(
                    "\(address)token",
                    .form([
                        .init("grant_type", .constant("refresh_token")),
                        .init("client_id", .constant("app")),
                        .init("client_secret", .secret("app-secret")),
                    ])), transport: transport, timeout: .noTimeout)
        case .oauth:
            OAuthRefresher(
                OAuthClient(
                    id: "app", authentication: .basic(secret: "app-secret"),
                    server: OAuthServer(token: "\(address)token"), transport: transport,
                    timeout: .noTimeout))
        }
    }

    func login() async throws -> Credential {
        let login = try await TestAPI.manager(at: address).operation(
            ServerRequests.login()
        ).value
        return Credential(token: login.token, refreshToken: login.refreshToken)
    }

    /// Revokes all access tokens. The next `refusals` requests are sent together, and a refresh is
    /// answered after all of them were refused.
    func expireTokens(holdingFor refusals: Int) async throws {
        barrier.gather(refusals)
        _ = try await control(ServerRequests.control(expire: refusals))
    }

    /// Limits each new access token to `uses` requests.
    func limitTokens(to uses: Int) async throws {
        _ = try await control(ServerRequests.control(uses: uses))
    }

    /// The current counters.
    var counts: TokenCounters {
        get async throws { try await control(ServerRequests.control()) }
    }

    private func control(_ request: APIRequest<TokenCounters>) async throws -> TokenCounters {
        try await TestAPI.manager(at: address).operation(request).value
    }
}
