/// The scheduling parameters of one operation. A class, because up to 100,000 queued operations may
/// share one instance.
package final class SchedulingRequest: Sendable {
    /// The queue slot to wait for; nil for operations that need no turn: groups without a queue,
    /// and calls that share another's request.
    package let slot: QueueSlot?
    /// When and how often the operation is retried.
    package let retry: RetryPolicy
    /// Whether sending it twice has the effect of sending it once, so that an attempt with an
    /// unknown end may be repeated.
    package let mayRepeat: Bool
    /// The throttle, which limits how often it is started.
    package let throttle: ThrottleKey?
    package let attemptTimeout: Duration?
    package let totalTimeout: Duration?
    /// The longest pause of a server that the operation waits for.
    package let longestPause: Duration

    package init(
        slot: QueueSlot? = nil, retry: RetryPolicy = .never, mayRepeat: Bool = false,
        throttle: ThrottleKey? = nil, attemptTimeout: Duration? = nil,
        totalTimeout: Duration? = nil, longestPause: Duration = .longest
    ) {
        self.slot = slot
        self.retry = retry
        self.mayRepeat = mayRepeat
        self.throttle = throttle
        self.attemptTimeout = attemptTimeout
        self.totalTimeout = totalTimeout
        self.longestPause = longestPause
    }

    /// The same parameters without a total time-out.
    package var withoutTotalTimeout: SchedulingRequest {
        guard totalTimeout != nil else { return self }
        return SchedulingRequest(
            slot: slot, retry: retry, mayRepeat: mayRepeat, throttle: throttle,
            attemptTimeout: attemptTimeout, longestPause: longestPause)
    }

    /// The same parameters for an operation that needs no place in its queue.
    package var withoutQueue: SchedulingRequest {
        guard var slot else { return self }
        slot.queue = nil
        return with(slot)
    }

    private func with(_ slot: QueueSlot) -> SchedulingRequest {
        SchedulingRequest(
            slot: slot, retry: retry, mayRepeat: mayRepeat, throttle: throttle,
            attemptTimeout: attemptTimeout, totalTimeout: totalTimeout,
            longestPause: longestPause)
    }

    /// The same parameters with a higher priority; nil without a slot, or if the priority is
    /// already as high.
    func raised(to priority: CallPriority) -> SchedulingRequest? {
        guard var slot, slot.priority < priority else { return nil }
        slot.priority = priority
        return with(slot)
    }

    /// What an operation waits for to get its turn.
    package struct QueueSlot: Sendable {
        package var queue: String?
        package var host: String
        package var priority: CallPriority
        package var owner: OperationOwner?
        /// The rate limit of its method.
        package var rate: MethodRate?
        /// The schemes whose tokens its attempts carry, so that they wait for refreshes of these.
        package var schemes: [SchemeKey]
        /// Whether its host does not belong to the API, so that the API's rate does not apply.
        package var isOutsideAPI: Bool
        /// Whether it is a group, which takes a place in its queue and sends nothing itself. It
        /// counts for no other limit, because its steps do.
        package var isGroup = false
        /// What it does on a constrained or an expensive network.
        package var network = NetworkRules()

        package init(
            queue: String? = nil, host: String, priority: CallPriority = .normal,
            owner: OperationOwner? = nil, rate: MethodRate? = nil, schemes: [SchemeKey] = [],
            isOutsideAPI: Bool = false
        ) {
            self.queue = queue
            self.host = host
            self.priority = priority
            self.owner = owner
            self.rate = rate
            self.schemes = schemes
            self.isOutsideAPI = isOutsideAPI
        }
    }

    /// A rate limit of one method.
    package struct MethodRate: Hashable, Sendable {
        package var method: String
        package var rate: RequestRate

        package init(method: String, rate: RequestRate) {
            self.method = method
            self.rate = rate
        }
    }

    /// The key of a throttle: operations with equal names start at least an interval apart.
    package struct ThrottleKey: Sendable {
        package var name: String
        package var interval: Duration
        package var policy: Throttle.Policy
        /// Whether the interval begins at the end of an operation, which bars others until then.
        package var isFromEnd: Bool

        package init(
            name: String, interval: Duration, policy: Throttle.Policy = .refuse,
            isFromEnd: Bool = false
        ) {
            self.name = name
            self.interval = interval
            self.policy = policy
            self.isFromEnd = isFromEnd
        }

        /// The key of operations with this throttle.
        package init(name: String, _ throttle: Throttle) {
            self.init(
                name: name, interval: throttle.interval, policy: throttle.policy,
                isFromEnd: throttle.from == .end)
        }
    }
}
