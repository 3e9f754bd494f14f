import HTTPTypes
import TelexJSON
import TelexRequests
import TelexTransport

/// Makes the errors of refused calls, and applies the time that a server asks to wait.
extension Call {
    /// Returns the error for a refusal, with all details that the reply contains.
    @inline(never)
    func refusal(
        of answer: Reply, reason: APIError.Reason, violations: [Violation] = []
    ) -> APIError {
        let limits = rules.json
        let named = rules.errors.statuses.contains(answer.status) ? "\(answer.status)" : nil
        let code = rules.errors.code(in: answer.body, limits: limits) ?? named
        let isExpired = rules.expirySigns.contains { $0.isSign(answer.status, code) }
        // After a redirect, the last request may not have carried the token.
        let expectsToken = isExpired && auth.usesRefreshedScheme
        let isRefused = expectsToken && context?.record.sendsToken == true
        if isRefused { context?.noteCredential(credential) }
        var error = failure(
            in: isRefused ? .auth : .status, reason: isRefused ? .credentialRefused : reason,
            violations: violations,
            at: answer)
        error.retryAfter = applyServerWait(in: answer)
        error.code = code
        error.message = rules.errors.message(in: answer.body, limits: limits) ?? answer.plainText
        error.contents.refusal =
            isRefused ? loginRefusal(credential) : furtherRefusal(by: answer, code: code)
        error.contents.isTokenHeld = expectsToken && !isRefused
        error.contents.errorBodies = rules.errors.objects(in: answer.body, limits: limits)
        return error
    }

    /// Returns how long the server asks to wait, and pauses calls to its host. A positive time in
    /// the body takes precedence over header fields, which may come from a proxy. A time of zero
    /// counts as missing.
    func applyServerWait(in answer: Reply) -> Duration? {
        let (head, limits) = (answer.head, rules.json)
        let told = rules.errors.retryAfter(in: answer.body, limits: limits)
        guard let told, told > .zero else {
            if head.isBusy, rules.errors.declaresWait { applyServerWait(in: head) }
            return wait(in: head) ?? told
        }
        if head.isBusy { context?.pauseHost(told) }
        return told
    }

    /// Returns the wait time in the header fields of a reply.
    func wait(in head: HTTPResponse) -> Duration? {
        let now = pipeline.clock.now()
        // With a 503, the rate fields tell when to try again, but not that the request had no
        // effect.
        guard head.status == .tooManyRequests || head.isBusy && template.mayRepeat else {
            return RetryAfter.wait(head.headerFields, now: now)
        }
        return RetryAfter.retryDelay(head.headerFields, now: now)
    }
}
