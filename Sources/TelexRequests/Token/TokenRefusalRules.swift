import TelexCredentials
import TelexJSON
import TelexTransport

/// How an API refuses a refresh at one of its own servers, if not in the way of OAuth: in the same
/// way in which it refuses every call.
package struct TokenRefusalRules: Sendable {
    /// The content of a refusal.
    package struct Refusal {
        /// The error code; `nil` if there is none.
        package var code: String?
        /// The server's message.
        package var words: String?
    }

    /// The rules for successful replies.
    package let success: ReplyRules
    /// The places of the error's properties.
    package let errors: ErrorRules

    private static let limits = JSONLimits(bytes: TokenReply.maximumBytes, depth: 16)

    /// The paths of the code and the message of a refusal, which are shown.
    package var shown: [[String]] {
        ([errors.code, errors.message] + errors.furtherMessages).filter { !$0.isEmpty }.map {
            errors.at.compactMap(\.key) + $0
        }
    }

    /// Returns the code and the message of a refusal.
    package func refusal(in body: [UInt8]) -> Refusal {
        let code = errors.code(in: body, limits: Self.limits)
        // Some servers send a code even without an error.
        return Refusal(
            code: code == "0" || code == "" ? nil : code,
            words: errors.message(in: body, limits: Self.limits))
    }

    /// Whether a reply without a token and with a success status is a refusal.
    package func refuses(_ body: [UInt8], _ refusal: Refusal) -> Bool {
        if let code = refusal.code, isRetryable(code) || !success.hasKeyRules { return true }
        return success.hasKeyRules && success.violation(in: body, limits: Self.limits) != nil
    }

    /// Returns the time to wait that a refusal contains; `nil` if there is none, or if it is zero.
    package func wait(in body: [UInt8]) -> Duration? {
        errors.retryAfter(in: body, limits: Self.limits).flatMap {
            $0 > .zero ? min($0, RetryAfter.maximum) : nil
        }
    }

    /// Whether the same request may succeed after this code.
    package func isRetryable(_ code: String) -> Bool { errors.retryable.contains(code) }

    /// Returns the remedy after a refused refresh; `nil` for an OAuth code, which determines it.
    package func remedy(after code: String, with status: Int) -> CredentialError.Remedy? {
        // A temporary failure or overload does not mean that the refresh token is invalid.
        if isRetryable(code) || status == 429 || status >= 500 { return .time }
        if OAuthErrorCode(rawValue: code).isKnown { return nil }
        let isAboutGrant = (200...299).contains(status) || status == 400 || status == 401
        return isAboutGrant ? .login : .neither
    }
}

extension APIDefinition {
    /// Returns how the API refuses a refresh; `nil` for an address that is not on one of its own
    /// servers.
    package func refusals(at address: String, among servers: ServerDirectory) -> TokenRefusalRules?
    {
        let own = servers.fixedAddresses + [servers.defaultPlace?.address].compactMap { $0 }
        guard let address = Address(address), own.contains(where: address.hasSameOrigin)
        else { return nil }
        return TokenRefusalRules(success: reply, errors: errors)
    }
}
