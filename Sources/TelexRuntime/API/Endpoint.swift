public import HTTPTypes

/// Where an API method lives and how a call of it differs from the API's usual.
public struct Endpoint: Sendable {
    /// The HTTP methods that a spec can name. They are Telex's own, so that generated code needs no
    /// other module than those that it imports (`MemberImportVisibility`).
    public enum Verb: Sendable, Hashable, CaseIterable {
        /// `GET`
        case get
        /// `POST`
        case post
        /// `PUT`
        case put
        /// `PATCH`
        case patch
        /// `DELETE`
        case delete
        /// `HEAD`
        case head
        /// `OPTIONS`
        case options

        fileprivate var method: HTTPRequest.Method {
            switch self {
            case .get: .get
            case .post: .post
            case .put: .put
            case .patch: .patch
            case .delete: .delete
            case .head: .head
            case .options: .options
            }
        }
    }

    /// Whether a call carries the token.
    public enum Auth: Sendable, Hashable {
        /// It does if the API has tokens at all; a call without a credential fails, unless a refresher
        /// gets one.
        case required
        /// It never does.
        case none
    }

    /// Which connections a call may use.
    public enum Session: Sendable, Hashable {
        /// Those of the transport.
        case shared
        /// Those of ephemeral calls, which no others use; nothing is kept.
        case ephemeral
        /// A set of connections that the API's description names.
        case named(String)
    }

    /// The HTTP method.
    public var method: HTTPRequest.Method
    /// The path below the server's address, with `{name}` for path parameters; it may end in a
    /// query. A path that is one parameter and nothing else may be given a whole address.
    public var path: String
    /// What few methods have; nil for a method with nothing special. Behind a reference, because
    /// every call that waits holds an endpoint.
    private var special: Box?

    private struct Special: Sendable {
        var server: String?
        var auth = Auth.required
        var expired: [AuthRules.Expiry]?
        var timeouts: Timeouts?
        var session = Session.shared
        var reply: ReplyRules?
        var operation = OperationRules()
    }

    private final class Box: Sendable {
        let special: Special

        init(_ special: Special) {
            self.special = special
        }
    }

    /// A method's with nothing special.
    private static let plain = Box(Special())

    private var rest: Special {
        get { (special ?? Self.plain).special }
        set { special = Box(newValue) }
    }

    init(plain method: HTTPRequest.Method, _ path: String) {
        self.method = method
        self.path = path
    }

    /// Describes where a method lives.
    public init(
        _ verb: Verb, _ path: String, server: String? = nil, auth: Auth = .required,
        expired: [AuthRules.Expiry]? = nil, timeouts: Timeouts? = nil, session: Session = .shared,
        reply: ReplyRules? = nil, operation: OperationRules = OperationRules()
    ) {
        method = verb.method
        self.path = path
        special = Box(
            Special(
                server: server, auth: auth, expired: expired, timeouts: timeouts, session: session,
                reply: reply, operation: operation))
    }
}

extension Endpoint {
    /// The name of the server; nil for the manager's choice.
    public var server: String? {
        get { (special ?? Self.plain).special.server }
        set { rest.server = newValue }
    }

    /// Whether a call carries the token.
    public var auth: Auth {
        get { (special ?? Self.plain).special.auth }
        set { rest.auth = newValue }
    }

    /// What a reply looks like when the token is no longer good; nil for what the API says. Where none
    /// does, whatever the server answers is about something else than the token.
    public var expired: [AuthRules.Expiry]? {
        get { (special ?? Self.plain).special.expired }
        set { rest.expired = newValue }
    }

    /// How long a call may take; nil for the API's limits.
    public var timeouts: Timeouts? {
        get { (special ?? Self.plain).special.timeouts }
        set { rest.timeouts = newValue }
    }

    /// Which connections a call may use.
    public var session: Session {
        get { (special ?? Self.plain).special.session }
        set { rest.session = newValue }
    }

    /// What counts as success; nil for the API's rules.
    public var reply: ReplyRules? {
        get { (special ?? Self.plain).special.reply }
        set { rest.reply = newValue }
    }

    /// How its operations are run.
    public var operation: OperationRules {
        get { (special ?? Self.plain).special.operation }
        set { rest.operation = newValue }
    }
}
