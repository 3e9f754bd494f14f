import TelexScheduling

/// Reports the attempt's progress to the engine, and waits while the attempt is paused.
extension AttemptContext {
    /// Whether the attempt is paused.
    var isHeld: Bool { handle.isHeld }

    /// Returns once the attempt is not paused; call this before each piece of work.
    @inline(__always)
    nonisolated(nonsending) func waitWhilePaused() async throws(CancellationError) {
        // Few attempts are paused, and the check is much cheaper than an asynchronous call.
        if handle.isHeld { try await handle.waitWhilePaused() }
    }

    /// Like `waitWhilePaused`, before a request is sent. When the attempt continues, that request is
    /// subject to rates and host pauses.
    @inline(__always)
    nonisolated(nonsending) func waitForPermissionToSend() async throws(CancellationError) {
        if handle.isHeld { try await waitToSend() }
    }

    nonisolated(nonsending) private func waitToSend() async throws(CancellationError) {
        reportSendsWhenResumed(true)
        try await handle.waitWhilePaused()
        reportSendsWhenResumed(false)
    }

    /// Reports progress to the engine if it has changed.
    ///
    /// - Returns: Whether the engine has stopped the attempt.
    @discardableResult
    func reportProgress(_ attemptProgress: AttemptProgress) -> Bool {
        let isKnown = kept.update { record in
            defer { record.attemptProgress = attemptProgress }
            return record.attemptProgress == attemptProgress
        }
        return !isKnown && !handle.reportProgress(attemptProgress, attempt: number)
    }

    /// Reports that a further request is sent.
    func countNextRequest() { handle.countRequest(attempt: number) }

    /// Returns once rates and host pauses permit a further request.
    func waitToSendNextRequest() async throws(CancellationError) {
        reportSendsWhenResumed(true)
        handle.requestTurn(attempt: number)
        try await handle.waitWhilePaused()
        reportSendsWhenResumed(false)
    }

    /// Reports whether the paused attempt sends a request when it continues.
    private func reportSendsWhenResumed(_ sendsWhenResumed: Bool) {
        var attemptProgress = record.attemptProgress
        attemptProgress.sendsWhenResumed = sendsWhenResumed
        attemptProgress.isUnsent = sendsWhenResumed && kept.hop == nil
        reportProgress(attemptProgress)
    }

    /// Records that the next attempt will resume rather than start over.
    func reportAdvance() { reportProgress(AttemptProgress(hasProgress: true)) }

    /// Returns once the attempt has been stopped; call this after the engine has decided to stop
    /// it.
    func stopped() async {
        let (never, source) = AsyncStream<Void>.makeStream()
        for await _ in never {}
        source.finish()
    }
}
