/// The limits of all calls of an API together.
public struct Traffic: Sendable, Equatable {
    /// The rate limit of requests.
    public var rate: RequestRate?
    /// The highest number of calls in flight.
    public var concurrent: Int?
    /// The highest number of calls in flight to one host.
    public var perHost: Int?
    /// The queues that methods name, in spec order.
    public var queues: [QueueRules] = []
    /// The sets of connections that methods name, in spec order.
    public var sessions: [SessionRules] = []

    /// Traffic without limits.
    public init() {}
}

/// A rate limit.
public struct RequestRate: Sendable, Equatable {
    /// The number of requests.
    public var requests: Int
    /// The interval, in milliseconds.
    public var interval: Int
    /// How many requests may be sent at once after a rest; nil for no burst.
    public var burst: Int?

    /// Creates a rate.
    public init(requests: Int, interval: Int, burst: Int? = nil) {
        self.requests = requests
        self.interval = interval
        self.burst = burst
    }
}

/// A named queue.
public struct QueueRules: Sendable, Equatable {
    /// Its name.
    public var name: String
    /// The highest number of calls in flight.
    public var concurrent: Int

    /// Creates a queue.
    public init(name: String, concurrent: Int) {
        self.name = name
        self.concurrent = concurrent
    }
}

/// A named set of connections.
public struct SessionRules: Sendable, Equatable {
    /// Its name.
    public var name: String
    /// Whether no connection, cookie or cache entry outlives a call.
    public var isEphemeral: Bool
    /// Whether its transfers continue while the app is suspended, if the platform supports that.
    public var isBackground: Bool
    /// The highest number of connections to one host.
    public var connections: Int?

    /// Creates a set of connections.
    public init(
        name: String, isEphemeral: Bool = false, isBackground: Bool = false, connections: Int?
    ) {
        self.name = name
        self.isEphemeral = isEphemeral
        self.isBackground = isBackground
        self.connections = connections
    }
}
