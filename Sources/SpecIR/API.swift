/// The resolved description of one API: what a checked folder of specs means, with every name
/// decided and every setting inherited. It holds no places, and nothing in it is "not known yet".
public struct API: Sendable, Equatable {
    /// The Swift name of the API's description, for instance `VK`.
    public var name: String
    /// What the API is.
    public var documentation: Documentation
    /// Where the API lives; the first is the default. Never empty.
    public var servers: [Server]
    /// Values sent with every request, in spec order.
    public var baseParameters: [Parameter]
    /// What makes a reply a success and where its value lies.
    public var reply: SuccessRules
    /// Where a reply that failed says so, if the API has such a form.
    public var errors: ErrorRules?
    /// How a request carries the credential, if the API has one.
    public var auth: AuthRules?
    /// How long a call may take.
    public var timeouts: Timeouts
    /// Bounds of a reply.
    public var limits: ReplyLimits
    /// Bounds of all calls together, and what they share.
    public var traffic: Traffic
    /// When a call that failed is sent again, if the spec says so.
    public var retry: RetryPolicy?
    /// The groups, sorted by file path.
    public var groups: [Group]

    /// Creates a description from its parts.
    public init(
        name: String, documentation: Documentation, servers: [Server], baseParameters: [Parameter],
        reply: SuccessRules, errors: ErrorRules?, auth: AuthRules?,
        timeouts: Timeouts, limits: ReplyLimits, traffic: Traffic, retry: RetryPolicy?,
        groups: [Group]
    ) {
        self.name = name
        self.documentation = documentation
        self.servers = servers
        self.baseParameters = baseParameters
        self.reply = reply
        self.errors = errors
        self.auth = auth
        self.timeouts = timeouts
        self.limits = limits
        self.traffic = traffic
        self.retry = retry
        self.groups = groups
    }
}

/// What a person reads about a declaration.
public struct Documentation: Sendable, Equatable {
    /// Free text, as the spec says it; may have several paragraphs.
    public var text: String?
    /// Where to read more: an absolute URL.
    public var link: String?
    /// Why not to use it any more, if it is deprecated.
    public var deprecation: Deprecation?

    /// Creates documentation from its parts.
    public init(text: String? = nil, link: String? = nil, deprecation: Deprecation? = nil) {
        self.text = text
        self.link = link
        self.deprecation = deprecation
    }
}

/// What a deprecated declaration says to its users.
public struct Deprecation: Sendable, Equatable {
    /// The version of the API since which it is deprecated.
    public var since: String?
    /// What to use instead: a Swift name or free text.
    public var use: String?
    /// The reason.
    public var message: String?

    /// Creates a deprecation from its parts.
    public init(since: String? = nil, use: String? = nil, message: String? = nil) {
        self.since = since
        self.use = use
        self.message = message
    }
}

/// One place where the API lives.
public struct Server: Sendable, Equatable {
    /// The name by which a method or an app chooses it.
    public var name: String
    /// An absolute URL that may hold `{variables}`.
    public var url: String
    /// The variables of the URL, in the order they appear.
    public var variables: [ServerVariable]

    /// Creates a server from its parts.
    public init(name: String, url: String, variables: [ServerVariable]) {
        self.name = name
        self.url = url
        self.variables = variables
    }
}

/// A `{variable}` of a server's URL.
public struct ServerVariable: Sendable, Equatable {
    /// Its name, without braces.
    public var name: String
    /// The value used when the app gives none.
    public var defaultValue: String?
    /// The only values it may have; empty means any.
    public var allowed: [String]

    /// Creates a variable from its parts.
    public init(name: String, defaultValue: String?, allowed: [String]) {
        self.name = name
        self.defaultValue = defaultValue
        self.allowed = allowed
    }
}

/// Where a failed reply says what went wrong, and the codes that have a name.
public struct ErrorRules: Sendable, Equatable {
    /// The key path of the error object; empty: the body is the error object.
    public var at: [String]
    /// The key path of the code inside the error object.
    public var code: [String]
    /// The key path of the message inside the error object; empty: there is none.
    public var message: [String]
    /// The key path of the time to wait, inside the error object; empty: there is none.
    public var retryAfter: [String]
    /// Whether that time is in milliseconds; otherwise in seconds.
    public var retryAfterIsInMilliseconds: Bool
    /// Whether codes are integers; otherwise they are text.
    public var codesAreIntegers: Bool
    /// The named codes, in spec order.
    public var cases: [ErrorCase]

    /// Creates rules from their parts.
    public init(
        at: [String], code: [String], message: [String], retryAfter: [String],
        retryAfterIsInMilliseconds: Bool, codesAreIntegers: Bool, cases: [ErrorCase]
    ) {
        self.at = at
        self.code = code
        self.message = message
        self.retryAfter = retryAfter
        self.retryAfterIsInMilliseconds = retryAfterIsInMilliseconds
        self.codesAreIntegers = codesAreIntegers
        self.cases = cases
    }
}

/// A named error code.
public struct ErrorCase: Sendable, Equatable {
    /// Its Swift name.
    public var name: String
    /// The code as the API sends it; digits when codes are integers.
    public var code: String
    /// What it means.
    public var documentation: Documentation
    /// Whether the same call may succeed when tried again.
    public var isRetryable: Bool
    /// The Swift type that the error object maps to, if the spec names a model.
    public var model: String?

    /// Creates a case from its parts.
    public init(
        name: String, code: String, documentation: Documentation, isRetryable: Bool, model: String?
    ) {
        self.name = name
        self.code = code
        self.documentation = documentation
        self.isRetryable = isRetryable
        self.model = model
    }
}

/// How a request carries the credential.
public struct AuthRules: Sendable, Equatable {
    /// Where the token goes.
    public enum Placement: Sendable, Equatable {
        /// A query item of this name.
        case query(String)
        /// A header of this name; the value is `prefix` followed by the token.
        case header(String, prefix: String)
        /// `Authorization: Bearer` (RFC 6750 §2.1).
        case bearer
        /// A cookie of this name.
        case cookie(String)
        /// A field of this name in the body (a form field or a key of the JSON object).
        case body(String)
    }

    /// What a reply looks like when the token is no longer good.
    public enum Expiry: Sendable, Equatable {
        /// This status.
        case status(Int)
        /// This error code in the body.
        case code(String)
    }

    /// Where the token goes.
    public var placement: Placement
    /// The signs of an expired token.
    public var expiry: [Expiry]
    /// How a new token is had, if the spec says so.
    public var refresh: Refresh?

    /// Creates rules from their parts.
    public init(placement: Placement, expiry: [Expiry], refresh: Refresh? = nil) {
        self.placement = placement
        self.expiry = expiry
        self.refresh = refresh
    }
}

/// Bounds of a reply.
public struct ReplyLimits: Sendable, Equatable {
    /// The most bytes a body may have.
    public var bytes: Int
    /// The deepest nesting a body may have.
    public var depth: Int

    /// Creates bounds; by default 16 MiB and 128 levels.
    public init(bytes: Int = 16 << 20, depth: Int = 128) {
        self.bytes = bytes
        self.depth = depth
    }
}
