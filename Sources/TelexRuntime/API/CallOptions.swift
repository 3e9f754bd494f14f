import TelexCredentials
import TelexRequests
import TelexScheduling

/// The options of one call that differ from its method's and the manager's.
public struct CallOptions: Sendable, Hashable {
    /// How long the call may take; nil for the method's limits. A value replaces all of them,
    /// including those left at their defaults.
    public var timeouts: Timeouts?
    /// The server to call; nil for the method's or the manager's.
    public var server: ServerChoice?
    /// The connections that the call uses; nil for the method's. A named session that the API does
    /// not have makes the call fail with `invalidRequest`.
    public var session: Endpoint.Session?
    /// The named queue that the call waits in; nil for the method's. A queue that the API does not
    /// have makes the call fail with `invalidRequest`.
    public var queue: String?
    /// The priority among waiting calls; nil for the method's.
    public var priority: CallPriority?
    /// When a failed call is retried; nil for the method's policy.
    public var retry: RetryPolicy?
    /// What the call does on a constrained or an expensive network; nil for the method's rules.
    public var network: NetworkRules?
    /// How the reply is checked; nil for the method's validation.
    public var validation: ReplyValidation?
    /// The key by which the server recognises a call that it has already executed, sent where the
    /// spec declares `idempotency-key` or `$call.id`; nil for a key created for this call. With a
    /// key of the app, several calls count as one: a second tap, or the same order after a restart.
    ///
    /// The key must not be empty or contain characters that a header field cannot contain. In a
    /// path it must not be `.` or `..`, and for an integer `$call.id` it is the digits. An invalid
    /// key, or a key for a method without `idempotency-key` and `$call.id`, makes the call fail
    /// with `invalidRequest`. A group does not pass the key to its steps. Redirects do not carry it
    /// to another origin, nor to the `GET` that they turn a call into.
    public var idempotencyKey: String?
    /// A credential for this call alone, in place of the stored one, as after the user has
    /// confirmed the password. It is neither stored nor refreshed: if the server refuses it, the
    /// call fails with ``APIError/Reason/credentialRefused``. Nil for the stored one.
    public var credential: Credential?
    /// How the call uses the cache; nil to use a fresh reply, and to validate a stale one.
    public var cache: CacheUse?
    /// The owner of the call; see `APIManager.cancel(owner:)`.
    public var owner: OperationOwner?
    /// Labels chosen by the caller; they appear in the events of the call.
    public var tags: Set<String>
    /// Where the page of a list begins that the call loads, if no argument says so.
    private(set) var position: PagePosition?

    /// No option is set by default.
    public init(
        timeouts: Timeouts? = nil, server: ServerChoice? = nil,
        session: Endpoint.Session? = nil, queue: String? = nil, priority: CallPriority? = nil,
        retry: RetryPolicy? = nil, network: NetworkRules? = nil,
        validation: ReplyValidation? = nil, idempotencyKey: String? = nil,
        credential: Credential? = nil, cache: CacheUse? = nil,
        owner: OperationOwner? = nil, tags: Set<String> = []
    ) {
        self.timeouts = timeouts
        self.server = server
        self.session = session
        self.queue = queue
        self.priority = priority
        self.retry = retry
        self.network = network
        self.validation = validation
        self.idempotencyKey = idempotencyKey
        self.credential = credential
        self.cache = cache
        self.owner = owner
        self.tags = tags
    }

    /// Creates the options of the call that loads a page of a list; made by generated code.
    ///
    /// - Parameters:
    ///   - options: The options of the list; nil for none.
    ///   - position: Where the page begins, if no argument of the call says so.
    public init(_ options: CallOptions?, at position: PagePosition) {
        self = options ?? CallOptions()
        self.position = position
    }
}
