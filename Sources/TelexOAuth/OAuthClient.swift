public import TelexRuntime

#if canImport(FoundationEssentials)
    import FoundationEssentials
#else
    import Foundation
#endif

/// A client of an OAuth 2.0 server (RFC 6749): gets credentials for an `APIManager`.
///
/// ```swift
/// let client = OAuthClient(
///     id: "my-app", server: OAuthServer(
///         authorization: "https://id.example.com/authorize", token: "https://id.example.com/token"),
///     transport: .urlSession)
///
/// let request = try client.authorizationRequest(redirectURI: "com.example.app:/login")
/// let redirect = try await browser.open(request.url)       // ends at the redirect URI
/// let credential = try await client.credential(for: request, redirectedTo: redirect)
/// try await api.logIn(credential)
/// ```
///
/// What holds for every request: secrets go over `https` only, redirects are not followed, replies
/// are bounded in size and time, and no error holds a secret.
public struct OAuthClient: Sendable {
    /// What the server calls the client.
    public let id: String
    /// How the client proves who it is.
    public let authentication: ClientAuthentication
    /// The server.
    public let server: OAuthServer

    let clock: RuntimeClock
    let random: @Sendable () -> [UInt8]
    private let endpoint: TokenEndpoint

    /// Makes a client.
    ///
    /// - Parameters:
    ///   - id: What the server calls the client.
    ///   - authentication: How the client proves who it is; not at all by default, as apps that
    ///     people install.
    ///   - server: The server.
    ///   - transport: What sends requests.
    ///   - timeout: How long one exchange may take; 60 seconds by default.
    ///   - clock: What time it is, to know when tokens are over, and what waits between two
    ///     questions and measures the timeout; the system's by default.
    ///   - listeners: Are told of its requests, without secrets, as those of an API that has the
    ///     client's id for a name. While an `APIManager` gets a new credential, that manager's
    ///     listeners are told instead. Nobody by default.
    public init(
        id: String, authentication: ClientAuthentication = .none, server: OAuthServer,
        transport: any Transport, timeout: Duration = .seconds(60), clock: RuntimeClock = .system,
        listeners: [any APIEventListener] = []
    ) {
        self.init(
            id: id, authentication: authentication, server: server, transport: transport,
            timeout: timeout, clock: clock, listeners: listeners, random: SecureBytes.random)
    }

    init(
        id: String, authentication: ClientAuthentication, server: OAuthServer,
        transport: any Transport, timeout: Duration = .seconds(60), clock: RuntimeClock,
        listeners: [any APIEventListener] = [], random: @escaping @Sendable () -> [UInt8]
    ) {
        self.id = id
        self.authentication = authentication
        self.server = server
        self.clock = clock
        self.random = random
        endpoint = TokenEndpoint(
            transport: transport, timeout: timeout, clock: clock,
            witness: TokenEventScope(listeners, id, clock: clock))
    }

    /// A request of this client for a grant.
    func tokenRequest(
        _ grant: String, scopes: [String] = [], parameters: [String: String] = [:]
    ) throws(CredentialError) -> TokenRequest {
        var request = TokenRequest(to: server.token)
        request.rules = server.reply
        request.add("grant_type", grant)
        if let scope = try Self.scope(scopes) { request.add("scope", scope) }
        request.authenticate(id, authentication)
        for (name, value) in parameters.sorted(by: { $0.key < $1.key }) {
            guard !request.has(name) else { throw Self.taken(name) }
            request.add(name, value)
        }
        return request
    }

    /// The error for a parameter that would be there twice.
    static func taken(_ name: String) -> CredentialError {
        CredentialError(.invalidRequest, "`\(name)` is a parameter of the grant itself")
    }

    /// The reply to a request.
    func reply(to request: TokenRequest) async throws -> TokenReply {
        try await endpoint.reply(to: request)
    }

    /// The credential that a request gets.
    func credential(
        for request: TokenRequest, scopes: [String] = [], after old: Credential? = nil
    ) async throws -> Credential {
        try credential(in: await reply(to: request), scopes: scopes, after: old)
    }

    /// The credential in a reply.
    func credential(
        in reply: TokenReply, scopes: [String], after old: Credential? = nil
    ) throws(CredentialError) -> Credential {
        var credential = try reply.credential(server.reply, after: old, at: clock.now())
        // A server that grants what was asked for need not say so (section 5.1).
        if credential.values["scope"] == nil, !scopes.isEmpty {
            credential.values["scope"] = scopes.joined(separator: " ")
        }
        return credential
    }

    /// Scopes as requests hold them (section 3.3); nil if there are none.
    static func scope(_ scopes: [String]) throws(CredentialError) -> String? {
        for scope in scopes where scope.isEmpty || !scope.utf8.allSatisfy(isScopeCharacter) {
            throw CredentialError(
                .invalidRequest,
                "`\(scope.excerpt())` is no scope: one is made of visible ASCII characters without "
                    + "spaces, quotes and backslashes")
        }
        return scopes.isEmpty ? nil : scopes.joined(separator: " ")
    }

    private static func isScopeCharacter(_ byte: UInt8) -> Bool {
        (0x21...0x7E).contains(byte) && byte != UInt8(ascii: "\"") && byte != UInt8(ascii: "\\")
    }
}

extension OAuthClient {
    /// Gets a credential for the client itself, not for a user (RFC 6749, section 4.4).
    ///
    /// - Parameters:
    ///   - scopes: What the token is to allow; what the server thinks fit by default.
    ///   - parameters: What else the server wants to know, such as `audience` or `resource`.
    /// - Throws: `CredentialError` if there is none; `CancellationError` if the task is cancelled.
    public func clientCredential(
        scopes: [String] = [], parameters: [String: String] = [:]
    ) async throws -> Credential {
        let request = try tokenRequest(
            "client_credentials", scopes: scopes, parameters: parameters)
        return try await credential(for: request, scopes: scopes)
    }

    /// Gets a new credential for the refresh token of an old one (RFC 6749, section 6). If the
    /// server gives a new refresh token too, the old one is good no more: store the result before
    /// you use it, as `CredentialStore.renew(_:with:)` does.
    ///
    /// - Throws: `CredentialError` if there is none; `CancellationError` if the task is cancelled.
    public func refreshed(_ old: Credential) async throws -> Credential {
        guard let token = old.refreshToken else {
            throw CredentialError(
                .nothingToRefresh, "the token came without a refresh token; log in again")
        }
        var request = try tokenRequest("refresh_token")
        request.isRefresh = true
        request.add("refresh_token", secret: token)
        request.hide(old)
        return try await credential(for: request, after: old)
    }
}

extension OAuthClient: RedactedDescription {
    /// Who it is and where, without secrets and without what stands in addresses behind the path.
    public var customMirror: Mirror {
        Mirror(
            self, children: ["id": id, "authentication": authentication, "server": server],
            displayStyle: .struct)
    }
}
