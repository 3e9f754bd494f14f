import SpecDiagnostics

/// How the operations of an API, a group or a method are run.
public struct OperationSyntax: Sendable {
    /// `timeout`
    public var timeout: TimeoutSyntax?
    /// `retry`
    public var retry: RetrySyntax?
    /// `session`: `default`, `ephemeral`, or the name of one of `sessions`.
    public var session: Located<String>?
    /// `queue`: `none`, or the name of one of `queues`.
    public var queue: Located<String>?
    /// `priority`: `low`, `normal` or `high`.
    public var priority: Located<String>?
    /// `idempotency-key`
    public var idempotencyKey: IdempotencyKeySyntax?

    /// Creates settings that say nothing.
    public init() {}
}

/// `timeout`: times in milliseconds.
public struct TimeoutSyntax: Sendable {
    /// `silence`, or what stands alone.
    public var silence: Located<Int>?
    /// `attempt`; the value is nil for `none`, which takes back what an outer setting said.
    public var attempt: Located<Int?>?
    /// `total`; likewise.
    public var total: Located<Int?>?
    /// `pause`
    public var pause: Located<Int>?
}

/// `retry`: when a call is sent again.
public struct RetrySyntax: Sendable {
    /// A kind of failure.
    public enum Condition: Sendable, Hashable {
        /// `transport`
        case transport
        /// Statuses.
        case statuses(ClosedRange<Int>)
        /// The name of an error case.
        case errorCase(String)
    }

    /// The whole entry.
    public var span: Span
    /// The place of `none`, if that is what it says.
    public var never: Span?
    /// `attempts`
    public var attempts: Located<Int>?
    /// `on`
    public var conditions: Located<[Located<Condition>]>?
    /// `backoff`
    public var backoff: BackoffSyntax?
}

/// `retry.backoff`: how long to wait before the next attempt.
public struct BackoffSyntax: Sendable {
    /// The first wait, in milliseconds.
    public var initial: Located<Int>?
    /// What each further wait is multiplied by.
    public var factor: Located<Double>?
    /// By how many percent of itself a wait varies.
    public var jitter: Located<Int>?
    /// The longest wait, in milliseconds.
    public var maximum: Located<Int>?
}

/// `idempotency-key`: whether calls carry a key of their own.
public struct IdempotencyKeySyntax: Sendable {
    /// The header's name, `nil` for `false`.
    public var header: Located<String>?
    /// Where it is said.
    public var span: Span
}

/// So many requests in so much time: `3/s`.
public struct RateSyntax: Sendable {
    /// How many requests.
    public var requests: Int
    /// In how many milliseconds.
    public var milliseconds: Int
}

/// One entry of `queues`.
public struct QueueSyntax: Sendable {
    /// Its name.
    public var name: Located<String>
    /// How many calls may be at work; 1 at the place of `serial`.
    public var concurrent: Located<Int>
}

/// One entry of `sessions`.
public struct SessionSyntax: Sendable {
    /// Its name.
    public var name: Located<String>
    /// Whether nothing of it outlives a call.
    public var isEphemeral = false
    /// Whether its transfers go on without the app.
    public var isBackground = false
    /// How many connections it may have to one host.
    public var connections: Located<Int>?
}

/// `throttle`: the least time between two starts of a method.
public struct ThrottleSyntax: Sendable {
    /// The time, in milliseconds.
    public var interval: Located<Int>?
    /// `by`: names of parameters.
    public var keys: Located<[Located<String>]>?
    /// `policy`: `refuse`, `delay` or `latest`.
    public var policy: Located<String>?
}

/// `stream`: what the elements of a reply are, and where they end.
public struct StreamSyntax: Sendable {
    /// `form`: `sse` or `json-lines`.
    public var form: Located<String>?
    /// `events`: the kinds of events that have an element.
    public var events: Located<[Located<String>]>?
    /// `end`: what stands behind the last element.
    public var end: Located<String>?
    /// All of it.
    public var span: Span

    /// What stands for all of it in messages.
    public var label: Located<String> { form ?? Located("stream", at: span) }
}

/// What a method alone says of its operations.
public struct CallSyntax: Sendable {
    /// `kind`: `data`, `upload`, `download` or `stream`.
    public var kind: Located<String>?
    /// `stream`
    public var stream: StreamSyntax?
    /// `throttle`
    public var throttle: ThrottleSyntax?
    /// The place of `coalesce: true`.
    public var coalesce: Span?
    /// `limits.requests`
    public var rate: Located<RateSyntax>?

    /// Creates what says nothing.
    public init() {}
}

/// `auth.….refresh`: how a new token is had.
public enum RefreshSyntax: Sendable {
    /// `app`: the app sees to it.
    case app(Span)
    /// A request.
    case request(RefreshRequestSyntax)
}

/// `refresh: { post: … }`: the request that answers with a new token.
public struct RefreshRequestSyntax: Sendable {
    /// The whole entry.
    public var span: Span
    /// `post`: an absolute URL, or a path behind that of the server that is called.
    public var url: Located<String>?
    /// The key of the body, `form` or `json`, at its place.
    public var bodyKey: Located<String>?
    /// The members of the body, in order.
    public var members: [RefreshMemberSyntax] = []
    /// `token`: where the reply holds the token.
    public var token: Located<[String]>?
    /// `refresh-token`: where it holds the next refresh token.
    public var refreshToken: Located<[String]>?
    /// `expires-in`: where it holds the seconds that the token is good for.
    public var expiresIn: Located<[String]>?
}

/// One member of a refresh request's body.
public struct RefreshMemberSyntax: Sendable {
    /// Its name.
    public var name: Located<String>
    /// The text to send, or `$token.…`.
    public var value: Located<String>
    /// Whether nobody may see it; `nil` if nobody says.
    public var isSensitive: Bool?
}
