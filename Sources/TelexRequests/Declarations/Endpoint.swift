import HTTPTypes
import TelexScheduling

/// The HTTP method and path of an API method, and the rules of its calls that differ from the
/// API's.
public struct Endpoint: Sendable {
    /// The HTTP methods that a spec can name. The type is defined here so that generated code need
    /// not import another module (`MemberImportVisibility`).
    public enum Verb: Sendable, Hashable {
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
        /// Another method, a checked literal: a token (RFC 9110, section 9.1). Any other text is
        /// sent as `OPTIONS`, which changes nothing on a server.
        case other(String)

        package var method: HTTPRequest.Method {
            switch self {
            case .get: .get
            case .post: .post
            case .put: .put
            case .patch: .patch
            case .delete: .delete
            case .head: .head
            case .options: .options
            case .other(let name): HTTPRequest.Method(name) ?? .options
            }
        }
    }

    /// Which tokens a call carries.
    public enum Auth: Sendable, Hashable {
        /// The call carries the token of the first scheme if the API uses tokens. Without a
        /// credential it fails, unless a refresher obtains one.
        case required
        /// The call never carries a token.
        case none
        /// The call carries the token of the first scheme if there is a credential, and is sent
        /// without a token otherwise.
        case optional
        /// The call carries the token of the first of these schemes that has a credential. Without
        /// any, it waits for a log-in if one of them is the first scheme of the API.
        case anyOf([String])
        /// The call carries the tokens of all of these schemes.
        case allOf([String])
    }

    /// Which connections a call may use.
    public enum Session: Sendable, Hashable {
        /// The shared connections of the transport.
        case shared
        /// Connections that only ephemeral calls use; nothing is stored.
        case ephemeral
        /// A set of connections that the API's description names.
        case named(String)
    }

    /// The HTTP method.
    public var method: HTTPRequest.Method
    /// The path below the server's address, with `{name}` for path parameters, and `{+name}` for
    /// those that keep their slashes; it may end in a query. If the path is a single parameter, its
    /// value may be a whole address.
    public var path: String
    /// The special rules of a method; nil for a method without any. Behind a reference, because
    /// every waiting call holds an endpoint.
    @usableFromInline var special: RulesBox?

    @usableFromInline struct MethodRules: Sendable {
        @usableFromInline var server: String?
        @usableFromInline var auth = Auth.required
        @usableFromInline var expired: [AuthRules.Expiry]?
        @usableFromInline var timeouts: Timeouts?
        @usableFromInline var session = Session.shared
        @usableFromInline var reply: ReplyRules?
        @usableFromInline var errors: ErrorRules?
        @usableFromInline var login: LoginRules?
        @usableFromInline var operation = OperationRules()
        @usableFromInline var validation: ReplyValidation?
    }

    @usableFromInline final class RulesBox: Sendable {
        @usableFromInline let special: MethodRules

        init(_ special: MethodRules) {
            self.special = special
        }
    }

    /// The rules of a method without special rules.
    @usableFromInline static let plain = RulesBox(MethodRules())

    private var rules: MethodRules {
        get { (special ?? Self.plain).special }
        set { special = RulesBox(newValue) }
    }

    package init(plain method: HTTPRequest.Method, _ path: String) {
        self.method = method
        self.path = path
    }

    /// Creates a description of a method.
    public init(
        _ verb: Verb, _ path: String, server: String? = nil, auth: Auth = .required,
        expired: [AuthRules.Expiry]? = nil, timeouts: Timeouts? = nil, session: Session = .shared,
        reply: ReplyRules? = nil, errors: ErrorRules? = nil, login: LoginRules? = nil,
        operation: OperationRules = OperationRules(), validation: ReplyValidation? = nil
    ) {
        method = verb.method
        self.path = path
        special = RulesBox(
            MethodRules(
                server: server, auth: auth, expired: expired, timeouts: timeouts, session: session,
                reply: reply, errors: errors, login: login, operation: operation,
                validation: validation))
    }
}

// Inlined, because an attempt reads single parts of rules that are large to copy.
extension Endpoint {
    /// The name of the server; nil for the manager's choice.
    public var server: String? {
        @inlinable get { (special ?? Self.plain).special.server }
        set { rules.server = newValue }
    }

    /// Which tokens a call carries.
    public var auth: Auth {
        @inlinable get { (special ?? Self.plain).special.auth }
        set { rules.auth = newValue }
    }

    /// The signs of an expired token; nil for the API's. If neither defines any, no reply counts as
    /// a sign of an expired token.
    public var expired: [AuthRules.Expiry]? {
        @inlinable get { (special ?? Self.plain).special.expired }
        set { rules.expired = newValue }
    }

    /// How long a call may take; nil for the API's limits.
    public var timeouts: Timeouts? {
        @inlinable get { (special ?? Self.plain).special.timeouts }
        set { rules.timeouts = newValue }
    }

    /// Which connections a call may use.
    public var session: Session {
        @inlinable get { (special ?? Self.plain).special.session }
        set { rules.session = newValue }
    }

    /// When a reply counts as success; nil for the API's rules.
    public var reply: ReplyRules? {
        @inlinable get { (special ?? Self.plain).special.reply }
        set { rules.reply = newValue }
    }

    /// Where a reply contains the details of an error; nil for the API's rules.
    public var errors: ErrorRules? {
        @inlinable get { (special ?? Self.plain).special.errors }
        set { rules.errors = newValue }
    }

    /// How the reply becomes the credential; nil if it does not.
    public var login: LoginRules? {
        @inlinable get { (special ?? Self.plain).special.login }
        set { rules.login = newValue }
    }

    /// The rules for its operations.
    public var operation: OperationRules {
        @inlinable get { (special ?? Self.plain).special.operation }
        set { rules.operation = newValue }
    }

    /// How replies are checked; nil for the API's validation.
    public var validation: ReplyValidation? {
        @inlinable get { (special ?? Self.plain).special.validation }
        set { rules.validation = newValue }
    }
}
