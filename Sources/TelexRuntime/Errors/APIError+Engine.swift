extension APIError {
    /// Why the engine ended a call, or would not begin it.
    init(_ failure: EngineFailure, of method: String, _ api: String, _ engine: Engine) {
        switch failure {
        case .throttled(let moment):
            self.init(method: method, .queue, .throttled(until: engine.date(of: moment)))
        case .timedOut(let limit), .attemptTimedOut(let limit):
            self.init(method: method, .receive, .timedOut(after: limit))
            isRetryable = true
        case .notRefreshed, .attempt:
            let error = engine.refreshError
            self.init(method: method, .auth, .refreshFailed(error.map { "\($0)" } ?? "unknown"))
            cause = (error as? RefreshFailure)?.cause ?? error
        }
        self.api = api
    }
}
