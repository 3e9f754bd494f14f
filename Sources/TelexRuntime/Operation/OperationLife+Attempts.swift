/// How an attempt ends, and with the last one the operation.
extension OperationLife {
    /// What has been left to the task that asks; from now on nothing is.
    ///
    /// - Returns: The attempt to begin; nil if there is none.
    mutating func takeLeftAttempt() -> Int? {
        leavesAttempt = false
        // Those that wait for their turn have no course.
        guard isAtWork, end == nil, case .left = history.work else { return nil }
        history.work = .beginning
        return history.attempt
    }

    /// Keeps the task of an attempt that has been left to somebody.
    ///
    /// - Returns: Whether the attempt is still at work.
    mutating func adopt(_ task: Task<Void, Never>, of attempt: Int) -> Bool {
        let history = history
        guard case .beginning = history.work, history.attempt == attempt else { return false }
        history.work = .task(task)
        return true
    }

    /// Holds the live attempt. From now on it does not work; one that is looked into has done so.
    mutating func hold(at now: Duration) {
        if !isPaused, isAtWork, !history.hasAttempt { requireColdState().heldSince = now }
        isPaused = true
    }

    /// Holds the live attempt no longer.
    mutating func letGo(at now: Duration) {
        isPaused = false
        countHeld(until: now)
    }

    /// The attempt goes on, or has ended.
    private mutating func countHeld(until now: Duration) {
        guard let coldState, let since = coldState.heldSince.take() else { return }
        coldState.held += now - since
    }

    /// Remembers what the attempt has shown that is over; nothing before the first.
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

    /// - Parameter failure: Why the engine ended it, if it did.
    mutating func end(
        _ ending: EngineMachine.Ending, _ failure: (any Error)?, at now: Duration
    ) {
        let history = history
        switch (ending, history.result) {
        case (.cancelled, _):
            history.end = .cancelled
            history.result = nil
        case (.succeeded, .success): history.end = .succeeded
        case (.failed, .failure(let error)):
            history.end = .failed
            // An error from outside of the attempts says more than theirs.
            history.result = .failure(coldState?.reason ?? failure ?? error)
        default:
            history.end = .failed
            history.result = .failure(coldState?.reason ?? failure ?? OperationError.unknown)
        }
        history.ended = now
        // Its task goes on until the end is announced.
        noteStop(at: now)
        // Nobody is held any more, nor will be.
        isPaused = false
        coldState?.onHold = nil
    }

    /// Notes that the live attempt does not end by itself; nothing if there is none.
    ///
    /// - Parameter error: Why, if that is its own matter.
    mutating func noteStop(at now: Duration, _ error: any Error = OperationError.stopped) {
        let history = history
        guard history.work.isSome, !history.hasAttempt else { return }
        countHeld(until: now)
        history.add(
            OperationAttempt(
                number: history.attempt, start: history.launched - began,
                duration: now - history.launched,
                status: history.current?.contents.head?.status.code,
                error: error))
    }

    /// Keeps what an attempt left behind.
    ///
    /// - Returns: Whether the attempt is still the one that counts.
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
                duration: now - context.start, status: context.record.head?.status.code,
                error: failure))
        return true
    }
}
