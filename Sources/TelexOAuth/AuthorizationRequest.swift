public import TelexRuntime

/// A login in the user's browser: the page to open, and the values that prove that the answer
/// belongs to it. Valid for one login, all copies included. No description of it contains a secret.
public struct AuthorizationRequest: Sendable, Hashable {
    /// The page to open in the browser; not in a web view of the app, because the app could read
    /// what the user types there (RFC 8252, section 8.12).
    public let url: String
    /// The address to which the browser is redirected.
    public let redirectURI: String
    /// The requested scopes.
    public let scopes: [String]

    /// The expected issuer in the answer; `nil` for none.
    let issuer: String?
    let state: String
    let verifier: String
    /// The values that are redacted in all texts: the state, the verifier, and secret parameters of
    /// the app.
    let secrets: [String]
    /// The client that started the login, and its server.
    let client: ClientIdentity
    /// The permission to send the code once.
    let ticket = SingleUseGuard()
}

extension AuthorizationRequest: CustomStringConvertible, CustomDebugStringConvertible,
    CustomReflectable
{
    /// The page and the redirect address, without query parameters.
    public var description: String {
        let page = url.prefix { $0 != "?" }
        let home = Address.masked(redirectURI)
        return "login at \(page), redirecting to \(home) (\(Redacted.text))"
    }

    /// The same text as ``description``.
    public var debugDescription: String { description }

    /// A mirror that contains only the description.
    public var customMirror: Mirror { Mirror(self, children: ["request": description]) }
}

extension OAuthClient {
    /// Starts a login in the user's browser: the authorization code grant (RFC 6749, section 4.1)
    /// with PKCE (RFC 7636, always with S256), as recommended for native apps (RFC 8252).
    ///
    /// - Parameters:
    ///   - redirectURI: The registered redirect address: one with a scheme of the app
    ///     (`com.example.app:/login`), an `https` address, or `http` on this machine.
    ///   - scopes: The requested scopes; the server's default if empty.
    ///   - parameters: Additional parameters, such as `prompt` or `login_hint`.
    /// - Throws: `.invalidRequest` if the server has no authorization page, if an address is
    ///   invalid or already contains a parameter of the grant, or if an additional parameter has
    ///   the name of one of the grant's own.
    public func authorizationRequest(
        redirectURI: String, scopes: [String] = [], parameters: [String: String] = [:]
    ) throws(CredentialError) -> AuthorizationRequest {
        guard let page = server.authorization else {
            throw CredentialError(.invalidRequest, "the server has no authorization address")
        }
        var address = try Address(secure: page, "the authorization address")
        try RedirectURI.check(redirectURI)
        let state = Base64.url(random())
        let proof = PKCE(random())
        var items = [
            ("response_type", "code"), ("client_id", id), ("redirect_uri", redirectURI),
            ("state", state), ("code_challenge", proof.challenge),
            ("code_challenge_method", "S256"),
        ]
        if let scope = try Self.scope(scopes) { items.append(("scope", scope)) }
        for (name, value) in parameters.sorted(by: { $0.key < $1.key }) {
            guard !items.contains(where: { $0.0 == name }) else { throw Self.taken(name) }
            items.append((name, value))
        }
        try Self.check(page, hasNoneOf: items.map(\.0))
        address.add(items)
        return AuthorizationRequest(
            url: "\(address.scheme)://\(address.authority)\(address.target)",
            redirectURI: redirectURI, scopes: scopes, issuer: server.issuer, state: state,
            verifier: proof.verifier,
            secrets: [state, proof.verifier] + Self.secrets(parameters, in: page, redirectURI),
            client: identity)
    }

    /// Returns the secret values among the parameters that the app added to the login's addresses.
    private static func secrets(
        _ parameters: [String: String], in addresses: String...
    ) -> [String] {
        let kept = addresses.flatMap(RedirectURI.items).map { name, value in
            (name, value.isEmpty ? name : value)
        }
        let all = kept + parameters.map { ($0.key, $0.value) }
        return all.filter { TokenField.isSecret($0.1, of: $0.0) }.map(\.1)
    }

    /// Checks that the page contains none of these parameters, because each may occur only once
    /// (RFC 6749, section 3.1), and a server could use either of two.
    private static func check(
        _ page: String, hasNoneOf names: [String]
    ) throws(CredentialError) {
        guard let double = RedirectURI.names(in: page).first(where: names.contains) else { return }
        throw CredentialError(
            .invalidRequest,
            "the authorization address has a parameter `\(double)` of its own, which would be there "
                + "twice")
    }

    /// Completes a login: exchanges the code in the redirect for the credential.
    ///
    /// - Parameters:
    ///   - request: The login.
    ///   - redirect: The complete address to which the browser was redirected.
    /// - Throws: `CredentialError` with the reason `.invalidRequest` if a client with another id or
    ///   token address started the login, or if its code was sent before, which is valid once;
    ///   `.invalidRedirect` if the address is not the answer to this login; `.refused` if the user
    ///   or the server refused; and other reasons if the code cannot be exchanged.
    ///   `CancellationError` if the task is cancelled. If the server could not be reached, or if
    ///   the task was cancelled before the code was sent, the method may be called again.
    public func credential(
        for request: AuthorizationRequest, redirectedTo redirect: String
    ) async throws -> Credential {
        try request.client.check(isSameAs: identity)
        let code = try RedirectURI.code(in: redirect, for: request)
        var exchange = try tokenRequest("authorization_code")
        exchange.add("code", secret: code)
        exchange.add("redirect_uri", request.redirectURI)
        exchange.add("code_verifier", secret: request.verifier)
        for secret in request.secrets { exchange.hide(secret) }
        try Task.checkCancellation()
        try request.ticket.use()
        do {
            return try await credential(for: exchange, scopes: request.scopes)
        } catch let error as CredentialError where error.isUnsent {
            request.ticket.restore()
            throw error
        }
    }
}

extension Address {
    /// Appends parameters to those of the address (RFC 6749, section 3.1).
    fileprivate mutating func add(_ items: [(String, String)]) {
        let text = items.map { name, value in
            "\(PercentEncoding.component(name))=\(PercentEncoding.component(value))"
        }.joined(separator: "&")
        query = query.map { $0.isEmpty ? text : "\($0)&\(text)" } ?? text
    }
}
