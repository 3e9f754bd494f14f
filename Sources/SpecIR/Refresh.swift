/// How an expired token is refreshed.
public enum Refresh: Sendable, Equatable {
    /// The app refreshes the token itself, for instance by showing a log-in.
    case app
    /// A request whose reply holds a new token.
    case request(RefreshRequest)
    /// A method of the API: its name, and the key path or the header of the token in its reply.
    case method(String, token: [String], header: String?)
    /// A reply with this status, in a header.
    case handedOut(status: Int, header: String)
}

/// How the first token is obtained (RFC 6749 §4, RFC 8628).
public struct OAuthGrant: Sendable, Equatable {
    /// A way to a token.
    public enum Kind: String, CaseIterable, Sendable {
        case authorizationCode = "authorization-code"
        case device
        case clientCredentials = "client-credentials"
    }

    /// The way to a token.
    public var kind: Kind
    /// The id of the client.
    public var client: String
    /// The address at which a log-in begins; nil for client credentials.
    public var authorize: String?
    /// The address of the token server.
    public var token: String
    /// The scopes to request.
    public var scopes: [String]

    /// Creates a grant from its parts.
    public init(
        kind: Kind, client: String, authorize: String?, token: String, scopes: [String]
    ) {
        self.kind = kind
        self.client = client
        self.authorize = authorize
        self.token = token
        self.scopes = scopes
    }
}

/// A request whose reply holds a new token (RFC 6749 §6).
public struct RefreshRequest: Sendable, Equatable {
    /// The value of a member of its body.
    public enum Value: Sendable, Equatable {
        /// Always the same text.
        case constant(String)
        /// A constant text that is redacted in logs.
        case secret(String)
        /// A secret that the app keeps, by its name.
        case appSecret(String)
        /// A value that the old credential holds, by its key.
        case credentialValue(String)
        /// The refresh token.
        case refreshToken
        /// The old token.
        case token
    }

    /// One member of its body.
    public struct Member: Sendable, Equatable {
        /// Its name.
        public var name: String
        /// Its value.
        public var value: Value

        /// Creates a member.
        public init(name: String, value: Value) {
            self.name = name
            self.value = value
        }
    }

    /// The URL of the token server: absolute, or a path relative to the called server.
    public var url: String
    /// Whether the body is a JSON object; otherwise it is a form.
    public var isJSON: Bool
    /// The members of the body, in spec order; `nil` for those of OAuth 2.
    public var members: [Member]?
    /// The key path of the token in the reply.
    public var token: [String]
    /// The key path of the next refresh token; empty: there is none.
    public var refreshToken: [String]
    /// The key path of the token's lifetime in seconds; empty: there is none.
    public var expiresIn: [String]

    /// Creates a request from its parts.
    public init(
        url: String, isJSON: Bool, members: [Member]?, token: [String], refreshToken: [String],
        expiresIn: [String]
    ) {
        self.url = url
        self.isJSON = isJSON
        self.members = members
        self.token = token
        self.refreshToken = refreshToken
        self.expiresIn = expiresIn
    }
}
