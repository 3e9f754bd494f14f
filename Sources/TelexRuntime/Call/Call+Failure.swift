import TelexScheduling

/// Turns the error of a failed attempt into an error for the app and a remedy for the engine.
extension Call {
    /// Returns the redacted error and the remedy that the engine may apply.
    func failed(
        _ error: APIError, context: AttemptContext
    ) -> (APIError, AttemptFailure) {
        // The remedy depends on the server's full reply, not on the redacted text.
        let whole = completed(error)
        var redactedError = redactedError(whole)
        var failure = verdict(
            on: whole, reason: redactedError.shortReason, context: context)
        if !error.contents.isFromOtherCall {
            // If a login is needed, the app must not repeat the call instead: repeats would fail
            // and the user would never log in.
            if case .renew(let scheme) = failure.remedy {
                redactedError.contents.isRenewing = !context.handle.engine.needsLogin(
                    inPlaceOf: error.contents.refusal?.credential, of: scheme)
            }
            let diagnosisRequest = diagnosisRequest(of: redactedError, context)
            context.setDiagnosisRequest(diagnosisRequest)
            failure.isSuspicious = diagnosisRequest != nil
        }
        return (redactedError, failure)
    }

    private func verdict(
        on error: APIError, reason words: String, context: AttemptContext
    ) -> AttemptFailure {
        let policy = rules.retry
        var failure = judge.judge(error, policy: policy, because: words)
        failure.hasProgress = context.record.attemptProgress.hasProgress
        failure.sentNothing = context.kept.hop == nil
        if context.isAtOwnHost { failure.hostWait = judge.hostWait(after: error, policy: policy) }
        if error.reason == .pending {
            failure.hasProgress = true
            failure.polling = template.endpoint.operation.until?.backoff
        }
        if case .stream(let job) = plan.job {
            let now = job.now
            // Elements that have been delivered must not be delivered again.
            if !now.canContinue { failure.remedy = failure.remedy.withoutRepeating }
            failure.pause = now.pause
        }
        return failure
    }
}
