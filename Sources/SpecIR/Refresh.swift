/// How a new token is had when the old one is no longer good.
public enum Refresh: Sendable, Equatable {
    /// The app sees to it, for instance by asking its user to log in.
    case app
    /// A request that answers with a new token.
    case request(RefreshRequest)
}

/// A request that answers with a new token (RFC 6749 §6).
public struct RefreshRequest: Sendable, Equatable {
    /// One member of its body.
    public struct Member: Sendable, Equatable {
        /// Its name.
        public var name: String
        /// Its text.
        public var value: String

        /// Creates a member.
        public init(name: String, value: String) {
            self.name = name
            self.value = value
        }
    }

    /// Where it is posted to, an absolute URL.
    public var url: String
    /// Whether the body is a JSON object, else it is a form.
    public var isJSON: Bool
    /// What is in the body besides the refresh token, in spec order.
    public var members: [Member]
    /// Where the reply holds the token.
    public var token: [String]
    /// Where the reply holds the next refresh token; empty: nowhere.
    public var refreshToken: [String]
    /// Where the reply holds the seconds that the token is good for; empty: nowhere.
    public var expiresIn: [String]

    /// Creates a request from its parts.
    public init(
        url: String, isJSON: Bool, members: [Member], token: [String], refreshToken: [String],
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
