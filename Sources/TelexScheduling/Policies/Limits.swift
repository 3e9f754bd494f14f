/// A number of requests per interval.
public struct RequestRate: Sendable, Hashable {
    /// The number of requests; at least 1.
    public var requests: Int {
        didSet { requests = requests.atLeast(1) }
    }
    /// The length of the interval; at least a microsecond.
    public var interval: Duration {
        didSet { interval = interval.atLeast(Self.shortest) }
    }

    private static let shortest = Duration.microseconds(1)

    /// Creates a rate of `requests` in each `interval`.
    public init(_ requests: Int, per interval: Duration) {
        self.requests = requests.atLeast(1)
        self.interval = interval.atLeast(Self.shortest)
    }
}

/// The limits of the requests to an API: per interval, and at the same time.
public struct TrafficLimits: Sendable, Hashable {
    /// The rate of requests to the API's servers; nil for no limit. Calls to full URLs on other
    /// hosts are not counted.
    public var rate: RequestRate?
    /// The maximum number of calls in progress, at least 1; nil for no limit.
    public var concurrent: Int? {
        didSet { concurrent = concurrent?.atLeast(1) }
    }
    /// The maximum number of calls in progress with one host, at least 1; nil for no limit.
    public var perHost: Int? {
        didSet { perHost = perHost?.atLeast(1) }
    }

    /// Creates limits; by default there are none.
    public init(rate: RequestRate? = nil, concurrent: Int? = nil, perHost: Int? = nil) {
        self.rate = rate
        self.concurrent = concurrent?.atLeast(1)
        self.perHost = perHost?.atLeast(1)
    }
}

/// A named queue, which limits how many of its calls run at the same time.
public struct QueueRules: Sendable, Hashable {
    /// The name that methods use.
    public var name: String
    /// How many of its calls may be in progress at the same time, at least 1. With 1, the queue is
    /// serial.
    public var concurrent: Int {
        didSet { concurrent = concurrent.atLeast(1) }
    }

    /// Creates a queue for `concurrent` calls at a time, at least 1.
    public init(_ name: String, concurrent: Int) {
        self.name = name
        self.concurrent = concurrent.atLeast(1)
    }
}

/// The priority of a waiting call.
public enum CallPriority: Int, Sendable, Hashable, Comparable, CaseIterable {
    /// Runs when no other call waits.
    case low
    /// The default.
    case normal
    /// Runs before other calls.
    case high

    /// Compares priorities: `low` < `normal` < `high`.
    public static func < (left: CallPriority, right: CallPriority) -> Bool {
        left.rawValue < right.rawValue
    }
}

/// The minimum time between two starts of the same method, against double taps and bursts of scroll
/// events.
public struct Throttle: Sendable, Hashable {
    /// What happens to a start that comes too soon.
    public enum Policy: Sendable, Hashable {
        /// It fails at once, with ``APIError/Reason/throttled(until:)``. Suits double taps.
        case refuse
        /// It waits until the interval since the last start is over, behind calls that already
        /// wait, so that starts are an interval apart. Suits bursts. A call that is suspended while
        /// it waits lets later ones pass, and goes to the end of the line when it is resumed.
        case delay
        /// It waits until the interval since the last start is over. If another call starts before
        /// that, the newer one waits instead and this one fails with ``APIError/Reason/replaced``,
        /// even while it is suspended, and even if the newer one joins an equal call that has been
        /// sent. So at most one call waits, and the last one is sent. Suits search as the user
        /// types.
        case latest
    }

    /// The minimum time between two starts, not below zero.
    public var interval: Duration {
        didSet { interval = interval.atLeast(.zero) }
    }
    /// The names of parameters; only calls with equal values for all of them throttle each other.
    /// Empty: all calls of the method do.
    public var key: [String]
    /// What happens to a start that comes too soon; by default it is refused.
    public var policy: Policy

    /// Creates a throttle that permits one start of a method in each `interval`; earlier starts are
    /// refused by default.
    public init(_ interval: Duration, by key: [String] = [], policy: Policy = .refuse) {
        self.interval = interval.atLeast(.zero)
        self.key = key
        self.policy = policy
    }
}

/// The time-outs of a call. A time that is not above zero, in ``CallOptions/timeouts`` or
/// elsewhere, makes the call fail as an `invalidRequest` before anything is sent.
public struct Timeouts: Sendable, Hashable {
    /// The idle time-out: how long an exchange may last without a byte sent or received.
    public var silence: Duration
    /// The time limit of one attempt, from its turn to the last byte of its reply, including the
    /// connection and the token; nil for no limit. The diagnosis after a failed attempt
    /// (``APIError/diagnosis``) is not included.
    ///
    /// An attempt does not time out while its call is suspended. If the limit is exceeded by then,
    /// the attempt is repeated when the call resumes. A call that cannot be repeated, or that may
    /// be sent only once, keeps its attempt, whose limit then starts again.
    public var attempt: Duration?
    /// The time limit of a call from its start to its end, including waiting, suspension and all
    /// attempts; nil for no limit. Nothing is sent or received after it. If a request is in flight
    /// then, the error may come later by a tenth of this time, at most ``DiagnosisRules/limit``, so
    /// that it includes a diagnosis of the network (``APIError/diagnosis``). A call that has
    /// already failed and is being diagnosed ends at once with its error.
    public var total: Duration?
    /// The longest pause of a server (`Retry-After`, `RateLimit-*`, a time in the body) that a call
    /// waits for. If the server asks for a longer one, the call fails at once, with the server's
    /// reply or with ``APIError/Reason/hostPaused(until:)``. Rate information in replies with other
    /// statuses than 429 and 503 fails no call, and delays none for longer than the API's own
    /// limit. Not below zero.
    public var pause: Duration {
        didSet { pause = pause.atLeast(.zero) }
    }

    /// Creates time-outs; by default an idle time-out of 60 seconds, pauses of up to 5 minutes, and
    /// no other limit.
    public init(
        silence: Duration = .seconds(60), attempt: Duration? = nil, total: Duration? = nil,
        pause: Duration = .seconds(300)
    ) {
        self.silence = silence
        self.attempt = attempt
        self.total = total
        self.pause = pause.atLeast(.zero)
    }
}
