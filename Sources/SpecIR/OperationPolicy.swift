/// How the operations of a method are run.
public struct OperationPolicy: Sendable, Equatable {
    /// What an operation does with the body of the reply.
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

    /// What an operation does.
    public var kind = Kind.data
    /// The queue it waits in, if not the one that all others share.
    public var queue: String?
    /// Its place among those that wait.
    public var priority = Priority.normal
    /// The least time between two starts.
    public var throttle: Throttle?
    /// Whether equal calls that are on their way share one request.
    public var isCoalesced = false
    /// When it is sent again, if the group or the method says so; whole, nothing is inherited.
    public var retry: RetryPolicy?
    /// The header that carries a key of the call.
    public var idempotencyKey: String?
    /// How often the method may be called.
    public var rate: RequestRate?

    /// Rules that ask for nothing special.
    public init() {}
}

/// How the elements of a stream follow one another, and where it ends.
public struct StreamFormat: Sendable, Equatable {
    /// What stands between elements.
    public enum Framing: Sendable, Equatable {
        /// Server-sent events; the data of each is an element.
        case serverSentEvents
        /// One element a line.
        case jsonLines
    }

    /// What stands between elements.
    public var framing: Framing
    /// The kinds of events that have an element; nil for all.
    public var events: [String]?
    /// What stands in the place of an element behind the last one.
    public var end: String?

    /// A stream of elements up to the end of the reply.
    public init(_ framing: Framing) {
        self.framing = framing
    }
}

/// Which of the calls that wait goes first.
public enum Priority: String, Sendable, Equatable {
    /// When nothing else waits.
    case low
    /// As most calls.
    case normal
    /// Before the others.
    case high
}

/// The least time between two starts of a method.
public struct Throttle: Sendable, Equatable {
    /// What becomes of a start that comes too soon.
    public enum Policy: String, Sendable {
        /// It fails at once.
        case refuse
        /// It waits, behind those that wait already.
        case delay
        /// It waits in the place of the one that waits already.
        case latest
    }

    /// The time, in milliseconds.
    public var interval: Int
    /// The API's names of the parameters in which calls agree that count as the same.
    public var key: [String]
    /// What becomes of a start that comes too soon.
    public var policy: Policy

    /// Creates a throttle.
    public init(interval: Int, key: [String], policy: Policy = .refuse) {
        self.interval = interval
        self.key = key
        self.policy = policy
    }
}

/// Which connections a method uses.
public enum Session: Sendable, Equatable {
    /// Those that all calls share.
    case shared
    /// None that other calls use; nothing of the exchange is cached or kept.
    case ephemeral
    /// A set of connections that the API has a name for.
    case named(String)
}

/// How long a call may take, in milliseconds; what is `nil` is the runtime's.
public struct Timeouts: Sendable, Equatable {
    /// The longest silence of an exchange.
    public var silence: Int?
    /// The longest time of one attempt.
    public var attempt: Int?
    /// The longest time of a call, waiting and all attempts included.
    public var total: Int?
    /// The longest pause that a server may ask for.
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

/// When a call that failed is sent again; what is `nil` is the runtime's.
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

    /// How often a call is sent at most; 1 is never again.
    public var attempts: Int?
    /// The failures after which it is sent again.
    public var conditions: [Condition]?
    /// How long it waits before.
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

/// How long to wait before the next attempt; what is `nil` is the runtime's.
public struct Backoff: Sendable, Equatable {
    /// The first wait, in milliseconds.
    public var initial: Int?
    /// What each further wait is multiplied by.
    public var factor: Double?
    /// By how many percent of itself a wait varies.
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
