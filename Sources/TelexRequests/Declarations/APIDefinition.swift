import TelexCredentials
import TelexJSON
import TelexScheduling
import TelexTemplates
import TelexTransport

/// The rules and settings of an API that hold for all of its methods.
public struct APIDefinition: Sendable {
    /// The display name of the API, used in errors and events.
    public var name: String
    /// Its servers; the first is the default.
    public var servers: [Server]
    /// When a reply counts as success, and where it contains the value.
    public var reply: ReplyRules
    /// Where a reply contains the details of an error.
    public var errors: ErrorRules
    /// Where a request carries the token. Of several schemes, the first one.
    public var auth: AuthRules
    /// The further schemes, each with a name.
    public var schemes: [AuthRules]
    /// The endpoints of the methods that return tokens of schemes, by their names.
    public var tokenMethods: [String: Endpoint]
    /// Whether cookies of replies are sent with later requests, as long as the manager lives.
    public var keepsCookies: Bool
    /// How long a call may take; by default, the idle time-out is 60 seconds.
    public var timeouts: Timeouts
    /// How large a reply may be.
    public var limits: ReplyLimits
    /// The limits on the requests to the API.
    public var traffic: TrafficLimits
    /// The named queues of its calls.
    public var queues: [QueueRules]
    /// The named sets of connections of its calls.
    public var sessions: [TransportSession]
    /// When a failed call is retried.
    public var retry: RetryPolicy
    /// How replies are checked; by default, every violation fails the call.
    public var validation: ReplyValidation
    /// The templates of replies; none by default.
    public var templates: APITemplates
    /// The addresses whose hosts `bootstrap` examines; empty for that of the manager's server.
    public var reachability: [String]

    /// Describes an API.
    public init(
        name: String, servers: [Server], reply: ReplyRules = ReplyRules(),
        errors: ErrorRules = ErrorRules(), auth: AuthRules = AuthRules(),
        schemes: [AuthRules] = [], tokenMethods: [String: Endpoint] = [:],
        keepsCookies: Bool = false,
        timeouts: Timeouts = Timeouts(), limits: ReplyLimits = ReplyLimits(),
        traffic: TrafficLimits = TrafficLimits(), queues: [QueueRules] = [],
        sessions: [TransportSession] = [], retry: RetryPolicy = .standard,
        validation: ReplyValidation = .throw, templates: APITemplates = APITemplates(),
        reachability: [String] = []
    ) {
        self.name = name
        self.servers = servers
        self.reply = reply
        self.errors = errors
        self.auth = auth
        self.schemes = schemes
        self.tokenMethods = tokenMethods
        self.keepsCookies = keepsCookies
        self.timeouts = timeouts
        self.limits = limits
        self.traffic = traffic
        self.queues = queues
        self.sessions = sessions
        self.retry = retry
        self.validation = validation
        self.templates = templates
        self.reachability = reachability
    }
}

/// Where a request carries the token, and which replies mean that the token has expired.
public struct AuthRules: Sendable, Hashable {
    /// The place of the token in a request.
    public enum Placement: Sendable, Hashable {
        /// A query parameter.
        case query(String)
        /// A header field. A non-empty `prefix` precedes the token, separated by one space.
        case header(String, prefix: String = "")
        /// `Authorization: Bearer …` (RFC 6750, section 2.1).
        case bearer
        /// A cookie.
        case cookie(String)
        /// A field of a form or multipart body.
        case form(String)
        /// A member of a JSON body, which must be an object.
        case json(String)
        /// A member of a JSON body if the method has one, otherwise a field of a form.
        case body(String)
        /// A parameter of the path: `{name}` in ``Endpoint/path``.
        case path(String)

        /// `Authorization: Basic …` (RFC 7617), with the token of
        /// ``Credential/init(user:password:)``.
        public static var basic: Placement { .header("Authorization", prefix: "Basic ") }
    }

    /// The sign by which a reply reveals an expired token.
    public enum Expiry: Sendable, Hashable {
        /// This status.
        case status(Int)
        /// This code of the API's error object.
        case code(String)
    }

    /// How a new token is obtained.
    public enum Refresh: Sendable, Hashable {
        /// By the app, for instance by asking its user to log in.
        case app
        /// By a request to a token server.
        case request(RefreshRequest)
        /// By a call of another method, without parameters.
        case method(TokenMethod)
        /// A reply with this status has the token in the header field, and the request is sent
        /// again with it.
        case handedOut(status: Int, header: String)
    }

    /// The name of the scheme; empty for the only one of an API.
    public var name: String
    /// The place of the token in a request; nil for an API without tokens.
    public var token: Placement?
    /// The signs of an expired token.
    public var expired: [Expiry]
    /// How a new token is obtained; nil if the description does not define it, so that the app
    /// decides.
    public var refresh: Refresh?
    /// The name of the app's secret that is the token; nil if the token is a credential.
    public var secret: String?

    /// No token by default.
    public init(
        name: String = "", token: Placement? = nil, expired: [Expiry] = [],
        refresh: Refresh? = nil, secret: String? = nil
    ) {
        self.name = name
        self.secret = secret
        self.token = token
        self.expired = expired
        self.refresh = refresh
    }
}

/// The method of an API that returns the token of a scheme, such as one against forged requests
/// (CSRF).
public struct TokenMethod: Sendable, Hashable {
    /// The API's name of the method.
    public var name: String
    /// The path of the token in the unwrapped reply.
    public var token: [String]
    /// The header field of the reply that has the token in place of its body; nil for none.
    public var header: String?

    /// Creates a description of a method.
    public init(_ name: String, token: [String] = [], header: String? = nil) {
        self.name = name
        self.token = token
        self.header = header
    }
}

/// How large a reply may be.
public struct ReplyLimits: Sendable, Hashable {
    /// Bytes of the body, after decompression; 16 MiB by default.
    public var bytes: Int
    /// How deeply objects and arrays may be nested; 128 by default.
    public var depth: Int

    /// 16 MiB and 128 levels by default.
    public init(bytes: Int = 16_777_216, depth: Int = 128) {
        self.bytes = bytes
        self.depth = depth
    }

    package var json: JSONLimits { JSONLimits(bytes: bytes, depth: depth) }
}
