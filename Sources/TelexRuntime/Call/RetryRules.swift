import HTTPTypes

/// Which failures may pass if the same call is sent again, without doing anything twice.
enum RetryRules {
    /// Methods that may be sent twice with the effect of once (RFC 9110, section 9.2.2).
    private static let idempotent: Set<HTTPRequest.Method> = [
        .get, .head, .put, .delete, .options, .trace,
    ]

    static func mayRetry(
        _ error: APIError, _ method: HTTPRequest.Method, _ definition: APIDefinition
    ) -> Bool {
        let isIdempotent = idempotent.contains(method)
        switch error.reason {
        case .transport(let problem): return mayRetry(problem.kind, isIdempotent)
        case .status(429), .status(503): return true
        case .status(408), .status(500), .status(502), .status(504): return isIdempotent
        case .status, .refused:
            return error.code.map(definition.errors.retryable.contains) ?? false
        case .malformedReply, .emptyReply: return isIdempotent
        default: return false
        }
    }

    private static func mayRetry(_ kind: TransportError.Kind, _ isIdempotent: Bool) -> Bool {
        switch kind {
        case .offline, .nameNotFound, .cannotConnect: true
        case .connectionLost, .timedOut, .truncated, .other: isIdempotent
        case .cancelled, .tls, .tooLarge, .invalidRequest, .unsupported: false
        }
    }
}
