extension APIError {
    /// Why the engine ended a call, or would not begin it.
    init(
        _ failure: EngineFailure, of call: OperationFacts, after attempts: [OperationAttempt],
        _ engine: Engine
    ) {
        let phase = attempts.isEmpty ? Phase.queue : .receive
        switch failure {
        case .throttled(let moment):
            self.init(
                method: call.method, .queue, .throttled(until: engine.date(of: moment)))
            retryAfter = max(.zero, moment - engine.clock.elapsed())
            isRetryable = true
        case .timedOut(let limit):
            self.init(method: call.method, phase, .timedOut(after: limit))
            takeLast(of: attempts, mayRepeat: call.ticket.mayRepeat)
        case .attemptTimedOut(let limit):
            self.init(method: call.method, phase, .attemptTimedOut(after: limit))
            takeLast(of: attempts, mayRepeat: call.ticket.mayRepeat)
        case .notRefreshed, .attempt:
            let error = engine.refreshError
            self.init(
                method: call.method, .auth, .refreshFailed(error.map { "\($0)" } ?? "unknown"))
            cause = (error as? RefreshFailure)?.cause ?? error
            isRetryable = (cause as? CredentialError)?.isTemporary ?? (cause is RefreshTimedOut)
        }
    }

    /// What is known from the attempts before the end.
    ///
    /// - Parameter mayRepeat: Whether the call may be sent twice with the effect of once. Of another
    ///   nobody knows what the server has made of the attempt that was stopped.
    private mutating func takeLast(of attempts: [OperationAttempt], mayRepeat: Bool) {
        let failures = attempts.compactMap { $0.error as? APIError }
        cause = failures.last
        let wasUnderWay = (attempts.last?.error as? OperationError)?.reason == .stopped
        isRetryable =
            attempts.isEmpty || (wasUnderWay ? mayRepeat : failures.last?.isRetryable ?? mayRepeat)
    }
}
