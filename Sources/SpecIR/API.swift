import SpecTemplateRules

/// The resolved description of one API: every name is decided and every setting is inherited. It
/// holds no source spans.
public struct API: Sendable, Equatable {
    /// The Swift name of the API's description, for instance `VK`.
    public var name: String
    /// The documentation of the API.
    public var documentation: Documentation
    /// The servers of the API; the first is the default. Never empty.
    public var servers: [Server]
    /// Values sent with every request, in spec order.
    public var baseParameters: [Parameter]
    /// The conditions of a successful reply, and the key path of its value.
    public var reply: SuccessRules
    /// The error format of a failed reply, if the API has one.
    public var errors: ErrorRules?
    /// The named error codes of the API, its groups and its methods.
    public var errorCodes: ErrorCodes
    /// The authentication rules, if the API has a credential.
    public var auth: AuthRules?
    /// The further schemes.
    public var schemes: [AuthRules] = []
    /// Whether cookies of replies are sent with later requests.
    public var keepsCookies = false
    /// The time-outs of a call.
    public var timeouts: Timeouts
    /// The limits of a reply.
    public var limits: ReplyLimits
    /// The limits of all calls together, and the queues and sessions that they share.
    public var traffic: Traffic
    /// When a failed call is retried, if the spec sets it.
    public var retry: RetryPolicy?
    /// How replies are checked.
    public var validation: ValidationPolicy
    /// The meaning of the rules of templates; nil if the spec folder has no templates.
    public var templates: TemplateCompatibility?
    /// The URLs whose hosts are examined before the first call; empty for that of the server.
    public var reachability: [String] = []
    /// The code that is generated on request.
    public var extras: Set<ExtraCode>
    /// The groups, sorted by file path.
    public var groups: [Group]

    /// The schemes, the default first.
    public var allSchemes: [AuthRules] { (auth.map { [$0] } ?? []) + schemes }

    /// The parameters of a method, and those of every request that it does not declare itself.
    public func parameters(of method: Method) -> [Parameter] {
        method.parameters
            + baseParameters.filter { base in
                [.query, .header].contains(base.location)
                    && !method.parameters.contains {
                        $0.key == base.key && $0.location == base.location
                    }
            }
    }

    /// The methods that return tokens of schemes.
    public var tokenMethods: [Method] {
        let names = allSchemes.compactMap { scheme in
            if case .method(let name, _, _) = scheme.refresh { name } else { nil }
        }
        return groups.flatMap(\.methods).filter { names.contains($0.apiName) }
    }

    /// Creates a description from its parts.
    public init(
        name: String, documentation: Documentation, servers: [Server], baseParameters: [Parameter],
        reply: SuccessRules, errors: ErrorRules?, errorCodes: ErrorCodes, auth: AuthRules?,
        timeouts: Timeouts, limits: ReplyLimits, traffic: Traffic, retry: RetryPolicy?,
        validation: ValidationPolicy = ValidationPolicy(), extras: Set<ExtraCode>, groups: [Group]
    ) {
        self.name = name
        self.documentation = documentation
        self.servers = servers
        self.baseParameters = baseParameters
        self.reply = reply
        self.errors = errors
        self.errorCodes = errorCodes
        self.auth = auth
        self.timeouts = timeouts
        self.limits = limits
        self.traffic = traffic
        self.retry = retry
        self.validation = validation
        self.extras = extras
        self.groups = groups
    }
}

/// Code that a client has only if `generate` in `api.yaml` names it, because it has to be compiled,
/// too.
public enum ExtraCode: String, Sendable, CaseIterable {
    /// A fake for each group.
    case fakes
    /// Functions that build requests without sending them, and the methods by name.
    case requests
}

/// The documentation of a declaration.
public struct Documentation: Sendable, Equatable {
    /// The text of `doc`; may have several paragraphs.
    public var text: String?
    /// The absolute URL of further documentation.
    public var link: String?
    /// The deprecation notice, if it is deprecated.
    public var deprecation: Deprecation?
    /// Examples of the value, or of the reply of a method.
    public var examples: [Example] = []

    /// Creates documentation from its parts.
    public init(text: String? = nil, link: String? = nil, deprecation: Deprecation? = nil) {
        self.text = text
        self.link = link
        self.deprecation = deprecation
    }
}

/// The deprecation notice of a declaration.
public struct Deprecation: Sendable, Equatable {
    /// The version of the API since which it is deprecated.
    public var since: String?
    /// The replacement: a Swift name or free text.
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

/// A server of the API.
public struct Server: Sendable, Equatable {
    /// The name by which a method or an app selects it.
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
    /// The allowed values; empty means any.
    public var allowed: [String]

    /// Creates a variable from its parts.
    public init(name: String, defaultValue: String?, allowed: [String]) {
        self.name = name
        self.defaultValue = defaultValue
        self.allowed = allowed
    }
}

/// The named error codes of an API, its groups and its methods.
public struct ErrorCodes: Sendable, Equatable {
    /// Whether codes are integers; otherwise they are text.
    public var areIntegers: Bool
    /// The named codes, in spec order.
    public var cases: [ErrorCase]

    /// Creates codes from their parts.
    public init(areIntegers: Bool = false, cases: [ErrorCase] = []) {
        self.areIntegers = areIntegers
        self.cases = cases
    }
}

/// The error format of failed replies.
public struct ErrorRules: Sendable, Equatable {
    /// The path of the error object, or of several; empty: the body is the error object.
    public var at: [PathStep]
    /// The key path of the code inside the error object; empty: there is none.
    public var code: [String]
    /// The key path of the message inside the error object; empty: there is none.
    public var message: [String]
    /// The key paths that are tried in order where that one leads to no text.
    public var furtherMessages: [[String]]
    /// The key path of the time to wait, inside the error object; empty: there is none.
    public var retryAfter: [String]
    /// Whether that time is in milliseconds; otherwise in seconds.
    public var retryAfterIsInMilliseconds: Bool
    /// The Swift type that every error object maps to, if the spec names a model.
    public var model: String?
    /// The named codes that apply.
    public var cases: [ErrorCase]

    /// Creates rules from their parts.
    public init(
        at: [PathStep], code: [String], message: [String], furtherMessages: [[String]] = [],
        retryAfter: [String], retryAfterIsInMilliseconds: Bool, model: String?,
        cases: [ErrorCase]
    ) {
        self.at = at
        self.code = code
        self.message = message
        self.furtherMessages = furtherMessages
        self.retryAfter = retryAfter
        self.retryAfterIsInMilliseconds = retryAfterIsInMilliseconds
        self.model = model
        self.cases = cases
    }
}

/// A step of a path in a reply.
public enum PathStep: Sendable, Hashable {
    /// The member of an object.
    case key(String)
    /// The element of a list, counted from 0; from the end if negative.
    case index(Int)
    /// Each element of a list.
    case each
    /// The first element of a list that has the rest of the path.
    case first
}

extension [PathStep] {
    /// The path as a spec writes it.
    public var shown: String {
        reduce(into: "") { text, step in
            switch step {
            case .key(let key): text += (text.isEmpty ? "" : ".") + key
            case .index(let index): text += "[\(index)]"
            case .each: text += "[*]"
            case .first: text += "[?]"
            }
        }
    }
}

/// A named error code.
public struct ErrorCase: Sendable, Equatable {
    /// Its Swift name.
    public var name: String
    /// The code as the API sends it; digits when codes are integers. Of a case that is named by its
    /// status, the status.
    public var code: String
    /// The status that stands for the code, if the case is named by one.
    public var status: Int?
    /// The documentation of the code.
    public var documentation: Documentation
    /// Whether the same call may succeed when tried again.
    public var isRetryable: Bool
    /// The Swift type that the error object maps to, if the spec names a model.
    public var model: String?

    /// Creates a case from its parts.
    public init(
        name: String, code: String, status: Int? = nil, documentation: Documentation,
        isRetryable: Bool, model: String?
    ) {
        self.name = name
        self.code = code
        self.status = status
        self.documentation = documentation
        self.isRetryable = isRetryable
        self.model = model
    }
}

/// The schemes whose tokens a request carries.
public enum AuthUse: Sendable, Equatable {
    /// None.
    case none
    /// The first scheme of the API, if there is one.
    case required
    /// The first scheme, if there is a credential.
    case optional
    /// The first of these schemes that has a credential.
    case anyOf([String])
    /// All of these schemes.
    case allOf([String])
}

/// The placement, expiry and refresh of the token.
public struct AuthRules: Sendable, Equatable {
    /// The placement of the token.
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
        /// `Authorization: Basic` (RFC 7617).
        case basic
        /// A placeholder of this name in the path.
        case path(String)
    }

    /// How a reply shows that the token has expired.
    public enum Expiry: Sendable, Equatable {
        /// This status.
        case status(Int)
        /// This error code in the body.
        case code(String)
    }

    /// How the first token is obtained, if the spec sets it.
    public var grant: OAuthGrant?
    /// The name of the scheme; empty for the only one of an API.
    public var name = ""
    /// The name of the app's secret that is the token.
    public var secret: String?
    /// The placement of the token.
    public var placement: Placement
    /// The signs of an expired token.
    public var expiry: [Expiry]
    /// How an expired token is refreshed, if the spec sets it.
    public var refresh: Refresh?

    /// Creates rules from their parts.
    public init(placement: Placement, expiry: [Expiry], refresh: Refresh? = nil) {
        self.placement = placement
        self.expiry = expiry
        self.refresh = refresh
    }
}

/// The limits of a reply.
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
