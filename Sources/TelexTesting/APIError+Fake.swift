import TelexRuntime

extension APIError {
    /// Makes an error like one that a call throws, for stubs of a fake and for tests of an app's
    /// error handling.
    ///
    /// ```swift
    /// pictures.onRename { _ in
    ///     throw APIError.fake("pictures.rename", .status(403), code: "15", message: "not yours")
    /// }
    /// ```
    ///
    /// The derived members work: `fault`, `needsLogin`, `code(in:)` and the description.
    ///
    /// - Parameters:
    ///   - method: The name of the method in the API.
    ///   - reason: The reason of the failure.
    ///   - phase: The phase in which the call failed; nil for the usual phase of such a failure.
    ///   - status: The status code of the reply; nil for the one in `reason`, if it is `.status`.
    ///   - code: The API's own error code, as text.
    ///   - message: The API's own error message.
    ///   - violations: The violations in the request or the reply.
    ///   - isRetryable: Whether the same call may succeed later. A stub does not repeat the call.
    ///   - retryAfter: How long the server asks the client to wait.
    ///   - attempts: The number of attempts. If nil, 0 for a call that fails before or in the queue
    ///     (`.invalidRequest`, `.throttled`, `.replaced`, `.hostPaused`), otherwise 1.
    public static func fake(
        _ method: String, _ reason: Reason, phase: Phase? = nil, status: Int? = nil,
        code: String? = nil, message: String? = nil, violations: [Violation] = [],
        isRetryable: Bool = false, retryAfter: Duration? = nil, attempts: Int? = nil
    ) -> APIError {
        var error = APIError(
            method: method, phase: phase ?? reason.usualPhase, reason: reason,
            violations: violations)
        error.status = status ?? reason.status
        error.code = code
        error.message = message
        error.isRetryable = isRetryable
        error.retryAfter = retryAfter
        error.attempts = attempts ?? ([.build, .queue].contains(error.phase) ? 0 : 1)
        return error
    }
}

extension APIError.Reason {
    fileprivate var status: Int? {
        if case .status(let status) = self { status } else { nil }
    }
}
