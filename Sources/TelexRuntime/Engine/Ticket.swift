/// What the engine has to know about an operation to run it. A reference, because there may be a
/// hundred thousand operations that wait.
package final class Ticket: Sendable {
    /// What it waits for; nil for one that needs no turn: a group, a call that shares another's
    /// request.
    let seat: Seat?
    /// How often and how soon it is sent again.
    let retry: RetryPolicy
    /// Whether it may be sent twice with the effect of once, so that an attempt whose end is not
    /// known may be repeated.
    package let mayRepeat: Bool
    /// What keeps it from being started twice in a short time.
    let throttle: ThrottleKey?
    let attemptTimeout: Duration?
    let totalTimeout: Duration?

    package init(
        seat: Seat? = nil, retry: RetryPolicy = .never, mayRepeat: Bool = false,
        throttle: ThrottleKey? = nil, attemptTimeout: Duration? = nil, totalTimeout: Duration? = nil
    ) {
        self.seat = seat
        self.retry = retry
        self.mayRepeat = mayRepeat
        self.throttle = throttle
        self.attemptTimeout = attemptTimeout
        self.totalTimeout = totalTimeout
    }

    /// The same, however long all of it takes.
    var withoutTotalTimeout: Ticket {
        guard totalTimeout != nil else { return self }
        return Ticket(
            seat: seat, retry: retry, mayRepeat: mayRepeat, throttle: throttle,
            attemptTimeout: attemptTimeout)
    }

    /// The same with another priority; nil if it has none, or one as high.
    func raised(to priority: CallPriority) -> Ticket? {
        guard var seat, seat.priority < priority else { return nil }
        seat.priority = priority
        return Ticket(
            seat: seat, retry: retry, mayRepeat: mayRepeat, throttle: throttle,
            attemptTimeout: attemptTimeout, totalTimeout: totalTimeout)
    }

    /// A place among those that wait.
    package struct Seat: Sendable {
        package var queue: String?
        package var host: String
        package var priority: CallPriority
        package var owner: OperationOwner?
        /// The rate of its method.
        package var rate: MethodRate?
        /// Whether its attempts carry the credential, so that they wait for a new one.
        package var usesCredential: Bool
        /// Whether its host is none of the API's, so that the API's rate does not count it.
        package var isForeign: Bool

        package init(
            queue: String? = nil, host: String, priority: CallPriority = .normal,
            owner: OperationOwner? = nil, rate: MethodRate? = nil, usesCredential: Bool = false,
            isForeign: Bool = false
        ) {
            self.queue = queue
            self.host = host
            self.priority = priority
            self.owner = owner
            self.rate = rate
            self.usesCredential = usesCredential
            self.isForeign = isForeign
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
        var name: String
        var interval: Duration

        package init(name: String, interval: Duration) {
            self.name = name
            self.interval = interval
        }
    }
}

/// How an attempt ended that produced no value.
package struct AttemptFailure: Sendable {
    /// What may be done about it.
    package enum Remedy: Sendable, Equatable {
        /// Nothing.
        case none
        /// The same call may be sent again, after this time if the server said how long.
        case retry(after: Duration?)
        /// The credential is no longer good.
        case refresh
        /// The same, but the call cannot be sent again with another one.
        case renew

        /// What is left if the call cannot be sent again.
        package var withoutRepeating: Remedy { self == .refresh || self == .renew ? .renew : .none }
    }

    package var remedy: Remedy
    /// Why, in a few words, for events.
    var reason: String
    /// Whether the attempt brought the operation forward, as a download that goes on where it
    /// stopped. Such a failure is no sign of a server in trouble, and is not counted.
    package var hasProgress: Bool
    /// Whether the server has enough of these calls and said when it takes more (RFC 6585, section
    /// 4). It is in no trouble, so going on then costs nothing of the budget of retries.
    package var isPaced = false
    /// Whether the attempt ended before it sent anything, so that no rate has to count it.
    package var sentNothing = false
    /// The least time before another attempt, if it is longer than the policy's; nil for none.
    package var pause: Duration?

    /// How long the server of a call that may be sent again says that this takes.
    var delay: Duration? { if case .retry(let delay) = remedy { delay } else { nil } }

    package init(_ remedy: Remedy, _ reason: String, hasProgress: Bool = false) {
        self.remedy = remedy
        self.reason = reason
        self.hasProgress = hasProgress
    }
}

/// Why the engine itself ended an operation.
package enum EngineFailure: Sendable, Equatable {
    /// Its attempt failed; the attempt's own error says why.
    case attempt
    /// It was started too soon after the last one.
    case throttled(until: Duration)
    /// It took longer than all of it may take.
    case timedOut(after: Duration)
    /// One attempt took longer than it may.
    case attemptTimedOut(after: Duration)
    /// There is no new credential.
    case notRefreshed
}

/// A decision of the engine, with its reason.
package enum EngineDecision: Sendable, Equatable {
    case started
    case queued(reason: String)
    case postponed(reason: String)
    case retrying(after: Duration, reason: String)
    case notRetried(reason: String)
    case throttled(until: Duration)
    case suspended
    case resumed
}
