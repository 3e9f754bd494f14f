import TelexScheduling

/// Repeats a call until its reply has the final state. Each reply counts as an attempt that made
/// progress, so that only `Timeouts.total` limits their number; between them the call waits, and
/// holds no connection.
public struct Polling: Sendable, Hashable {
    /// The conditions that the final reply meets, all of them.
    public var conditions: [ReplyRules.Condition]
    /// A reply that meets one of these makes the call fail, with
    /// ``APIError/Reason/failedState``.
    public var failures: [ReplyRules.Condition]
    /// The wait between two requests. A longer `Retry-After` of a reply takes precedence.
    public var backoff: Backoff

    /// The wait of a method that declares none: a second, then half as long again each time, at
    /// most 30 seconds.
    public static let usualBackoff = Backoff(
        initial: .seconds(1), factor: 1.5, jitter: 0.1, maximum: .seconds(30))

    /// Creates rules.
    public init(
        _ conditions: [ReplyRules.Condition], failing failures: [ReplyRules.Condition] = [],
        backoff: Backoff = usualBackoff
    ) {
        self.conditions = conditions
        self.failures = failures
        self.backoff = backoff
    }
}
