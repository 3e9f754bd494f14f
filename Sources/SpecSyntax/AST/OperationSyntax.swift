import SpecDiagnostics
import SpecIR

/// The scheduling settings of an API, a group or a method.
public struct OperationSyntax: Sendable {
    /// `timeout`
    public var timeout: TimeoutSyntax?
    /// `retry`
    public var retry: RetrySyntax?
    /// `session`: `default`, `ephemeral`, or the name of one of `sessions`.
    public var session: Located<Session>?
    /// `queue`: the name of one of `queues`; nil for `none`.
    public var queue: Located<String?>?
    /// `priority`: `low`, `normal` or `high`.
    public var priority: Located<Priority>?
    /// `idempotency-key`
    public var idempotencyKey: IdempotencyKeySyntax?
    /// `on-constrained`: what calls do on a constrained network.
    public var onConstrained: Located<NetworkPolicy>?
    /// `on-expensive`: what calls do on an expensive network.
    public var onExpensive: Located<NetworkPolicy>?
    /// `cache`
    public var cache: CacheSyntax?

    /// Creates empty settings.
    public init() {}
}

/// `cache`: times in milliseconds.
public struct CacheSyntax: Sendable {
    /// The short form.
    public enum Word: String, CaseIterable, Sendable {
        /// The header fields of a reply decide.
        case http
        /// No reply is kept.
        case none
    }

    /// The whole entry.
    public var span: Span
    /// The short form; nil for a mapping.
    public var word: Word?
    /// `fresh`
    public var fresh: Located<Int>?
    /// `stale-if-error`
    public var staleIfError: Located<Int>?
    /// `store`
    public var store: Located<CachePolicy.Store>?
}

/// `timeout`: times in milliseconds.
public struct TimeoutSyntax: Sendable {
    /// `silence`, or a single duration.
    public var silence: Located<Int>?
    /// `attempt`; the value is nil for `none`, which resets an inherited limit.
    public var attempt: Located<Int?>?
    /// `total`; likewise.
    public var total: Located<Int?>?
    /// `pause`
    public var pause: Located<Int>?
}

/// `retry`
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
    /// The span of `none`, if that is the value.
    public var never: Span?
    /// `attempts`
    public var attempts: Located<Int>?
    /// `on`
    public var conditions: Located<[Located<Condition>]>?
    /// `backoff`
    public var backoff: BackoffSyntax?
}

/// `retry.backoff`: the wait before the next attempt.
public struct BackoffSyntax: Sendable {
    /// The first wait, in milliseconds.
    public var initial: Located<Int>?
    /// The factor of each further wait.
    public var factor: Located<Double>?
    /// The random variation of a wait, in percent.
    public var jitter: Located<Int>?
    /// The longest wait, in milliseconds.
    public var maximum: Located<Int>?
}

/// `idempotency-key`: whether each call sends a key.
public struct IdempotencyKeySyntax: Sendable {
    /// The header's name, `nil` for `false`.
    public var header: Located<String>?
    /// The span of the value.
    public var span: Span
}

/// One entry of `queues`.
public struct QueueSyntax: Sendable {
    /// Its name.
    public var name: Located<String>
    /// The highest number of calls in flight; 1, at the span of `serial`, for a serial queue.
    public var concurrent: Located<Int>
}

/// One entry of `sessions`.
public struct SessionSyntax: Sendable {
    /// Its name.
    public var name: Located<String>
    /// Whether no connection, cookie or cache entry outlives a call.
    public var isEphemeral = false
    /// Whether its transfers continue while the app is suspended.
    public var isBackground = false
    /// The highest number of connections to one host.
    public var connections: Located<Int>?
}

/// `throttle`: the shortest time between two starts of a method.
public struct ThrottleSyntax: Sendable {
    /// The time, in milliseconds.
    public var interval: Located<Int>?
    /// `by`: names of parameters.
    public var keys: Located<[Located<String>]>?
    /// `policy`: `refuse`, `delay` or `latest`.
    public var policy: Located<Throttle.Policy>?
    /// `from`: `start` or `end`.
    public var from: Located<Throttle.Origin>?
}

/// `stream`: the framing of a reply's elements, and its end marker.
public struct StreamSyntax: Sendable {
    /// `form`: `sse` or `json-lines`.
    public var form: Located<StreamFormat.Framing>?
    /// `events`: the event types that carry an element.
    public var events: Located<[Located<String>]>?
    /// `end`: the text after the last element.
    public var end: Located<String>?
    /// The whole entry.
    public var span: Span

    /// The form in messages and notes.
    public var label: Located<String> { form?.word ?? Located("stream", at: span) }
}

/// `until`: the state of a reply that a method waits for.
public struct PollingSyntax: Sendable {
    /// `where`: the conditions of the final reply.
    public var conditions: Located<[SuccessConditionSyntax]>?
    /// `fails`: the conditions under which the call fails.
    public var failures: Located<[SuccessConditionSyntax]>?
    /// `interval`: the wait between two requests.
    public var interval: BackoffSyntax?
    /// The whole entry.
    public var span: Span
}

/// The scheduling settings of a method alone.
public struct CallSyntax: Sendable {
    /// A kind of operation.
    public enum Kind: String, CaseIterable, Sendable {
        case data, upload, download, stream
    }

    /// `kind`
    public var kind: Located<Kind>?
    /// `stream`
    public var stream: StreamSyntax?
    /// `throttle`
    public var throttle: ThrottleSyntax?
    /// The span of `coalesce: true`.
    public var coalesce: Span?
    /// The span of `safe: true`.
    public var safe: Span?
    /// `limits.requests`
    public var rate: Located<RequestRate>?
    /// `until`
    public var until: PollingSyntax?
    /// `limits.response`, in bytes.
    public var bytes: Located<Int>?

    /// Creates empty settings.
    public init() {}
}

/// `auth.….refresh`: how an expired token is refreshed.
public enum RefreshSyntax: Sendable {
    /// `app`: the app refreshes the token itself.
    case app(Span)
    /// A request.
    case request(RefreshRequestSyntax)
    /// A method of the spec.
    case method(TokenMethodSyntax)
    /// A reply that refuses a request.
    case handedOut(HandedOutSyntax)
}

/// `refresh: { method, token | header }`: the method whose reply has the token.
public struct TokenMethodSyntax: Sendable {
    /// `method`: the name of a method.
    public var method: Located<String>
    /// `token`: the key path of the token.
    public var token: Located<[String]>?
    /// `header`: the header field of the reply that has the token.
    public var header: Located<String>?
}

/// `refresh: { on, take }`: the refusal that hands out the token.
public struct HandedOutSyntax: Sendable {
    /// The whole entry.
    public var span: Span
    /// `on`: the status of the refusal.
    public var status: Located<Int>?
    /// `take.header`: the header field of the refusal that has the token.
    public var header: Located<String>?
}

/// `refresh: { post: … }`: the request for a new token.
public struct RefreshRequestSyntax: Sendable {
    /// The whole entry.
    public var span: Span
    /// `post`: an absolute URL, or a path relative to the called server.
    public var url: Located<String>?
    /// The key of the body, `form` or `json`.
    public var bodyKey: Located<BodyKey>?
    /// The members of the body, in order.
    public var members: [RefreshMemberSyntax] = []
    /// `token`: the key path of the token.
    public var token: Located<[String]>?
    /// `refresh-token`: the key path of the next refresh token.
    public var refreshToken: Located<[String]>?
    /// `expires-in`: the key path of the token's lifetime in seconds.
    public var expiresIn: Located<[String]>?
}

/// One member of a refresh request's body.
public struct RefreshMemberSyntax: Sendable {
    /// Its name.
    public var name: Located<String>
    /// The text to send, or `$token.…`.
    public var value: Located<String>
    /// Whether it is redacted; `nil` if it is not set.
    public var isSensitive: Bool?
}
