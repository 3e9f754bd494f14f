public import TelexRuntime

/// A login in the user's browser: the page to open, and what proves that the answer belongs to it.
/// Good for one login, together with its copies. No text made of it holds a secret.
public struct AuthorizationRequest: Sendable, Hashable {
    /// The page to open in the browser: not in a web view of the app, which could read what the
    /// user types (RFC 8252, section 8.12).
    public let url: String
    /// Where the browser comes back to.
    public let redirectURI: String
    /// What is asked for.
    public let scopes: [String]

    /// What the answer has to name as its server; nil for nothing.
    let issuer: String?
    let state: String
    let verifier: String
    /// What must appear in no text: the proof, and what the app added to the addresses.
    let secrets: [String]
    /// Who began the login, and where it ends.
    let client: ClientIdentity
    /// Good for sending the code once.
    let ticket = LoginTicket()
}

extension AuthorizationRequest: CustomStringConvertible, CustomDebugStringConvertible,
    CustomReflectable
{
    /// Where the browser goes and comes back to, without what proves it.
    public var description: String {
        let page = url.prefix { $0 != "?" }
        let home = Address.masked(redirectURI)
        return "login at \(page), coming back to \(home) (\(Redacted.text))"
    }

    /// The same as ``description``.
    public var debugDescription: String { description }

    /// Shows the description and nothing else.
    public var customMirror: Mirror { Mirror(self, children: ["request": description]) }
}

extension OAuthClient {
    /// Begins a login in the user's browser: the grant with a code (RFC 6749, section 4.1) and a
    /// proof of who asked (PKCE, RFC 7636, always with S256), as native apps do it (RFC 8252).
    ///
    /// - Parameters:
    ///   - redirectURI: Where the browser comes back to, as the server knows it: an address of the
    ///     app (`com.example.app:/login`), an `https` address, or `http` on this machine.
    ///   - scopes: What the token is to allow; what the server thinks fit by default.
    ///   - parameters: What else the server wants to know, such as `prompt` or `login_hint`.
    /// - Throws: `.invalidRequest` if the server has no page for that, an address is not usable or
    ///   has a parameter of the grant already, or a parameter is one that the grant has itself.
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

    /// What must appear in no text of what an app wants to have in the addresses of a login.
    private static func secrets(
        _ parameters: [String: String], in addresses: String...
    ) -> [String] {
        let kept = addresses.flatMap(RedirectURI.items).map { name, value in
            (name, value.isEmpty ? name : value)
        }
        let all = kept + parameters.map { ($0.key, $0.value) }
        return all.filter { TokenField.isSecret($0.1, of: $0.0) }.map(\.1)
    }

    /// Makes sure that a page has none of the parameters that it is to get: each may be there once
    /// (RFC 6749, section 3.1), and which of two counts is the server's guess.
    private static func check(
        _ page: String, hasNoneOf names: [String]
    ) throws(CredentialError) {
        guard let double = RedirectURI.names(in: page).first(where: names.contains) else { return }
        throw CredentialError(
            .invalidRequest,
            "the authorization address has a parameter `\(double)` of its own, which would be there "
                + "twice")
    }

    /// Ends a login: takes the address that the browser came back to, and gets the credential for
    /// the code in it.
    ///
    /// - Parameters:
    ///   - request: The login.
    ///   - redirect: The whole address that the browser was redirected to.
    /// - Throws: `CredentialError` of the reason `.invalidRequest` if the login was begun by a client
    ///   of another id or token address or its code was sent before, which is good once,
    ///   `.invalidRedirect` if the address does not answer this login, `.refused` if the user or the
    ///   server said no, and others if the code cannot be exchanged; `CancellationError` if the task is
    ///   cancelled. If the server could not be reached at all, or the task was cancelled before, it may
    ///   be called again.
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
        } catch let error as CredentialError where error.isBeforeSending {
            request.ticket.giveBack()
            throw error
        }
    }
}

extension Address {
    /// Adds parameters behind those that the address has already (RFC 6749, section 3.1).
    fileprivate mutating func add(_ items: [(String, String)]) {
        let text = items.map { name, value in
            "\(PercentEncoding.component(name))=\(PercentEncoding.component(value))"
        }.joined(separator: "&")
        query = query.map { $0.isEmpty ? text : "\($0)&\(text)" } ?? text
    }
}
