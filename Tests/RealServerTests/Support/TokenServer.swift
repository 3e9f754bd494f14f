import Foundation
import TelexOAuth
import TelexRuntime
import TelexTesting
import TelexURLSession
import Testing

/// The server that `app.py` is: Authlib and Flask.
struct TokenServer: Sendable {
    /// Who gets new tokens from it.
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
        let folder = try TemporaryFolder()
        let python = try #require(await InstalledServers.python)
        // Without `-B` it would write beside its source.
        return try await ServerProcess.run(
            [python, "-B", serverFile("app.py"), folder.place("port")], in: folder,
            until: "port"
        ) {
            let port = String(decoding: try folder.read("port"), as: UTF8.self)
            return try await body(
                TokenServer(address: "http://127.0.0.1:\(port)/", folder: folder))
        }
    }

    /// A manager, with a transport of its own, of somebody who has just logged in.
    func manager(_ refresher: Refresher = .declared) async throws -> APIManager<ServerAPI> {
        let manager = manager(keepingIn: .memory, refresher)
        try await manager.credentials.save(try await login())
        return manager
    }

    func manager(
        keepingIn store: any CredentialStore, _ refresher: Refresher = .declared
    ) -> APIManager<ServerAPI> {
        let transport = URLSessionTransport()
        return APIManager(
            transport: transport, credentials: store,
            refresher: self.refresher(refresher, transport), server: .url(address),
            interceptors: [barrier], settings: EngineSettings(refreshTimeout: nil))
    }

    private func refresher(
        _ refresher: Refresher, _ transport: URLSessionTransport
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
        let login = try await APIManager(at: address).operation(ServerRequests.login()).value
        return Credential(token: login.token, refreshToken: login.refreshToken)
    }

    /// Ends all access tokens. So many requests are sent together next, and a refresh is answered only
    /// after so many have been refused.
    func expireTokens(holdingFor refusals: Int) async throws {
        barrier.gather(refusals)
        _ = try await control(ServerRequests.control(expire: refusals))
    }

    /// Each access token from now on is good for so many requests.
    func limitTokens(to uses: Int) async throws {
        _ = try await control(ServerRequests.control(uses: uses))
    }

    /// What has happened so far.
    var counts: Counts {
        get async throws { try await control(ServerRequests.control()) }
    }

    private func control(_ request: APIRequest<Counts>) async throws -> Counts {
        try await APIManager(at: address).operation(request).value
    }
}
