/// When, how often and how soon failed calls are sent again.
///
/// Whatever the policy is, a call is only repeated if that cannot cause an effect twice: its HTTP
/// method is idempotent (RFC 9110, section 9.2.2), it carries an idempotency key, or the failure
/// proves that the server did nothing. It does if the server was not reached, or if the reply is
/// 429, or 503 with a non-zero `Retry-After` (RFC 9110, section 10.2.3) or such a time in its body
/// (``ErrorRules/retryAfter``), or has an error code that the API's description declares retryable
/// (``ErrorRules/retryable``). A body that cannot be replayed is sent only once.
public struct RetryPolicy: Sendable, Hashable {
    /// A kind of failure.
    public enum Condition: Sendable, Hashable {
        /// No complete reply arrived, or not within the time limit of the attempt.
        case transport
        /// The reply has one of these statuses.
        case status(ClosedRange<Int>)
        /// The API's own error code.
        case code(String)
    }

    /// The maximum number of attempts, including the first; at least 1. If it is above 1, an
    /// attempt that is lost while the call is suspended is always repeated when the call resumes.
    /// Attempts whose token was refused do not count, nor do those that advanced a transfer.
    public var attempts: Int {
        didSet { attempts = attempts.atLeast(1) }
    }
    /// The failures after which the call is sent again.
    public var conditions: [Condition]
    /// The back-off before the next attempt, unless the server names a delay. A delay of zero does
    /// not count.
    public var backoff: Backoff

    /// Creates a policy; by default three attempts after transport failures, 429 and 503.
    public init(
        attempts: Int = 3,
        on conditions: [Condition] = [.transport, .status(429...429), .status(503...503)],
        backoff: Backoff = Backoff()
    ) {
        self.attempts = attempts.atLeast(1)
        self.conditions = conditions
        self.backoff = backoff
    }

    /// The policy of APIs that declare none.
    public static let standard = RetryPolicy()

    /// A call is sent once, and again only with a new token.
    public static let never = RetryPolicy(attempts: 1, on: [])
}

/// The wait before the next attempt: exponential, with jitter.
public struct Backoff: Sendable, Hashable {
    /// The wait after the first failure, not below zero.
    public var initial: Duration {
        didSet { initial = initial.atLeast(.zero) }
    }
    /// The factor of each further wait, at least 1; `nan` counts as 1.
    public var factor: Double {
        didSet { factor = factor.atLeast(1) }
    }
    /// The share of a wait that is random, between 0 and 1, so that clients that failed together do
    /// not return together; `nan` counts as 0.
    public var jitter: Double {
        didSet { jitter = min(jitter.atLeast(0), 1) }
    }
    /// The longest wait, not below zero.
    public var maximum: Duration {
        didSet { maximum = maximum.atLeast(.zero) }
    }

    /// Creates a back-off; by default 0.5 s, doubled each time, ± 20 %, at most 20 s.
    public init(
        initial: Duration = .milliseconds(500), factor: Double = 2, jitter: Double = 0.2,
        maximum: Duration = .seconds(20)
    ) {
        self.initial = initial.atLeast(.zero)
        self.factor = factor.atLeast(1)
        self.jitter = min(jitter.atLeast(0), 1)
        self.maximum = maximum.atLeast(.zero)
    }

    /// Returns the wait after a number of failures.
    ///
    /// - Parameters:
    ///   - failures: How many attempts have failed, from 1.
    ///   - chance: A random number between 0 and 1.
    package func delay(after failures: Int, chance: Double) -> Duration {
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
