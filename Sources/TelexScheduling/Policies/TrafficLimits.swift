/// A number of requests per interval, with or without a burst.
///
/// Without a burst, no interval of this length contains more requests, wherever it begins. With
/// one, the limit is a token bucket: up to ``burst`` requests are sent at once after a rest, and
/// the permission for each further one comes at the rate's even distance.
public struct RequestRate: Sendable, Hashable {
    /// The number of requests; at least 1.
    public var requests: Int {
        didSet { requests = requests.atLeast(1) }
    }
    /// The length of the interval; at least a microsecond.
    public var interval: Duration {
        didSet { interval = interval.atLeast(Self.shortest) }
    }

    /// How many requests may be sent at once after a rest, at least 1; nil for no burst.
    public var burst: Int? {
        didSet { burst = burst?.atLeast(1) }
    }

    private static let shortest = Duration.microseconds(1)

    /// Creates a rate of `requests` in each `interval`, without a burst by default.
    public init(_ requests: Int, per interval: Duration, burst: Int? = nil) {
        self.requests = requests.atLeast(1)
        self.interval = interval.atLeast(Self.shortest)
        self.burst = burst?.atLeast(1)
    }

    /// The even distance of requests.
    var spacing: Duration { min(interval, .longest) / requests }
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
