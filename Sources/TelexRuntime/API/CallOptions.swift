/// What one call wants different from the rest.
public struct CallOptions: Sendable, Hashable {
    /// How long the call may take; nil for the method's limits. Otherwise all are as said here, also
    /// those that are left at their defaults.
    public var timeouts: Timeouts?
    /// Which server to call; nil for the method's or the manager's.
    public var server: ServerChoice?
    /// Which connections it uses; nil for the method's. A named session that the API does not have is
    /// an `invalidRequest`.
    public var session: Endpoint.Session?
    /// The named queue that it waits in; nil for the method's. One that the API does not have is an
    /// `invalidRequest`.
    public var queue: String?
    /// Its place among those that wait; nil for the method's.
    public var priority: CallPriority?
    /// When it is sent again after a failure; nil for the method's policy.
    public var retry: RetryPolicy?
    /// The key by which the server knows a call that it has carried out already, sent where the spec
    /// says `idempotency-key`; nil for one that is made for this call. A key of the app's own makes two
    /// calls one: a second tap, or the same order after a restart. Not empty, and without characters that
    /// no header field can have; with another, or for a method without `idempotency-key`, the call is an
    /// `invalidRequest`. It is that of one call: a group hands it on to none of its steps. No redirect
    /// carries it to another origin, or on to the `GET` that it makes of the call.
    public var idempotencyKey: String?
    /// On whose behalf it runs; see `APIManager.cancel(owner:)`.
    public var owner: OperationOwner?
    /// Marks of the caller's own; they appear in the events of the call.
    public var tags: Set<String>

    /// Nothing different by default.
    public init(
        timeouts: Timeouts? = nil, server: ServerChoice? = nil,
        session: Endpoint.Session? = nil, queue: String? = nil, priority: CallPriority? = nil,
        retry: RetryPolicy? = nil, idempotencyKey: String? = nil,
        owner: OperationOwner? = nil, tags: Set<String> = []
    ) {
        self.timeouts = timeouts
        self.server = server
        self.session = session
        self.queue = queue
        self.priority = priority
        self.retry = retry
        self.idempotencyKey = idempotencyKey
        self.owner = owner
        self.tags = tags
    }
}
