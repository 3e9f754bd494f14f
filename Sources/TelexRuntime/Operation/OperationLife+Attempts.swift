import TelexScheduling

/// How an attempt ends, and with the last one the operation.
extension OperationLife {
    /// Takes the attempt that was left to the waiting task; no further one is left to it.
    ///
    /// - Returns: The attempt to begin; nil if there is none.
    mutating func takeLeftAttempt() -> Int? {
        startsInline = false
        // Avoid allocating a history for operations that wait for their turn.
        guard isAtWork, end == nil, case .awaitingCaller = history.work else { return nil }
        history.work = .beginning
        return history.attempt
    }

    /// Stores the task of an attempt that was left to the waiting task.
    ///
    /// - Returns: Whether the attempt is still in progress.
    mutating func adopt(_ task: Task<Void, Never>, of attempt: Int) -> Bool {
        let history = history
        guard case .beginning = history.work, history.attempt == attempt else { return false }
        history.work = .task(task)
        return true
    }

    /// Pauses the live attempt. Its working time stops, unless it has ended and is being diagnosed.
    mutating func hold(at now: Duration) {
        if !isPaused, isAtWork, !history.hasAttempt { requireColdState().heldSince = now }
        isPaused = true
    }

    /// Ends the pause of the live attempt.
    mutating func letGo(at now: Duration) {
        isPaused = false
        countHeld(until: now)
    }

    /// Adds a pause that ends now to the total.
    private mutating func countHeld(until now: Duration) {
        guard let coldState, let since = coldState.heldSince.take() else { return }
        coldState.held += now - since
    }

    /// Records the credential of the attempt that has ended; does nothing before the first.
    mutating func noteCredential() {
        guard let credential = current?.contents.credential else { return }
        let coldState = requireColdState()
        if !coldState.earlierCredentials.contains(credential) {
            coldState.earlierCredentials.append(credential)
        }
    }

    /// When the operation began to wait for its next attempt.
    var lastMoment: Duration {
        guard let last = attempts.last else { return began }
        return began + last.start + last.duration
    }

    /// Whether an attempt was stopped.
    func hasStopped(_ number: Int) -> Bool {
        end != nil || attempt > number || attempt == number && !isAtWork
    }

    /// - Parameter failure: The engine's reason to end it, if it did.
    mutating func end(
        _ ending: EngineMachine.Ending, failure: (any Error)?, at now: Duration
    ) {
        let history = history
        switch (ending, history.result) {
        case (.cancelled, _):
            history.end = .cancelled
            history.result = nil
        case (.succeeded, .success): history.end = .succeeded
        case (.failed, .failure(let error)):
            history.end = .failed
            // An error from outside the attempts is more informative.
            history.result = .failure(coldState?.reason ?? failure ?? error)
        default:
            history.end = .failed
            history.result = .failure(coldState?.reason ?? failure ?? OperationError.unknown)
        }
        history.ended = now
        // Its task is cancelled only when the end is announced.
        noteStop(at: now)
        // After the end no attempt is paused.
        isPaused = false
        coldState?.onHold = nil
    }

    /// Records that the live attempt is stopped; does nothing if there is none.
    ///
    /// - Parameter error: The reason, if it is specific to the attempt.
    mutating func noteStop(at now: Duration, _ error: (any Error)? = nil) {
        let history = history
        guard history.work.isSome, !history.hasAttempt else { return }
        countHeld(until: now)
        history.add(
            OperationAttempt(
                number: history.attempt, start: history.launched - began,
                duration: now - history.launched,
                status: history.current?.status,
                error: error ?? OperationError.stopped))
    }

    /// Stores the result of an attempt.
    ///
    /// - Returns: Whether the attempt is still the current one.
    mutating func settle(
        _ end: AttemptEnd, of context: AttemptContext, at now: Duration
    ) -> Bool {
        let history = history
        guard history.attempt == context.number, !history.hasAttempt, history.end == nil else {
            return false
        }
        var failure: (any Error)?
        switch end {
        case .success(let value): history.result = .success(value)
        case .failure(let error, _):
            history.result = .failure(error)
            failure = error
        }
        countHeld(until: now)
        history.work = .none
        history.record = context.kept
        history.add(
            OperationAttempt(
                number: context.number, start: context.start - began,
                duration: now - context.start, status: context.kept.status,
                error: failure))
        return true
    }
}
