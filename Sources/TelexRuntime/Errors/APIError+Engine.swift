/// Where an operation was when the engine ended it.
struct OperationStanding {
    var state: OperationState
    var attempts: [OperationAttempt]
    /// Whether an attempt was at work, which was stopped and is the last of them.
    var isAtWork: Bool
    /// What that had seen.
    var current: AttemptRecord.Contents?
    /// How far the network reached for it, if that was found out.
    var diagnosis: Diagnosis?

    /// - Parameter shares: Whether the request is another operation's.
    func phase(shares: Bool) -> APIError.Phase {
        guard isAtWork else { return state == .postponed ? .auth : .queue }
        if current?.head != nil { return .receive }
        return shares || current?.hop != nil ? .send : .build
    }
}

extension APIError {
    /// Why the engine ended a call, or would not begin it.
    init(
        _ failure: EngineFailure, of call: OperationFacts, _ standing: OperationStanding,
        _ engine: Engine
    ) {
        let phase = standing.phase(shares: call.ticket.seat == nil)
        switch failure {
        case .throttled(let moment):
            self.init(
                method: call.method, .queue, .throttled(until: engine.date(of: moment)))
            retryAfter = max(.zero, moment - engine.clock.elapsed())
            isRetryable = true
        case .replaced: self.init(method: call.method, .queue, .replaced)
        case .hostPaused(let moment):
            self.init(
                method: call.method, .queue, .hostPaused(until: engine.date(of: moment)))
            takeLast(of: standing, mayRepeat: call.ticket.mayRepeat)
            retryAfter = max(.zero, moment - engine.clock.elapsed())
        case .timedOut(let limit):
            self.init(method: call.method, phase, .timedOut(after: limit))
            takeLast(of: standing, mayRepeat: call.ticket.mayRepeat)
            diagnosis = standing.diagnosis
        case .attemptTimedOut(let limit):
            self.init(method: call.method, phase, .attemptTimedOut(after: limit))
            takeLast(of: standing, mayRepeat: call.ticket.mayRepeat)
            diagnosis = standing.diagnosis
        case .notRefreshed, .attempt:
            let error = engine.refreshError
            self.init(
                method: call.method, .auth, .refreshFailed(error?.tellableWords ?? "unknown"))
            cause = (error as? RefreshFailure)?.cause ?? error
            code = (cause as? CredentialError)?.apiCode
            isRetryable = isRefreshFailureTemporary
            retryAfter = engine.refreshPause
            diagnosis = (cause as? APIError)?.diagnosis
        }
    }

    /// Whether the next refresh may bring what this one did not.
    private var isRefreshFailureTemporary: Bool {
        switch cause {
        case let error as CredentialError: error.isTemporary
        case let error as APIError: error.isRetryable
        default: cause is RefreshTimedOut || cause?.transportKind?.fault == .network
        }
    }

    /// What is known from the attempts before the end.
    ///
    /// - Parameter mayRepeat: Whether the call may be sent twice with the effect of once. Of another
    ///   nobody knows what the server has made of the attempt that was stopped.
    private mutating func takeLast(of standing: OperationStanding, mayRepeat: Bool) {
        let failures = standing.attempts.compactMap { $0.error as? APIError }
        cause = failures.last
        let wasStopped = (standing.attempts.last?.error as? OperationError)?.reason == .stopped
        status = standing.current?.head?.status.code
        isRetryable =
            standing.attempts.isEmpty
            || (wasStopped ? mayRepeat : failures.last?.isRetryable ?? mayRepeat)
    }
}
