public import HTTPTypes

/// Where an API method lives and how a call of it differs from the API's usual.
public struct Endpoint: Sendable {
    /// Whether a call carries the token.
    public enum Auth: Sendable, Hashable {
        /// It does if the API has tokens at all; a call without a credential fails.
        case required
        /// It never does.
        case none
    }

    /// Which connections a call may use.
    public enum Session: Sendable, Hashable {
        /// Those of the transport.
        case shared
        /// None that other calls use; nothing is kept.
        case ephemeral
        /// A set of connections that the API's description names.
        case named(String)
    }

    /// The HTTP method.
    public var method: HTTPRequest.Method
    /// The path below the server's address, with `{name}` for path parameters; it may end in a
    /// query. A path that is one parameter and nothing else may be given a whole address.
    public var path: String
    /// The name of the server; nil for the manager's choice.
    public var server: String?
    /// Whether a call carries the token.
    public var auth: Auth
    /// How long a call may take; nil for the API's limits.
    public var timeouts: Timeouts?
    /// Which connections a call may use.
    public var session: Session
    /// What counts as success; nil for the API's rules.
    public var reply: ReplyRules?
    /// How its operations are run.
    public var operation: OperationRules

    /// Describes where a method lives.
    public init(
        _ method: HTTPRequest.Method, _ path: String, server: String? = nil, auth: Auth = .required,
        timeouts: Timeouts? = nil, session: Session = .shared, reply: ReplyRules? = nil,
        operation: OperationRules = OperationRules()
    ) {
        self.method = method
        self.path = path
        self.server = server
        self.auth = auth
        self.timeouts = timeouts
        self.session = session
        self.reply = reply
        self.operation = operation
    }
}
