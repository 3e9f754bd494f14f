/// How far the attempt is, which the engine has to know, and when it may go on.
extension AttemptContext {
    /// Whether the attempt is held.
    var isHeld: Bool { handle.isHeld }

    /// Returns once the attempt is not held; to be asked before each piece of work.
    @inline(__always)
    nonisolated(nonsending) func waitWhileHeld() async throws(CancellationError) {
        // Few are held, and to ask is much cheaper than to wait for no time.
        if handle.isHeld { try await handle.waitWhileHeld() }
    }

    /// The same before a request is sent, which waits for rates and hosts as soon as it may go.
    @inline(__always)
    nonisolated(nonsending) func passGateToSend() async throws(CancellationError) {
        if handle.isHeld { try await waitToSend() }
    }

    nonisolated(nonsending) private func waitToSend() async throws(CancellationError) {
        tellAsking(true)
        try await handle.waitWhileHeld()
        tellAsking(false)
    }

    /// Tells the engine how far the attempt is, if it does not know.
    ///
    /// - Returns: Whether the engine said that it has given the attempt up.
    @discardableResult
    func reportProgress(_ attemptProgress: AttemptProgress) -> Bool {
        let isKnown = kept.update { record in
            defer { record.attemptProgress = attemptProgress }
            return record.attemptProgress == attemptProgress
        }
        return !isKnown && !handle.reportProgress(attemptProgress, attempt: number)
    }

    /// Tells the engine that another request is sent than the first.
    func sendsAnother() { handle.sends(attempt: number) }

    /// Returns once another request may be sent, which rates and hosts have a say in.
    func waitToAskAgain() async throws(CancellationError) {
        tellAsking(true)
        handle.asks(attempt: number)
        try await handle.waitWhileHeld()
        tellAsking(false)
    }

    /// Tells the engine whether a request is sent when the attempt, which is held, goes on.
    private func tellAsking(_ asksAgain: Bool) {
        var attemptProgress = record.attemptProgress
        attemptProgress.asksAgain = asksAgain
        attemptProgress.isUnsent = asksAgain && record.hop == nil
        reportProgress(attemptProgress)
    }

    /// Remembers that the next attempt will not begin at the beginning.
    func cameForward() { reportProgress(AttemptProgress(hasProgress: true)) }

    /// Returns once the attempt has been stopped, which its being given up leads to.
    func stopped() async {
        let (never, source) = AsyncStream<Void>.makeStream()
        for await _ in never {}
        source.finish()
    }
}
