import HTTPTypes
import TelexDownloads
import TelexRequests
import TelexScheduling
import TelexTransport

/// Decides the remedy for a failed attempt.
struct FailureJudge {
    let template: RequestTemplate
    let errors: ErrorRules
    /// Whether the server has already executed the request and redirected to its result. A failure
    /// to fetch the result proves nothing about the action.
    let wasExecuted: Bool

    /// Returns the remedy for a failed attempt.
    ///
    /// - Parameters:
    ///   - error: The error with all details that the server sent.
    ///   - policy: The effective retry policy.
    ///   - words: The reason as events and errors show it.
    func judge(_ error: APIError, policy: RetryPolicy, because words: String) -> AttemptFailure {
        var failure = AttemptFailure(remedy(for: error, policy), words)
        failure.isRateLimited = error.status == 429 && wait(after: error) != nil
        if !canRepeat(after: error) { failure.remedy = failure.remedy.withoutRepeating }
        return failure
    }

    private func remedy(for error: APIError, _ policy: RetryPolicy) -> AttemptFailure.Remedy {
        if error.contents.isFromOtherCall { return .none }
        if let refusal = error.contents.refusal { return .refresh(refusal.scheme) }
        switch error.reason {
        case .credentialRefused, .credentialExpired, .noCredential: return .none
        case .pending: return .retry(after: wait(after: error))
        default: break
        }
        // If a repeat is harmless, the policy alone decides whether the status is retried.
        let isHarmless = error.isRetryable || template.mayRepeat && error.phase == .status
        guard isHarmless, policy.covers(error, errors) else { return .none }
        return .retry(after: wait(after: error))
    }

    /// How long calls to the host must wait after a 429. One without a time asks for the usual
    /// back-off. An error code that is retried concerns its own call.
    func hostWait(after error: APIError, policy: RetryPolicy) -> Duration? {
        error.status == 429 ? wait(after: error) ?? policy.backoff.initial : nil
    }

    /// The wait time that the server asked for. Zero counts as missing, so the usual back-off
    /// applies.
    private func wait(after error: APIError) -> Duration? {
        error.retryAfter.flatMap { $0 > .zero ? $0 : nil }
    }

    /// Whether the request can be sent again: none of its streams has been read, and it is
    /// idempotent or has not been executed.
    private func canRepeat(after error: APIError) -> Bool {
        !template.isConsumed && (template.mayRepeat || !wasExecuted && !error.contents.isAfterReply)
    }

    /// Whether the same call may succeed later and can be repeated without harm.
    func mayRetry(_ error: APIError) -> Bool {
        guard canRepeat(after: error) else { return false }
        let mayRepeat = template.mayRepeat
        if error.contents.isFromOtherCall { return mayRepeat && error.isRetryable }
        let isMarked = error.code.map(errors.retryable.contains) ?? false
        switch error.reason {
        case .transport(let problem): return mayRetry(problem.kind, error)
        // The server did nothing (429; RFC 6585, section 4) or gives a time for the repeat (RFC
        // 9110, section 10.2.3). A 503 without a time may come from a proxy that does not know.
        case .status(429): return true
        // The captive portal has not forwarded the request (RFC 6585, section 6).
        case .status(511): return true
        // The spec marks the code as retryable.
        case .status where isMarked, .refused where isMarked: return true
        case .status(503) where wait(after: error) != nil: return true
        case .status(408), .status(500), .status(502), .status(503), .status(504):
            return mayRepeat
        // Another attempt would get the same reply, because these statuses have no body.
        case .emptyReply where error.status.map(ReplyRules.statusesWithoutBody.contains) == true:
            return false
        case .malformedReply, .emptyReply: return mayRepeat
        case .download(let problem): return mayRepeat && problem.mayPass
        default: return false
        }
    }

    /// A failure to connect proves that the server did nothing, unless the head of a reply had
    /// arrived.
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
    /// The idempotent methods (RFC 9110, section 9.2.2, and for others the IANA registry of HTTP
    /// methods).
    private static let idempotent: Set = [
        "GET", "HEAD", "PUT", "DELETE", "OPTIONS", "TRACE", "COPY", "MKCOL", "MOVE", "PROPFIND",
        "PROPPATCH", "QUERY", "REPORT", "SEARCH", "UNLOCK",
    ]

    /// Whether the same request can be repeated with the effect of one. A request with a stream
    /// cannot.
    var mayRepeat: Bool {
        guard isReplayable else { return false }
        return Self.idempotent.contains(endpoint.method.rawValue)
            || endpoint.operation.idempotencyKey != nil || endpoint.operation.isSafe
    }
}

extension RetryPolicy {
    /// Whether the policy retries after an error.
    func covers(_ error: APIError, _ errors: ErrorRules) -> Bool {
        if let code = error.code, errors.retryable.contains(code) { return true }
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
    /// Whether another attempt may succeed.
    fileprivate var mayPass: Bool {
        switch reason {
        case .incomplete, .wrongDigest: true
        default: false
        }
    }
}

extension APIError {
    /// The reason in a few words, for events.
    var shortReason: String {
        switch reason {
        case .transport(let error): error.message
        case .download(let error): error.description
        case .credentialRefused: "the server no longer accepts the token"
        case .credentialExpired: "the token has expired"
        case .noCredential: "there is no token"
        case .timedOut(let limit), .attemptTimedOut(let limit):
            "it took longer than \(limit.roundedDescription)"
        case .pending: "the reply is not final yet"
        case _ where contents.refusal != nil: "the server no longer accepts a token"
        default:
            code.map { "code \($0.excerpt())" } ?? status.map { "status \($0)" }
                ?? "\(phase.rawValue)"
        }
    }
}
