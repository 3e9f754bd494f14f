/// The scheduling rules of a method's operations.
public struct OperationPolicy: Sendable, Equatable {
    /// How an operation handles the body of the reply.
    public enum Kind: Sendable, Equatable {
        /// Reads it into memory and maps it.
        case data
        /// The same, after sending a large body.
        case upload
        /// Writes it to a file.
        case download
        /// Hands out its elements, of the method's output, as they arrive.
        case stream(StreamFormat)
    }

    /// The kind of the operation.
    public var kind = Kind.data
    /// The queue it waits in; `nil` for the default queue.
    public var queue: String?
    /// Its priority in the queue.
    public var priority = Priority.normal
    /// The shortest time between two starts.
    public var throttle: Throttle?
    /// Whether equal calls in flight share one request.
    public var isCoalesced = false
    /// Whether the method only reads, whatever its verb.
    public var isSafe = false
    /// The retry policy, if the group or the method sets one; already merged with inherited
    /// settings.
    public var retry: RetryPolicy?
    /// The header that carries the idempotency key.
    public var idempotencyKey: String?
    /// The rate limit of the method.
    public var rate: RequestRate?
    /// The state of the reply that a call waits for; nil for any.
    public var until: Polling?
    /// The most bytes of a reply; nil for the API's limit.
    public var replyBytes: Int?
    /// What a call does on a constrained network.
    public var onConstrained = NetworkPolicy.use
    /// What a call does on an expensive network.
    public var onExpensive = NetworkPolicy.use
    /// How replies are kept and reused; nil if they are not.
    public var cache: CachePolicy?

    /// Creates the default rules.
    public init() {}
}

/// How the replies of a method are kept and reused (RFC 9111).
public struct CachePolicy: Sendable, Equatable {
    /// Where replies are kept.
    public enum Store: String, CaseIterable, Sendable {
        /// In memory.
        case memory
        /// In memory and on disk.
        case disk
    }

    /// The lifetime of a reply that names none, in milliseconds; nil for none.
    public var fresh: Int?
    /// How long after its lifetime a reply is used if the server fails, in milliseconds; nil if it
    /// is not, or if the reply says so itself.
    public var staleIfError: Int?
    /// Where replies are kept.
    public var store: Store

    /// Creates a policy; by default, the header fields of the reply alone decide.
    public init(fresh: Int? = nil, staleIfError: Int? = nil, store: Store = .memory) {
        self.fresh = fresh
        self.staleIfError = staleIfError
        self.store = store
    }
}

/// The framing of a stream's elements, and its end marker.
public struct StreamFormat: Sendable, Equatable {
    /// The framing of elements.
    public enum Framing: String, CaseIterable, Sendable {
        /// Server-sent events; the data of each is an element.
        case serverSentEvents = "sse"
        /// One element a line.
        case jsonLines = "json-lines"
    }

    /// The framing of elements.
    public var framing: Framing
    /// The event types that carry an element; nil for all.
    public var events: [String]?
    /// The text that marks the end of the stream in place of an element.
    public var end: String?

    /// Creates a format whose stream ends with the reply.
    public init(_ framing: Framing) {
        self.framing = framing
    }
}

/// The state of a reply that a call waits for.
public struct Polling: Sendable, Equatable {
    /// The conditions of the final reply.
    public var conditions: [ReplyCondition]
    /// The conditions under which the call fails; one of them suffices.
    public var failures: [ReplyCondition]
    /// The wait between two requests; nil for that of the runtime.
    public var backoff: Backoff?

    /// Creates rules.
    public init(
        conditions: [ReplyCondition], failures: [ReplyCondition] = [], backoff: Backoff? = nil
    ) {
        self.conditions = conditions
        self.failures = failures
        self.backoff = backoff
    }
}

/// What a call does on a constrained or an expensive network.
public enum NetworkPolicy: String, CaseIterable, Sendable {
    /// It is sent.
    case use
    /// It waits for another network.
    case wait
    /// It fails.
    case fail
}

/// The order of waiting calls.
public enum Priority: String, CaseIterable, Sendable {
    /// After all other waiting calls.
    case low
    /// The default.
    case normal
    /// Before all other waiting calls.
    case high
}

/// The shortest time between two starts of a method.
public struct Throttle: Sendable, Equatable {
    /// The handling of a start within the interval.
    public enum Policy: String, CaseIterable, Sendable {
        /// It fails at once.
        case refuse
        /// It waits behind those already waiting.
        case delay
        /// It replaces the one already waiting.
        case latest
    }

    /// What the time is measured from.
    public enum Origin: String, CaseIterable, Sendable {
        /// The start of a call.
        case start
        /// The end of a call, before which a start comes too soon.
        case end
    }

    /// The time, in milliseconds.
    public var interval: Int
    /// The API names of the parameters that distinguish calls; calls that agree in them share one
    /// interval.
    public var key: [String]
    /// The handling of a start within the interval.
    public var policy: Policy
    /// What the time is measured from.
    public var from: Origin

    /// Creates a throttle.
    public init(
        interval: Int, key: [String], policy: Policy = .refuse, from: Origin = .start
    ) {
        self.from = from
        self.interval = interval
        self.key = key
        self.policy = policy
    }
}

/// The session that a method uses.
public enum Session: Sendable, Equatable {
    /// The shared connections.
    case shared
    /// Connections of its own; nothing of the exchange is cached or kept.
    case ephemeral
    /// A named session of the API.
    case named(String)

    /// The session that a word of a spec names.
    public init(word: String) {
        self =
            switch word {
            case "default": .shared
            case "ephemeral": .ephemeral
            default: .named(word)
            }
    }

    /// The word for it in a spec.
    public var word: String {
        switch self {
        case .shared: "default"
        case .ephemeral: "ephemeral"
        case .named(let name): name
        }
    }
}

/// Time-outs, in milliseconds; `nil` means the runtime's default.
public struct Timeouts: Sendable, Equatable {
    /// The idle time-out of an exchange.
    public var silence: Int?
    /// The time-out of one attempt.
    public var attempt: Int?
    /// The time-out of a call, including waits and all attempts.
    public var total: Int?
    /// The longest accepted pause of a `Retry-After`.
    public var pause: Int?

    /// Creates time-outs.
    public init(
        silence: Int? = nil, attempt: Int? = nil, total: Int? = nil, pause: Int? = nil
    ) {
        self.silence = silence
        self.attempt = attempt
        self.total = total
        self.pause = pause
    }
}

/// When a failed call is retried; `nil` means the runtime's default.
public struct RetryPolicy: Sendable, Equatable {
    /// A kind of failure.
    public enum Condition: Sendable, Equatable {
        /// No complete reply came.
        case transport
        /// The reply has one of these statuses.
        case statuses(ClosedRange<Int>)
        /// The API's own error code.
        case code(String)
    }

    /// The highest number of attempts; 1 means no retry.
    public var attempts: Int?
    /// The failures after which it is retried.
    public var conditions: [Condition]?
    /// The back-off before a retry.
    public var backoff: Backoff?

    /// Creates a policy.
    public init(attempts: Int? = nil, conditions: [Condition]? = nil, backoff: Backoff? = nil) {
        self.attempts = attempts
        self.conditions = conditions
        self.backoff = backoff
    }

    /// A call is sent once.
    public static let never = RetryPolicy(attempts: 1, conditions: [])
}

/// The wait before the next attempt; `nil` means the runtime's default.
public struct Backoff: Sendable, Equatable {
    /// The first wait, in milliseconds.
    public var initial: Int?
    /// The factor of each further wait.
    public var factor: Double?
    /// The random variation of a wait, in percent.
    public var jitter: Int?
    /// The longest wait, in milliseconds.
    public var maximum: Int?

    /// Creates a backoff.
    public init(
        initial: Int? = nil, factor: Double? = nil, jitter: Int? = nil, maximum: Int? = nil
    ) {
        self.initial = initial
        self.factor = factor
        self.jitter = jitter
        self.maximum = maximum
    }
}
