/// What becomes of an attempt that failed.
extension Call {
    /// The error as people see it, and what may be done about it.
    func failed(
        _ error: APIError, _ job: TransferJob, _ context: AttemptContext
    ) -> (APIError, AttemptFailure) {
        // By what the server said, and not by what is left of it.
        let whole = completed(error)
        var shown = shown(whole)
        var failure = verdict(whole, shown.reasonWords, job, context)
        if !error.contents.isFromOtherCall {
            // Who is told to make the call again, and again in vain, would never log in.
            shown.contents.isRenewing =
                failure.remedy == .renew
                && !context.handle.engine.needsLogin(inPlaceOf: credential)
            let diagnosisRequest = diagnosisRequest(of: shown, context)
            context.suspect(diagnosisRequest)
            failure.isSuspicious = diagnosisRequest != nil
        }
        return (shown, failure)
    }

    private func verdict(
        _ error: APIError, _ words: String, _ job: TransferJob, _ context: AttemptContext
    ) -> AttemptFailure {
        let policy = pipeline.retryPolicy(of: template, overrides)
        var failure = judge.judge(error, policy, because: words)
        failure.hasProgress = context.record.attemptProgress.hasProgress
        failure.sentNothing = context.record.hop == nil
        if case .stream(let job) = job {
            let now = job.now
            // Elements that have been handed out must not come twice.
            if !now.canContinue { failure.remedy = failure.remedy.withoutRepeating }
            failure.pause = now.pause
        }
        return failure
    }
}
