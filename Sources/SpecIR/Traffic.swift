/// What an API does with all its calls at once.
public struct Traffic: Sendable, Equatable {
    /// How many requests in how much time.
    public var rate: RequestRate?
    /// How many calls may be at work.
    public var concurrent: Int?
    /// How many of them may be at work with one host.
    public var perHost: Int?
    /// The queues that methods name, in spec order.
    public var queues: [QueueRules] = []
    /// The sets of connections that methods name, in spec order.
    public var sessions: [SessionRules] = []

    /// Traffic without limits.
    public init() {}
}

/// So many requests in so much time.
public struct RequestRate: Sendable, Equatable {
    /// How many requests.
    public var requests: Int
    /// In how many milliseconds.
    public var interval: Int

    /// Creates a rate.
    public init(requests: Int, interval: Int) {
        self.requests = requests
        self.interval = interval
    }
}

/// A named queue.
public struct QueueRules: Sendable, Equatable {
    /// Its name.
    public var name: String
    /// How many calls may be at work.
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
    /// Whether nothing of it outlives a call.
    public var isEphemeral: Bool
    /// Whether its transfers go on without the app, where the platform can do that.
    public var isBackground: Bool
    /// How many connections it may have to one host.
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
