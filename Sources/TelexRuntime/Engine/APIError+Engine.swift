import TelexCredentials
import TelexScheduling

extension EngineFailure {
    /// The scheme that has no new token, if that is the reason.
    fileprivate var scheme: SchemeKey? {
        if case .notRefreshed(let scheme) = self { scheme } else { nil }
    }
}

extension APIError {
    /// Makes the error of a call that the engine ended or refused to start.
    init(
        _ failure: EngineFailure, of call: OperationAttributes, snapshot: FailureSnapshot,
        engine: Engine
    ) {
        switch failure {
        case .throttled(let moment):
            self.init(
                method: call.method, phase: .queue,
                reason: .throttled(until: engine.date(of: moment)))
            retryAfter = max(.zero, moment - engine.clock.elapsed())
            isRetryable = true
        case .replaced: self.init(method: call.method, phase: .queue, reason: .replaced)
        case .hostPaused(let moment):
            self.init(
                method: call.method, phase: .queue,
                reason: .hostPaused(until: engine.date(of: moment)))
            adoptLastAttempt(of: snapshot, mayRepeat: call.scheduling.mayRepeat)
            retryAfter = max(.zero, moment - engine.clock.elapsed())
        case .network(let condition):
            self.init(method: call.method, phase: .queue, reason: .network(condition))
            adoptLastAttempt(of: snapshot, mayRepeat: call.scheduling.mayRepeat)
        case .timedOut(let limit):
            self.init(method: call.method, phase: snapshot.phase, reason: .timedOut(after: limit))
            adoptLastAttempt(of: snapshot, mayRepeat: call.scheduling.mayRepeat)
            diagnosis = snapshot.diagnosis
        case .attemptTimedOut(let limit):
            self.init(
                method: call.method, phase: snapshot.phase, reason: .attemptTimedOut(after: limit))
            adoptLastAttempt(of: snapshot, mayRepeat: call.scheduling.mayRepeat)
            diagnosis = snapshot.diagnosis
        case .notRefreshed, .attempt:
            let scheme = failure.scheme ?? .login
            let error = engine.refreshError(of: scheme)
            self.init(
                method: call.method, phase: .auth,
                reason: .refreshFailed(error?.safeDescription ?? "unknown"))
            cause = error?.refreshCause
            code = (cause as? CredentialError)?.apiCode
            isRetryable = isRefreshFailureTemporary
            retryAfter = engine.refreshPause(of: scheme)
            diagnosis = (cause as? APIError)?.diagnosis
        }
    }

    /// Whether a later refresh may succeed.
    private var isRefreshFailureTemporary: Bool {
        switch cause {
        case let error as CredentialError: error.isTemporary
        case let error as APIError: error.isRetryable
        default: cause is RefreshTimedOut || cause?.transportKind?.fault == .network
        }
    }

    /// Takes over what is known from earlier attempts and from the wait during which the call
    /// ended.
    ///
    /// - Parameter mayRepeat: Whether the call is safe to send twice. Otherwise it is not retryable
    ///   if an attempt was in flight, because the server may have processed that attempt.
    private mutating func adoptLastAttempt(of snapshot: FailureSnapshot, mayRepeat: Bool) {
        let failures = snapshot.attempts.compactMap { $0.error as? APIError }
        cause = failures.last
        status = snapshot.status
        contents.wait = snapshot.wait
        if case .host(let time)? = snapshot.wait { retryAfter = time }
        // A refused token does not make the call unsafe to repeat.
        let telling = failures.last { !$0.isRefusalOfToken }
        isRetryable = snapshot.isAtWork ? mayRepeat : telling?.isRetryable ?? true
    }

    private var isRefusalOfToken: Bool {
        switch reason {
        case .credentialRefused, .credentialExpired, .noCredential: true
        default: false
        }
    }
}
