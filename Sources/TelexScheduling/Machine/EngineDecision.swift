/// Why the engine ended an operation.
package enum EngineFailure: Sendable, Equatable {
    /// Its attempt failed; the attempt's own error is the reason.
    case attempt
    /// It was started too soon after the last start.
    case throttled(until: Duration)
    /// An operation started later replaced it.
    case replaced
    /// It exceeded its total time limit.
    case timedOut(after: Duration)
    /// One attempt exceeded its time limit.
    case attemptTimedOut(after: Duration)
    /// Its host demands a longer pause than it accepts.
    case hostPaused(until: Duration)
    /// It is not to use a network with this condition.
    case network(NetworkCondition)
    /// There is no new token of the scheme.
    case notRefreshed(SchemeKey)
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
