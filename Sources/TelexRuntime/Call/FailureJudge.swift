import HTTPTypes

/// Decides what may be done about a failed attempt.
struct FailureJudge: Sendable {
    /// Methods that may be sent twice with the effect of once (RFC 9110, section 9.2.2).
    private static let idempotent: Set<HTTPRequest.Method> = [
        .get, .head, .put, .delete, .options, .trace,
    ]

    let definition: APIDefinition
    let canRefresh: Bool

    /// - Parameters:
    ///   - policy: When the call is sent again.
    ///   - mayRepeat: Whether it may be sent twice with the effect of once.
    func judge(
        _ error: APIError, _ policy: RetryPolicy, mayRepeat: Bool
    ) -> AttemptFailure {
        let reason = error.reasonWords
        switch error.reason {
        case .credentialRefused, .credentialExpired, .noCredential:
            return AttemptFailure(canRefresh ? .refresh : .none, reason)
        default: break
        }
        // Of an answer that does no harm twice, the policy alone says whether to ask again.
        let isHarmless = error.isRetryable || mayRepeat && error.phase == .status
        guard isHarmless, policy.covers(error, definition) else {
            return AttemptFailure(.none, reason)
        }
        var failure = AttemptFailure(.retry(after: error.retryAfter), reason)
        failure.isPaced = error.status == 429 && error.retryAfter != nil
        return failure
    }

    /// Whether the same request may be sent twice with the effect of once. One with a stream cannot.
    static func mayRepeat(_ template: RequestTemplate) -> Bool {
        guard template.isReplayable else { return false }
        return idempotent.contains(template.endpoint.method)
            || template.endpoint.operation.idempotencyKey != nil
    }

    /// Whether the same call may succeed later, and may be sent again without harm.
    ///
    /// - Parameter wasDone: Whether the server has done what it was asked. Then it proves nothing that
    ///   the page which was to tell so could not be had.
    static func mayRetry(
        _ error: APIError, _ template: RequestTemplate, _ definition: APIDefinition,
        wasDone: Bool = false
    ) -> Bool {
        let mayRepeat = mayRepeat(template)
        guard mayRepeat || !wasDone else { return false }
        let isMarked = error.code.map(definition.errors.retryable.contains) ?? false
        switch error.reason {
        case .transport(let problem): return mayRetry(problem.kind, mayRepeat)
        // The server says that it did nothing (RFC 6585, section 4), or when to ask it to do it (RFC
        // 9110, section 10.2.3). A bare 503 may come from somebody between, who does not know.
        case .status(429): return true
        // The spec says that it does no harm.
        case .status where isMarked, .refused where isMarked: return true
        case .status(503) where error.retryAfter != nil: return true
        case .status(408), .status(500), .status(502), .status(503), .status(504):
            return mayRepeat
        case .malformedReply, .emptyReply: return mayRepeat
        case .download(let problem): return mayRepeat && problem.mayPass
        default: return false
        }
    }

    private static func mayRetry(_ kind: TransportError.Kind, _ mayRepeat: Bool) -> Bool {
        switch kind {
        case .offline, .nameNotFound, .cannotConnect: true
        case .connectionLost, .timedOut, .truncated, .other: mayRepeat
        case .cancelled, .tls, .tooLarge, .invalidRequest, .unsupported: false
        }
    }
}

extension RetryPolicy {
    /// Whether an error is one of those after which a call is sent again.
    func covers(_ error: APIError, _ definition: APIDefinition) -> Bool {
        if let code = error.code, definition.errors.retryable.contains(code) { return true }
        return conditions.contains { condition in
            switch condition {
            case .transport:
                switch error.reason {
                case .transport, .download: true
                default: false
                }
            case .status(let range): error.status.map(range.contains) ?? false
            case .code(let code): error.code == code
            }
        }
    }
}

extension DownloadError {
    /// Whether another attempt may do better.
    fileprivate var mayPass: Bool {
        if case .incomplete = reason { true } else { false }
    }
}

extension APIError {
    /// Why, in a few words, for events.
    var reasonWords: String {
        switch reason {
        case .transport(let error): error.message
        case .download(let error): error.description
        case .credentialRefused: "the server no longer takes the token"
        case .credentialExpired: "the token has expired"
        case .noCredential: "there is no token"
        default:
            code.map { "code \($0.excerpt())" } ?? status.map { "status \($0)" }
                ?? "\(phase.rawValue)"
        }
    }
}
