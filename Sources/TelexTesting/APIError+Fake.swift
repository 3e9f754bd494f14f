import TelexRuntime

extension APIError {
    /// Makes an error as a call throws it, for the stub of a fake and for tests of what an app does about
    /// failures.
    ///
    /// ```swift
    /// pictures.onRename { _ in
    ///     throw APIError.fake("pictures.rename", .status(403), code: "15", message: "not yours")
    /// }
    /// ```
    ///
    /// What follows from an error follows from this one, too: its `fault`, `needsLogin`,
    /// `code(in:)`, its description.
    ///
    /// - Parameters:
    ///   - method: The API's name of the method.
    ///   - reason: What went wrong.
    ///   - phase: How far the call came; nil for where such a call fails as a rule.
    ///   - status: The status of the reply; nil for that of the reason, if it is one.
    ///   - code: The API's own code, as text.
    ///   - message: The API's own words.
    ///   - violations: What is wrong with the request or the reply.
    ///   - isRetryable: Whether the same call may succeed later. A stub does not send it again.
    ///   - retryAfter: How long the server asks to wait.
    ///   - attempts: How many attempts there were; nil for none if the call came no further than its
    ///     queue (`.invalidRequest`, `.throttled`, `.replaced`, `.hostPaused`), and otherwise one.
    public static func fake(
        _ method: String, _ reason: Reason, phase: Phase? = nil, status: Int? = nil,
        code: String? = nil, message: String? = nil, violations: [Violation] = [],
        isRetryable: Bool = false, retryAfter: Duration? = nil, attempts: Int? = nil
    ) -> APIError {
        var error = APIError(
            method: method, phase ?? reason.usualPhase, reason, violations: violations)
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
