extension EngineMachine {
    // MARK: Attempts

    /// Decides what follows a failed attempt.
    mutating func attemptFailed(_ id: OperationID, _ failure: AttemptFailure) {
        if failure.sentNothing, let entry = entries[id], !entry.isErrand,
            let seat = entry.ticket?.seat
        {
            scheduler.takeBackRequest(seat, at: entry.notBefore)
        }
        switch failure.remedy {
        case .none: fail(id, .attempt)
        case .retry: repeatLater(id, failure, .attempt)
        case .refresh:
            forgive(id, failure)
            refused(id, failure.reason)
        case .renew: renew(id)
        }
    }

    /// Sends an operation again later whose attempt failed, if that may help.
    mutating func repeatLater(
        _ id: OperationID, _ failure: AttemptFailure, _ error: EngineFailure
    ) {
        forgive(id, failure)
        if entries[id]?.machine.phase != .running {
            failedOnHold(id, failure, error)
        } else if failure.hasProgress, mayRetry(id) {
            guard let time = time(for: id, failure, after: 1, error) else { return }
            wait(id, time, failure.reason)
        } else {
            retry(id, failure, error)
        }
    }

    /// What went wrong before an attempt that came forward no longer counts.
    private mutating func forgive(_ id: OperationID, _ failure: AttemptFailure) {
        guard failure.hasProgress else { return }
        entries.update(id) { entry in
            entry.failures = 0
            entry.refusals = 0
        }
    }

    /// An attempt failed that was held. That is no reason to give up, and to go on will be somebody's
    /// own wish, so it costs nothing of the budget. But it counts, and the server is left alone as it
    /// always is.
    private mutating func failedOnHold(
        _ id: OperationID, _ failure: AttemptFailure, _ error: EngineFailure
    ) {
        guard let failures = entries[id]?.failures else { return }
        guard mayRetry(id) else { return fail(id, error) }
        entries.update(id) { $0.failures = failures + 1 }
        guard let time = time(for: id, failure, after: Int(failures) + 1, error) else { return }
        wait(id, time, failure.reason)
    }

    private func mayRetry(_ id: OperationID) -> Bool {
        entries[id]?.ticket.map { $0.retry.attempts > 1 } ?? false
    }

    /// Sends the operation again later, unless that has been done often enough.
    private mutating func retry(
        _ id: OperationID, _ failure: AttemptFailure, _ error: EngineFailure
    ) {
        guard let entry = entries[id], let policy = entry.ticket?.retry else { return }
        let attempt = entry.machine.attempt
        let failures = entry.failures + 1
        entries.update(id) { $0.failures = failures }
        guard Int(failures) < policy.attempts else {
            if policy.attempts > 1 {
                tell(id, attempt, .notRetried(reason: "it failed \(failures) times"))
            }
            return fail(id, error)
        }
        guard let time = time(for: id, failure, after: Int(failures), error) else { return }
        guard failure.isPaced || budget.withdraw(at: now) else {
            tell(id, attempt, .notRetried(reason: "too many calls are being repeated"))
            return fail(id, error)
        }
        wait(id, time, failure.reason)
    }

    /// How long to wait before the next attempt. If there will be no time for it, the operation fails
    /// now: the error of this attempt says more than a time-out.
    private mutating func time(
        for id: OperationID, _ failure: AttemptFailure, after failures: Int, _ error: EngineFailure
    ) -> Duration? {
        guard let entry = entries[id], let policy = entry.ticket?.retry else { return nil }
        let chance = Double.random(in: 0...1, using: &random)
        let usual =
            failure.delay.map { wait(of: $0, chance) }
            ?? policy.backoff.delay(after: failures, chance: chance)
        let time = max(usual, failure.pause.map { wait(of: $0, chance) } ?? .zero)
        guard now + time >= entry.deadline else { return time }
        tell(id, entry.machine.attempt, .notRetried(reason: "its time is over by then"))
        fail(id, error)
        return nil
    }

    /// What the server says is the least; see `HostPause`.
    private func wait(of asked: Duration, _ chance: Double) -> Duration {
        asked + HostPause.spread(after: asked) * chance
    }

    /// How long to leave a server alone that wants so long a pause, if any.
    mutating func leastWait(_ pause: Duration?) -> Duration {
        pause.map { wait(of: $0, Double.random(in: 0...1, using: &random)) } ?? .zero
    }

    private mutating func wait(_ id: OperationID, _ time: Duration, _ reason: String) {
        guard let attempt = entries[id]?.machine.attempt else { return }
        entries.update(id) { $0.notBefore = now + time }
        tell(id, attempt, .retrying(after: time, reason: reason))
        timers.sweep { entries.contains($0) }
        timers.set(.retry(id, attempt: attempt), at: now + time)
        feed(id, .retry(at: now + time))
    }
}
