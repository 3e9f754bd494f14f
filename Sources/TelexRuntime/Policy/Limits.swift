import TelexJSON

/// So many requests in so much time.
public struct RequestRate: Sendable, Hashable {
    /// How many requests; at least 1.
    public var requests: Int {
        didSet { requests = requests.atLeast(1) }
    }
    /// In how much time; at least a microsecond.
    public var interval: Duration {
        didSet { interval = interval.atLeast(Self.shortest) }
    }

    private static let shortest = Duration.microseconds(1)

    /// A rate of `requests` in each `interval`.
    public init(_ requests: Int, per interval: Duration) {
        self.requests = requests.atLeast(1)
        self.interval = interval.atLeast(Self.shortest)
    }
}

/// How many requests an API may get, and how many at a time.
public struct TrafficLimits: Sendable, Hashable {
    /// How many requests to the API's servers in how much time; nil for no limit. Calls to whole
    /// addresses on other hosts are not counted.
    public var rate: RequestRate?
    /// How many calls may be at work at the same time, at least 1; nil for no limit.
    public var concurrent: Int? {
        didSet { concurrent = concurrent?.atLeast(1) }
    }
    /// How many of them may be at work with the same host, at least 1; nil for no limit.
    public var perHost: Int? {
        didSet { perHost = perHost?.atLeast(1) }
    }

    /// No limit by default.
    public init(rate: RequestRate? = nil, concurrent: Int? = nil, perHost: Int? = nil) {
        self.rate = rate
        self.concurrent = concurrent?.atLeast(1)
        self.perHost = perHost?.atLeast(1)
    }
}

/// A named queue: calls that wait for one another.
public struct QueueRules: Sendable, Hashable {
    /// The name that methods use.
    public var name: String
    /// How many of its calls may be at work at the same time, at least 1: one after the other.
    public var concurrent: Int {
        didSet { concurrent = concurrent.atLeast(1) }
    }

    /// A queue for `concurrent` calls at a time, at least 1.
    public init(_ name: String, concurrent: Int) {
        self.name = name
        self.concurrent = concurrent.atLeast(1)
    }
}

/// Which of the calls that wait goes first.
public enum CallPriority: Int, Sendable, Hashable, Comparable, CaseIterable {
    /// When nothing else waits.
    case low
    /// As most calls.
    case normal
    /// Before the others.
    case high

    /// Lower goes later.
    public static func < (left: CallPriority, right: CallPriority) -> Bool {
        left.rawValue < right.rawValue
    }
}

/// The least time between two starts of the same method: against double taps and storms of scrolls.
public struct Throttle: Sendable, Hashable {
    /// What becomes of a start that comes too soon.
    public enum Policy: Sendable, Hashable {
        /// It fails at once, with ``APIError/Reason/throttled(until:)``: against double taps.
        case refuse
        /// It waits until the interval since the last start is over, behind those that wait already, so
        /// that starts are an interval apart: against bursts. One that is suspended meanwhile lets them
        /// pass, and waits behind them when it goes on.
        case delay
        /// It waits until the interval since the last start is over, unless another is started
        /// meanwhile: that one waits in its place, and it fails with ``APIError/Reason/replaced``, also
        /// while it is suspended, and also if the other joins an equal call that has been sent. So one
        /// waits at most, and the last one is sent: for a search as the user types.
        case latest
    }

    /// The least time between two starts, not below zero.
    public var interval: Duration {
        didSet { interval = interval.atLeast(.zero) }
    }
    /// The names of parameters; only calls that agree in all of them count as the same. Empty: all
    /// calls of the method do.
    public var key: [String]
    /// What becomes of a start that comes too soon: by default it is refused.
    public var policy: Policy

    /// One start of a method in each `interval`; those that come sooner are refused by default.
    public init(_ interval: Duration, by key: [String] = [], policy: Policy = .refuse) {
        self.interval = interval.atLeast(.zero)
        self.key = key
        self.policy = policy
    }
}

/// How long a call may take. Of a call for which other times than above zero are said, by
/// ``CallOptions/timeouts`` or elsewhere, nothing is sent: it is an `invalidRequest`.
public struct Timeouts: Sendable, Hashable {
    /// The longest silence of an exchange: no byte sent or received.
    public var silence: Duration
    /// The longest time of one attempt, from the moment its turn has come, a connection and the token
    /// included, to the last byte of its reply; nil for no limit. What is found out about the network
    /// after an attempt has failed (``APIError/diagnosis``) is no part of that.
    ///
    /// An attempt does not end by it while its call is suspended. One that is over it then is made
    /// anew when the call goes on; a call that cannot be repeated, or is to be sent once, keeps the
    /// attempt, which has the whole time once more from that moment on.
    public var attempt: Duration?
    /// The longest time from the start of a call to its end, waiting and all attempts included; nil
    /// for no limit. The time in which it is suspended counts. Nothing is sent or received later; but
    /// if a request is on its way then, the error may come a tenth of this time later, and no more than
    /// ``DiagnosisRules/limit``, with what was found out about the network (``APIError/diagnosis``). A
    /// call that has failed by then, and is looked into, ends at once with the error that it has.
    public var total: Duration?
    /// The longest pause that a server may ask for (`Retry-After`, `RateLimit-*`, a time in the body):
    /// that long a call waits for it. If it asks for a longer one, the call fails at once, with the
    /// server's answer or with ``APIError/Reason/hostPaused(until:)``. What replies of other statuses
    /// than 429 and 503 say of the rate fails no call, and holds none up for longer than the API's own
    /// bound. Not below zero.
    public var pause: Duration {
        didSet { pause = pause.atLeast(.zero) }
    }

    /// 60 seconds of silence, pauses of 5 minutes, and no other limit, by default.
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

extension Timeouts {
    /// What is wrong with them: in no time nothing can be done.
    var problems: [Violation] {
        // Asked for every call.
        guard min(silence, attempt ?? silence, total ?? silence) <= .zero else { return [] }
        let times = [("silence", silence), ("attempt", attempt), ("total", total)]
        return times.compactMap { name, time in
            guard let time, time <= .zero else { return nil }
            return Violation(
                path: "timeouts.\(name)", rule: "timeouts", expected: "a time above zero",
                found: "\(time)")
        }
    }
}
