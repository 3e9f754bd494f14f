/// How a new token is had when the old one is no longer good.
public enum Refresh: Sendable, Equatable {
    /// The app sees to it, for instance by asking its user to log in.
    case app
    /// A request that answers with a new token.
    case request(RefreshRequest)
}

/// A request that answers with a new token (RFC 6749 §6).
public struct RefreshRequest: Sendable, Equatable {
    /// What a member of its body holds.
    public enum Value: Sendable, Equatable {
        /// Always the same text.
        case constant(String)
        /// A text that is shown to nobody.
        case secret(String)
        /// A fact that came with the old token.
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
        /// What it holds.
        public var value: Value

        /// Creates a member.
        public init(name: String, value: Value) {
            self.name = name
            self.value = value
        }
    }

    /// Where it is posted to: an absolute URL, or a path behind that of the server that is called.
    public var url: String
    /// Whether the body is a JSON object, else it is a form.
    public var isJSON: Bool
    /// What is in the body, in spec order; `nil` for what OAuth 2 has there.
    public var members: [Member]?
    /// Where the reply holds the token.
    public var token: [String]
    /// Where the reply holds the next refresh token; empty: nowhere.
    public var refreshToken: [String]
    /// Where the reply holds the seconds that the token is good for; empty: nowhere.
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
