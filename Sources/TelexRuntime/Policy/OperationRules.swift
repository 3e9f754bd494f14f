/// How the operations of a method are run: what they wait for, and what happens when they fail.
public struct OperationRules: Sendable, Hashable {
    /// What an operation does with the body of the reply.
    public enum Kind: Sendable, Hashable {
        /// Reads it into memory and maps it.
        case data
        /// The same, after sending a large body.
        case upload
        /// Writes it to a file.
        case download
        /// Hands out its elements as they arrive.
        case stream
    }

    /// What the operation does.
    public var kind: Kind
    /// The named queue it waits in; nil for none: it waits for limits only.
    public var queue: String?
    /// Its place among those that wait.
    public var priority: CallPriority
    /// The least time between two starts; nil for none.
    public var throttle: Throttle?
    /// Whether equal calls that are on their way at the same time share one request.
    public var isCoalesced: Bool
    /// When it is sent again; nil for the API's policy.
    public var retry: RetryPolicy?
    /// The header field that carries a key of the call, the same in all attempts, by which the
    /// server recognises a repetition; nil for none. A call that has one may be repeated.
    public var idempotencyKey: String?
    /// How often the method may be called, besides the API's own limits; nil for no limit.
    public var rate: RequestRate?

    /// Nothing special by default.
    public init(
        kind: Kind = .data, queue: String? = nil, priority: CallPriority = .normal,
        throttle: Throttle? = nil, isCoalesced: Bool = false, retry: RetryPolicy? = nil,
        idempotencyKey: String? = nil, rate: RequestRate? = nil
    ) {
        self.kind = kind
        self.queue = queue
        self.priority = priority
        self.throttle = throttle
        self.isCoalesced = isCoalesced
        self.retry = retry
        self.idempotencyKey = idempotencyKey
        self.rate = rate
    }
}
