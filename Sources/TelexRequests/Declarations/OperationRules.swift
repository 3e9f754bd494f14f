import TelexScheduling

/// How the operations of a method run: what they wait for, and how they handle failures.
public struct OperationRules: Sendable, Hashable {
    /// The treatment of the reply's body.
    public enum Kind: Sendable, Hashable {
        /// Reads the body into memory and maps it.
        case data
        /// Like `data`, after sending a large body.
        case upload
        /// Writes the body to a file.
        case download
        /// Delivers the elements of the body as they arrive.
        case stream
    }

    /// The kind of the operation.
    public var kind: Kind
    /// The named queue that the operation waits in; nil for none, so that it waits for limits only.
    public var queue: String?
    /// The priority among waiting operations.
    public var priority: CallPriority
    /// The minimum time between two starts; nil for none.
    public var throttle: Throttle?
    /// Whether equal calls in flight at the same time share one request.
    public var isCoalesced: Bool
    /// Whether the method only reads, although its HTTP method may change something, like a search
    /// by `POST`. Its calls may be repeated, shared and kept like those of `GET`.
    public var isSafe: Bool
    /// When a failed operation is retried; nil for the API's policy.
    public var retry: RetryPolicy?
    /// The header field that carries the idempotency key of a call; nil for none. The key is the
    /// same in all attempts, so that the server recognises a repeated request. A call with a key
    /// may be repeated.
    public var idempotencyKey: String?
    /// How often the method may be called, in addition to the API's own limits; nil for no limit.
    public var rate: RequestRate?
    /// The most bytes of a reply that is read into memory, or of an element of a stream; nil for
    /// the API's limit.
    public var replyBytes: Int?
    /// What a call does on a constrained or an expensive network.
    public var network: NetworkRules
    /// How replies are kept and reused; nil if they are not.
    public var cache: CacheRules?
    /// The state of the reply that the call waits for; nil for any.
    public var until: Polling?

    /// The rules of an ordinary data operation by default.
    public init(
        kind: Kind = .data, queue: String? = nil, priority: CallPriority = .normal,
        throttle: Throttle? = nil, isCoalesced: Bool = false, isSafe: Bool = false,
        retry: RetryPolicy? = nil, idempotencyKey: String? = nil, rate: RequestRate? = nil,
        replyBytes: Int? = nil,
        network: NetworkRules = NetworkRules(), cache: CacheRules? = nil, until: Polling? = nil
    ) {
        self.kind = kind
        self.queue = queue
        self.priority = priority
        self.throttle = throttle
        self.isCoalesced = isCoalesced
        self.isSafe = isSafe
        self.retry = retry
        self.idempotencyKey = idempotencyKey
        self.rate = rate
        self.replyBytes = replyBytes
        self.network = network
        self.cache = cache
        self.until = until
    }
}
