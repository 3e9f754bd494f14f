import TelexTransport

/// How a spec says that users or apps get their first token (`grant`). The module TelexOAuth makes
/// an `OAuthClient` of it.
public struct OAuthGrant: Sendable, Hashable {
    /// A way to a token.
    public enum Kind: Sendable, Hashable {
        /// The user logs in in the browser (RFC 6749, section 4.1, with PKCE).
        case authorizationCode
        /// The user logs in on another device (RFC 8628).
        case device
        /// The app logs in by itself (RFC 6749, section 4.4).
        case clientCredentials
    }

    /// The way to a token.
    public var kind: Kind
    /// The id of the client.
    public var client: String
    /// The page of the log-in, or the address at which a log-in on another device begins; nil for
    /// client credentials.
    public var authorize: String?
    /// The address of the token server.
    public var token: String
    /// The scopes to request.
    public var scopes: [String]

    /// Makes a description of a grant.
    public init(
        _ kind: Kind, client: String, authorize: String? = nil, token: String,
        scopes: [String] = []
    ) {
        self.kind = kind
        self.client = client
        self.authorize = authorize
        self.token = token
        self.scopes = scopes
    }
}
