import HTTPTypes

/// Decides what may be done about a failed attempt.
struct FailureJudge {
    let template: RequestTemplate
    let definition: APIDefinition
    /// Whether a new credential can be had.
    let canRefresh: Bool
    /// Whether the server has done what it was asked. Then it proves nothing that the page which was to
    /// tell so could not be had.
    let wasDone: Bool

    /// - Parameters:
    ///   - error: What went wrong, with all that the server said about it.
    ///   - policy: When the call is sent again.
    ///   - words: What people are told about it.
    func judge(_ error: APIError, _ policy: RetryPolicy, because words: String) -> AttemptFailure {
        var failure = AttemptFailure(remedy(for: error, policy), words)
        failure.isPaced = error.status == 429 && wait(after: error) != nil
        if !canRepeat(after: error) { failure.remedy = failure.remedy.withoutRepeating }
        return failure
    }

    private func remedy(for error: APIError, _ policy: RetryPolicy) -> AttemptFailure.Remedy {
        if error.contents.isFromOtherCall { return .none }
        switch error.reason {
        case .credentialRefused, .credentialExpired, .noCredential:
            return canRefresh ? .refresh : .none
        default: break
        }
        // Of an answer that does no harm twice, the policy alone says whether to ask again.
        let isHarmless = error.isRetryable || template.mayRepeat && error.phase == .status
        guard isHarmless, policy.covers(error, definition) else { return .none }
        return .retry(after: wait(after: error))
    }

    /// How long the server says to wait. No time at all says nothing: it is left alone for a while, as
    /// any server in trouble.
    private func wait(after error: APIError) -> Duration? {
        error.retryAfter.flatMap { $0 > .zero ? $0 : nil }
    }

    /// Whether there is anything left to send: bytes cannot be sent that nobody can make again, and
    /// what was done must not be done twice.
    private func canRepeat(after error: APIError) -> Bool {
        !template.isSpent && (template.mayRepeat || !wasDone && !error.contents.isAfterReply)
    }

    /// Whether the same call may succeed later, and may be sent again without harm.
    func mayRetry(_ error: APIError) -> Bool {
        guard canRepeat(after: error) else { return false }
        let mayRepeat = template.mayRepeat
        if error.contents.isFromOtherCall { return mayRepeat && error.isRetryable }
        let isMarked = error.code.map(definition.errors.retryable.contains) ?? false
        switch error.reason {
        case .transport(let problem): return mayRetry(problem.kind, error)
        // The server says that it did nothing (RFC 6585, section 4), or when to ask it to do it (RFC
        // 9110, section 10.2.3). A bare 503 may come from somebody between, who does not know.
        case .status(429): return true
        // Whoever says that the network wants a log-in has kept the request (RFC 6585, section 6).
        case .status(511): return true
        // The spec says that it does no harm.
        case .status where isMarked, .refused where isMarked: return true
        case .status(503) where wait(after: error) != nil: return true
        case .status(408), .status(500), .status(502), .status(503), .status(504):
            return mayRepeat
        // Another attempt would be answered just so: these statuses have no body.
        case .emptyReply where error.status.map(ReplyRules.bodiless.contains) == true:
            return false
        case .malformedReply, .emptyReply: return mayRepeat
        case .download(let problem): return mayRepeat && problem.mayPass
        default: return false
        }
    }

    /// That the server was not reached proves that it did nothing, unless the head of its reply had come.
    private func mayRetry(_ kind: TransportError.Kind, _ error: APIError) -> Bool {
        switch kind {
        case .offline, .nameNotFound, .cannotConnect:
            template.mayRepeat || error.status == nil && error.phase != .receive
        case .connectionLost, .timedOut, .truncated, .other: template.mayRepeat
        case .cancelled, .tls, .tooLarge, .invalidRequest, .unsupported: false
        }
    }
}

extension RequestTemplate {
    /// Methods that may be sent twice with the effect of once (RFC 9110, section 9.2.2).
    private static let idempotent: Set<HTTPRequest.Method> = [
        .get, .head, .put, .delete, .options, .trace,
    ]

    /// Whether the same request may be sent twice with the effect of once. One with a stream cannot.
    var mayRepeat: Bool {
        guard isReplayable else { return false }
        return Self.idempotent.contains(endpoint.method)
            || endpoint.operation.idempotencyKey != nil
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
        case .timedOut(let limit), .attemptTimedOut(let limit):
            "it took longer than \(limit.inWords)"
        default:
            code.map { "code \($0.excerpt())" } ?? status.map { "status \($0)" }
                ?? "\(phase.rawValue)"
        }
    }
}
