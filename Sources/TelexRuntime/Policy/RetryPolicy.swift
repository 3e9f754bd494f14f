/// Which failed calls are sent again, how often and how soon.
///
/// Whatever the policy says, a call is only repeated if that cannot do anything twice: its HTTP
/// method is idempotent (RFC 9110, section 9.2.2), it carries an idempotency key, or the failure
/// proves that the server did nothing: it was never reached, or it answered 429, or 503 with a
/// `Retry-After` (RFC 9110, section 10.2.3) that is not zero, or such a time to wait in its body
/// (``ErrorRules/retryAfter``), or with a code that the API's description calls retryable
/// (``ErrorRules/retryable``). A body that cannot be sent twice is never sent twice.
public struct RetryPolicy: Sendable, Hashable {
    /// A kind of failure.
    public enum Condition: Sendable, Hashable {
        /// No complete reply came, or not in the time of the attempt.
        case transport
        /// The reply has one of these statuses.
        case status(ClosedRange<Int>)
        /// The API's own error code.
        case code(String)
    }

    /// How often a call is sent at most, the first time included; at least 1. If it is more than that,
    /// what is lost while the call is suspended is sent again all the same when it goes on. Attempts
    /// whose token was refused do not count, nor those that brought a transfer forward.
    public var attempts: Int {
        didSet { attempts = attempts.atLeast(1) }
    }
    /// The failures after which it is sent again.
    public var conditions: [Condition]
    /// How long it waits before it is sent again, unless the server says how long; no time at all does
    /// not count.
    public var backoff: Backoff

    /// Three attempts after transport failures, 429 and 503, by default.
    public init(
        attempts: Int = 3,
        on conditions: [Condition] = [.transport, .status(429...429), .status(503...503)],
        backoff: Backoff = Backoff()
    ) {
        self.attempts = attempts.atLeast(1)
        self.conditions = conditions
        self.backoff = backoff
    }

    /// What APIs get that say nothing else.
    public static let standard = RetryPolicy()

    /// A call is sent once, and again only with a new token.
    public static let never = RetryPolicy(attempts: 1, on: [])
}

/// How long to wait before the next attempt: longer each time, and never the same for all.
public struct Backoff: Sendable, Hashable {
    /// The wait after the first failure, not below zero.
    public var initial: Duration {
        didSet { initial = initial.atLeast(.zero) }
    }
    /// What each further wait is multiplied by, at least 1; what is no number counts as 1.
    public var factor: Double {
        didSet { factor = factor.atLeast(1) }
    }
    /// By how much of itself a wait varies at random, between 0 and 1, so that clients that failed
    /// together do not return together; what is no number counts as 0.
    public var jitter: Double {
        didSet { jitter = min(jitter.atLeast(0), 1) }
    }
    /// The longest wait, not below zero.
    public var maximum: Duration {
        didSet { maximum = maximum.atLeast(.zero) }
    }

    /// 0.5 s, doubled each time, ± 20 %, at most 20 s, by default.
    public init(
        initial: Duration = .milliseconds(500), factor: Double = 2, jitter: Double = 0.2,
        maximum: Duration = .seconds(20)
    ) {
        self.initial = initial.atLeast(.zero)
        self.factor = factor.atLeast(1)
        self.jitter = min(jitter.atLeast(0), 1)
        self.maximum = maximum.atLeast(.zero)
    }

    /// The wait after so many failures.
    ///
    /// - Parameters:
    ///   - failures: How many attempts have failed, from 1.
    ///   - chance: A random number between 0 and 1.
    func delay(after failures: Int, chance: Double) -> Duration {
        // In seconds, because a `Duration` traps where a `Double` becomes infinite.
        let limit = min(maximum, .longest) / .seconds(1)
        var delay = min(initial / .seconds(1), limit)
        var rest = max(1, failures) - 1
        while rest > 0, delay > 0, delay < limit, factor > 1 {
            delay = min(delay * factor, limit)
            rest -= 1
        }
        return .seconds(min(delay * (1 + jitter * (2 * chance - 1)), limit))
    }
}
