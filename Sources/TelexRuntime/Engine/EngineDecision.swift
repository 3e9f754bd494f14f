/// Why the engine itself ended an operation.
package enum EngineFailure: Sendable, Equatable {
    /// Its attempt failed; the attempt's own error says why.
    case attempt
    /// It was started too soon after the last one.
    case throttled(until: Duration)
    /// Another that was started after it took its place.
    case replaced
    /// It took longer than all of it may take.
    case timedOut(after: Duration)
    /// One attempt took longer than it may.
    case attemptTimedOut(after: Duration)
    /// Its host wants to be left alone for longer than it may wait.
    case hostPaused(until: Duration)
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
