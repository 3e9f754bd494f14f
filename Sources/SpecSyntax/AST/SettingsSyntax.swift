import SpecDiagnostics
import SpecIR

/// The settings that a method inherits from its group and its API.
public struct SettingsSyntax: Sendable {
    /// `server`: the name of a server.
    public var server: Located<String>?
    /// `auth` of a group or a method; `auth: { expired: … }` implies `required`.
    public var auth: Located<AuthUseSyntax>?
    /// `auth.expired` of a group or a method.
    public var expired: ExpirySyntax?
    /// The scheduling settings.
    public var operation = OperationSyntax()
    /// `success`
    public var success: SuccessSyntax?
    /// `unwrap`: a path to one value; empty for `unwrap: none`.
    public var unwrap: Located<[PathStep]>?
    /// `accepts`: media types; empty for `none`.
    public var accepts: Located<[String]>?
    /// `errors`
    public var errors: ErrorsSyntax?
    /// `dates`: the encoding of dates.
    public var dates: Located<String>?
    /// `validate`
    public var validation: ValidationSyntax?
    /// `rpc`, in the API and groups: the protocol of the methods without a verb; nil for `none`.
    public var procedures: Located<ProcedureProtocol?>?

    /// Creates empty settings.
    public init() {}
}

/// `auth` of a group or a method: the schemes whose tokens are sent.
public enum AuthUseSyntax: Sendable {
    case none, required, optional
    /// The first of these schemes that has a credential.
    case anyOf([Located<String>])
    /// All of these schemes.
    case allOf([Located<String>])

    /// The schemes by name.
    public var names: [Located<String>] {
        switch self {
        case .none, .required, .optional: []
        case .anyOf(let names), .allOf(let names): names
        }
    }
}

/// `validate`: how replies are checked.
public struct ValidationSyntax: Sendable {
    /// `mode`, or the short form.
    public var mode: Located<ValidationPolicy.Mode>?
    /// `checks`
    public var checks: Located<[Located<ValidationPolicy.Check>]>?
    /// `sample`, in percent.
    public var sample: Located<Int>?
}

/// `success`: the conditions of a successful reply.
public struct SuccessSyntax: Sendable {
    /// The whole entry.
    public var span: Span
    /// `status`: ranges of statuses.
    public var statuses: Located<[ClosedRange<Int>]>?
    /// `absent`: a key path.
    public var absent: Located<[String]>?
    /// `present`: a key path.
    public var present: Located<[String]>?
    /// `where`: values at key paths; empty for `where: none`.
    public var conditions: Located<[SuccessConditionSyntax]>?

    /// Creates rules without conditions.
    public init(span: Span) {
        self.span = span
    }
}

/// One entry of `success.where`.
public struct SuccessConditionSyntax: Sendable {
    /// The key path.
    public var path: Located<[String]>
    /// The allowed values. A plain `true`, `false` or integer keeps its type; anything else is
    /// text.
    public var values: [Located<ReplyCondition.Constant>]

    /// Creates a condition.
    public init(path: Located<[String]>, values: [Located<ReplyCondition.Constant>]) {
        self.path = path
        self.values = values
    }
}

/// One entry of `servers`.
public struct ServerSyntax: Sendable {
    /// Its name.
    public var name: Located<String>
    /// Its URL.
    public var url: Located<String>
    /// The span of `insecure: true`: credentials may be sent over plain HTTP.
    public var insecure: Span?
    /// `variables`
    public var variables: [ServerVariableSyntax] = []
}

/// One variable of a server's URL.
public struct ServerVariableSyntax: Sendable {
    /// Its name.
    public var name: Located<String>
    /// `default`
    public var defaultValue: Located<String>?
    /// `in`: the only values allowed.
    public var allowed: Located<[Located<String>]>?
}

/// `auth`: the placement of the token in requests.
public struct AuthSyntax: Sendable {
    /// A place of the token.
    public enum Placement: String, CaseIterable, Sendable {
        case query, header, bearer, basic, cookie, body, path
    }

    /// The name of the scheme.
    public var scheme: Located<String>
    /// The whole entry.
    public var span: Span { scheme.span }
    /// `token.in`, or `token: bearer`.
    public var placement: Located<Placement>?
    /// `token.name`
    public var name: Located<String>?
    /// `token.prefix`
    public var prefix: Located<String>?
    /// `expired`
    public var expired: ExpirySyntax?
    /// `refresh`
    public var refresh: RefreshSyntax?
    /// `grant`: how the first token is obtained.
    public var grant: Located<OAuthGrant.Kind>?
    /// `authorize`: the address at which a log-in begins.
    public var authorize: Located<String>?
    /// `scopes`
    public var scopes: Located<[Located<String>]>?
    /// `secret`: the name of the app's secret that is the token.
    public var secret: Located<String>?
}

/// `expired`: the signs of an expired token; empty for `none`.
public struct ExpirySyntax: Sendable {
    /// The whole value.
    public var span: Span
    /// Statuses.
    public var statuses: [Located<Int>] = []
    /// Error codes, or names of error cases.
    public var codes: [Located<String>] = []
}

/// `errors`: the error format of failed replies.
public struct ErrorsSyntax: Sendable {
    /// The whole entry.
    public var span: Span
    /// `at`: a path that may go through lists.
    public var at: Located<[PathStep]>?
    /// `code`
    public var code: Located<[String]>?
    /// `message`: key paths that are tried in order.
    public var message: Located<[[String]]>?
    /// `model`: the model of every error object.
    public var model: Located<String>?
    /// `retry-after`
    public var retryAfter: RetryAfterSyntax?
    /// `cases`
    public var cases: [ErrorCaseSyntax] = []

    /// Creates a format without details.
    public init(span: Span) {
        self.span = span
    }
}

/// `errors.retry-after`: the key path of the wait in the body.
public struct RetryAfterSyntax: Sendable {
    /// `at`
    public var at: Located<[String]>
    /// Whether `unit` is `ms`.
    public var isInMilliseconds = false
}

/// One entry of `errors.cases`.
public struct ErrorCaseSyntax: Sendable {
    /// The name.
    public var name: Located<String>
    /// The code as written. The value of the short form, `name: value`, is the status where errors
    /// have no code.
    public var code: Located<String>?
    /// Whether the code is an integer (plain digits) and not quoted text.
    public var isInteger: Bool
    /// `status`
    public var status: Located<Int>?
    /// Whether it is written in the short form.
    public var isShort = false
    /// `retry`
    public var isRetryable: Bool
    /// `model`
    public var model: Located<String>?
    /// `doc`
    public var documentation = DocumentationSyntax()
}

/// `limits`: the limits of a reply and of traffic.
public struct LimitsSyntax: Sendable {
    /// `requests`
    public var rate: Located<RequestRate>?
    /// `concurrent`
    public var concurrent: Located<Int>?
    /// `per-host`
    public var perHost: Located<Int>?
    /// `response`, in bytes.
    public var bytes: Located<Int>?
    /// `depth`, in levels.
    public var depth: Located<Int>?
}
