/// How an expired token is refreshed.
public enum Refresh: Sendable, Equatable {
    /// The app refreshes the token itself, for instance by showing a log-in.
    case app
    /// A request whose reply holds a new token.
    case request(RefreshRequest)
}

/// A request whose reply holds a new token (RFC 6749 §6).
public struct RefreshRequest: Sendable, Equatable {
    /// The value of a member of its body.
    public enum Value: Sendable, Equatable {
        /// Always the same text.
        case constant(String)
        /// A constant text that is redacted in logs.
        case secret(String)
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
