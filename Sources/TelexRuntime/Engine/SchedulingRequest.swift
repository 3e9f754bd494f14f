/// What the engine has to know about an operation to run it. A reference, because there may be a
/// hundred thousand operations that wait.
package final class SchedulingRequest: Sendable {
    /// What it waits for; nil for one that needs no turn: a group, a call that shares another's
    /// request.
    let slot: QueueSlot?
    /// How often and how soon it is sent again.
    let retry: RetryPolicy
    /// Whether it may be sent twice with the effect of once, so that an attempt whose end is not
    /// known may be repeated.
    package let mayRepeat: Bool
    /// What keeps it from being started twice in a short time.
    let throttle: ThrottleKey?
    let attemptTimeout: Duration?
    let totalTimeout: Duration?
    /// The longest pause of a server that it waits for.
    let longestPause: Duration

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

    /// The same, however long all of it takes.
    var withoutTotalTimeout: SchedulingRequest {
        guard totalTimeout != nil else { return self }
        return SchedulingRequest(
            slot: slot, retry: retry, mayRepeat: mayRepeat, throttle: throttle,
            attemptTimeout: attemptTimeout, longestPause: longestPause)
    }

    /// The same with another priority; nil if it has none, or one as high.
    func raised(to priority: CallPriority) -> SchedulingRequest? {
        guard var slot, slot.priority < priority else { return nil }
        slot.priority = priority
        return SchedulingRequest(
            slot: slot, retry: retry, mayRepeat: mayRepeat, throttle: throttle,
            attemptTimeout: attemptTimeout, totalTimeout: totalTimeout,
            longestPause: longestPause)
    }

    /// A place among those that wait.
    package struct QueueSlot: Sendable {
        package var queue: String?
        package var host: String
        package var priority: CallPriority
        package var owner: OperationOwner?
        /// The rate of its method.
        package var rate: MethodRate?
        /// Whether its attempts carry the credential, so that they wait for a new one.
        package var usesCredential: Bool
        /// Whether its host is none of the API's, so that the API's rate does not count it.
        package var isOutsideAPI: Bool

        package init(
            queue: String? = nil, host: String, priority: CallPriority = .normal,
            owner: OperationOwner? = nil, rate: MethodRate? = nil, usesCredential: Bool = false,
            isOutsideAPI: Bool = false
        ) {
            self.queue = queue
            self.host = host
            self.priority = priority
            self.owner = owner
            self.rate = rate
            self.usesCredential = usesCredential
            self.isOutsideAPI = isOutsideAPI
        }
    }

    /// A rate that belongs to one method.
    package struct MethodRate: Hashable, Sendable {
        var method: String
        var rate: RequestRate

        package init(method: String, rate: RequestRate) {
            self.method = method
            self.rate = rate
        }
    }

    /// Operations with equal names keep a distance in time.
    package struct ThrottleKey: Sendable {
        package var name: String
        package var interval: Duration
        package var policy: Throttle.Policy

        package init(
            name: String, interval: Duration, policy: Throttle.Policy = .refuse
        ) {
            self.name = name
            self.interval = interval
            self.policy = policy
        }
    }
}
