extension APIError.Reason {
    /// The phase in which a call usually fails for this reason.
    package var usualPhase: APIError.Phase {
        switch self {
        case .invalidRequest: .build
        case .throttled, .replaced, .notCached, .hostPaused, .network: .queue
        case .intercepted, .timedOut, .attemptTimedOut: .send
        case .transport(let error): error.phase
        case .download, .tooManyRedirects, .refusedRedirect: .receive
        case .status, .refused, .pending, .failedState: .status
        case .emptyReply, .malformedReply: .map
        case .unexpectedReply: .validate
        case .noCredential, .credentialExpired, .credentialRefused, .credentialStore,
            .refreshFailed:
            .auth
        }
    }
}
