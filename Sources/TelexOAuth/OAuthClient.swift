public import TelexRuntime

#if canImport(FoundationEssentials)
    import FoundationEssentials
#else
    import Foundation
#endif

/// A client of an OAuth 2.0 server (RFC 6749), which gets credentials for an `APIManager`.
///
/// ```swift
/// let client = OAuthClient(
///     id: "my-app", server: OAuthServer(
///         authorization: "https://id.example.com/authorize",
///         token: "https://id.example.com/token"),
///     transport: .urlSession)
///
/// let request = try client.authorizationRequest(redirectURI: "com.example.app:/login")
/// let redirect = try await browser.open(request.url)       // ends at the redirect URI
/// let credential = try await client.credential(for: request, redirectedTo: redirect)
/// try await api.logIn(credential)
/// ```
///
/// In all requests, secrets are sent only over `https` or to this machine, redirects are not
/// followed, replies are limited in size and time, and no error contains a secret.
public struct OAuthClient: Sendable {
    /// The client's id.
    public let id: String
    /// The client's authentication.
    public let authentication: ClientAuthentication
    /// The server.
    public let server: OAuthServer

    let clock: RuntimeClock
    let random: @Sendable () -> [UInt8]
    private let endpoint: TokenEndpoint

    /// Makes a client.
    ///
    /// - Parameters:
    ///   - id: The client's id.
    ///   - authentication: The client's authentication; none by default, as for apps on users'
    ///     devices.
    ///   - server: The server.
    ///   - transport: The transport that sends requests.
    ///   - timeout: The time-out of one exchange; 60 seconds by default.
    ///   - clock: The clock for the expiry of tokens, for polling and for the time-out; the
    ///     system's by default.
    ///   - listeners: The listeners of the client's token requests, without secrets; the API name
    ///     of the events is the client's id. During a refresh of an `APIManager`, the manager's
    ///     listeners receive the events instead. None by default.
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
            eventScope: TokenEventScope(listeners, api: id, clock: clock))
    }

    /// Makes a token request of this client for a grant.
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

    /// Returns the error for a duplicate parameter.
    static func taken(_ name: String) -> CredentialError {
        CredentialError(.invalidRequest, "`\(name)` is a parameter of the grant itself")
    }

    /// Sends a request and returns its reply.
    func reply(to request: TokenRequest) async throws -> TokenReply {
        try await endpoint.reply(to: request)
    }

    /// Sends a request and returns its credential.
    func credential(
        for request: TokenRequest, scopes: [String] = [], after old: Credential? = nil
    ) async throws -> Credential {
        try credential(in: await reply(to: request), scopes: scopes, after: old)
    }

    /// Returns the credential in a reply.
    func credential(
        in reply: TokenReply, scopes: [String], after old: Credential? = nil
    ) throws(CredentialError) -> Credential {
        var credential = try reply.credential(server.reply, after: old, at: clock.now())
        // A server may omit the scope if it grants the requested one (section 5.1).
        if credential.values["scope"] == nil, !scopes.isEmpty {
            credential.values["scope"] = scopes.joined(separator: " ")
        }
        return credential
    }

    /// Returns the scopes as one text (section 3.3); `nil` if there are none.
    static func scope(_ scopes: [String]) throws(CredentialError) -> String? {
        for scope in scopes where scope.isEmpty || !scope.utf8.allSatisfy(isScopeCharacter) {
            throw CredentialError(
                .invalidRequest,
                "`\(scope.excerpt())` is no valid scope: use visible ASCII characters without "
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
    ///   - scopes: The requested scopes; the server's default if empty.
    ///   - parameters: Additional parameters, such as `audience` or `resource`.
    /// - Throws: `CredentialError` if the server issues none; `CancellationError` if the task is
    ///   cancelled.
    public func clientCredential(
        scopes: [String] = [], parameters: [String: String] = [:]
    ) async throws -> Credential {
        let request = try tokenRequest(
            "client_credentials", scopes: scopes, parameters: parameters)
        return try await credential(for: request, scopes: scopes)
    }

    /// Gets a new credential with the refresh token of an old one (RFC 6749, section 6). If the
    /// server issues a new refresh token, the old one is no longer valid: store the result before
    /// you use it, as `CredentialStore.renew(_:with:)` does.
    ///
    /// - Throws: `CredentialError` if there is no new credential; `CancellationError` if the task
    ///   is cancelled.
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
    /// The client's id, authentication and server, without secrets; of addresses, only the origin
    /// and path.
    public var customMirror: Mirror {
        Mirror(
            self, children: ["id": id, "authentication": authentication, "server": server],
            displayStyle: .struct)
    }
}
