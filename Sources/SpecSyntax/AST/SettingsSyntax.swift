import SpecDiagnostics

/// What can be said for an API, a group or a method, the nearer one winning.
public struct SettingsSyntax: Sendable {
    /// `server`: the name of a server.
    public var server: Located<String>?
    /// `auth: none` or `auth: required`, in groups and methods; what has an `expired` is required.
    public var isAuthenticated: Located<Bool>?
    /// `auth.expired` of a group or a method.
    public var expired: ExpirySyntax?
    /// How operations are run.
    public var operation = OperationSyntax()
    /// `success`
    public var success: SuccessSyntax?
    /// `unwrap`: a key path; empty for `unwrap: none`.
    public var unwrap: Located<[String]>?
    /// `dates`: how dates are spelt.
    public var dates: Located<String>?

    /// Creates settings that say nothing.
    public init() {}
}

/// `success`: what makes a reply a success.
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
}

/// One entry of `success.where`.
public struct SuccessConditionSyntax: Sendable {
    /// The key path.
    public var path: Located<[String]>
    /// The values that a success may have there; a plain `true`, `false` or integer is one, and anything
    /// else is text.
    public var values: [Located<Literal>]

    /// A value as it is written.
    public enum Literal: Sendable, Equatable {
        /// `true` or `false`.
        case flag(Bool)
        /// Digits.
        case integer(Int)
        /// Anything else.
        case text(String)
    }
}

/// One entry of `servers`.
public struct ServerSyntax: Sendable {
    /// Its name.
    public var name: Located<String>
    /// Its URL.
    public var url: Located<String>
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

/// `auth`: how requests carry the credential.
public struct AuthSyntax: Sendable {
    /// The whole entry.
    public var span: Span
    /// `token.in`: `query`, `header`, `bearer`, `cookie` or `body`.
    public var placement: Located<String>?
    /// `token.name`
    public var name: Located<String>?
    /// `token.prefix`
    public var prefix: Located<String>?
    /// `expired`
    public var expired: ExpirySyntax?
    /// `refresh`
    public var refresh: RefreshSyntax?
}

/// `expired`: what a reply looks like when the token is no longer good; nothing for `none`.
public struct ExpirySyntax: Sendable {
    /// The whole value.
    public var span: Span
    /// Statuses.
    public var statuses: [Located<Int>] = []
    /// Error codes, or names of error cases.
    public var codes: [Located<String>] = []
}

/// `errors`: where a failed reply says what went wrong.
public struct ErrorsSyntax: Sendable {
    /// The whole entry.
    public var span: Span
    /// `at`
    public var at: Located<[String]>?
    /// `code`
    public var code: Located<[String]>?
    /// `message`
    public var message: Located<[String]>?
    /// `retry-after`
    public var retryAfter: RetryAfterSyntax?
    /// `cases`
    public var cases: [ErrorCaseSyntax] = []
}

/// `errors.retry-after`: where the body says how long to wait.
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
    /// The code as written.
    public var code: Located<String>?
    /// Whether the code is an integer (plain digits) and not quoted text.
    public var isInteger: Bool
    /// `retry`
    public var isRetryable: Bool
    /// `model`
    public var model: Located<String>?
    /// `doc`
    public var documentation = DocumentationSyntax()
}

/// `limits`: bounds of a reply, and of the traffic.
public struct LimitsSyntax: Sendable {
    /// `requests`
    public var rate: Located<RateSyntax>?
    /// `concurrent`
    public var concurrent: Located<Int>?
    /// `per-host`
    public var perHost: Located<Int>?
    /// `response`, in bytes.
    public var bytes: Located<Int>?
    /// `depth`, in levels.
    public var depth: Located<Int>?
}
