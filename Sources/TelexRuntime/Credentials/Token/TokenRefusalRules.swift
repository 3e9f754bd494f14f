import TelexJSON
import TelexTransport

/// How an API says no to a refresh at a server of its own, if not as OAuth has it: the way in which it
/// says no to every call.
struct TokenRefusalRules: Sendable {
    /// A server's no.
    struct Refusal {
        /// Why, for programs; nil if the server does not say.
        var code: String?
        /// The server's own words.
        var words: String?
    }

    /// When a reply counts as success.
    let success: ReplyRules
    /// Where it says what went wrong.
    let errors: ErrorRules

    private static let limits = JSONLimits(bytes: TokenEndpoint.maximumReplyBytes, depth: 16)

    /// Where a reply has what people are shown of a no: code and words.
    var shown: [[String]] {
        [errors.code, errors.message].filter { !$0.isEmpty }.map { errors.at + $0 }
    }

    /// What a reply that is a no says about it.
    func refusal(in body: [UInt8]) -> Refusal {
        let code = errors.code(in: body, limits: Self.limits)
        // Some servers have a code for no error.
        return Refusal(
            code: code == "0" || code == "" ? nil : code,
            words: errors.message(in: body, limits: Self.limits))
    }

    /// Whether a reply without a token, whose status is one of success, says no.
    func refuses(_ body: [UInt8], _ refusal: Refusal) -> Bool {
        if let code = refusal.code, mayPass(code) || !success.askForKeys { return true }
        return success.askForKeys && success.violation(in: body, limits: Self.limits) != nil
    }

    /// How long a no asks to wait; nil if it does not say, or no time at all.
    func wait(in body: [UInt8]) -> Duration? {
        errors.retryAfter(in: body, limits: Self.limits).flatMap {
            $0 > .zero ? min($0, RetryAfter.maximum) : nil
        }
    }

    /// Whether the same request may succeed after this code.
    func mayPass(_ code: String) -> Bool { errors.retryable.contains(code) }

    /// What helps after the server's no to a refresh; nil if the code says it, which is one of OAuth.
    func remedy(after code: String, with status: Int) -> CredentialError.Remedy? {
        // What is in trouble, or has too much to do, says nothing about the refresh token.
        if mayPass(code) || status == 429 || status >= 500 { return .time }
        if OAuthErrorCode(rawValue: code).isKnown { return nil }
        let isAboutGrant = (200...299).contains(status) || status == 400 || status == 401
        return isAboutGrant ? .login : .neither
    }
}

extension APIDefinition {
    /// How the API says no to a refresh: to one at another server nothing is known about that.
    func refusals(at address: String, among servers: ServerDirectory) -> TokenRefusalRules? {
        let own = servers.known + [servers.usual?.address].compactMap { $0 }
        guard let address = Address(address), own.contains(where: address.hasSameOrigin)
        else { return nil }
        return TokenRefusalRules(success: reply, errors: errors)
    }
}
