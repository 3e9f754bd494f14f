extension EngineMachine {
    /// Why an operation is not sent again that would be too late.
    static let noTimeLeft = "its time is over by then"

    // MARK: Attempts

    /// Decides what follows a failed attempt.
    mutating func attemptFailed(_ id: OperationID, _ failure: AttemptFailure) {
        if failure.sentNothing { takeBackRequest(of: id) }
        entries.update(id) { $0.isUnsent = failure.sentNothing }
        switch failure.remedy {
        case .none: conclude(id, failure)
        case .retry: repeatLater(id, failure, .attempt)
        case .refresh:
            forgive(id, failure)
            refused(id, failure.reason)
        case .renew: renew(id)
        }
    }

    /// An attempt says how far it is.
    mutating func noteProgress(_ id: OperationID, _ attemptProgress: AttemptProgress) {
        var attemptProgress = attemptProgress
        // One that may go on already sends what has been counted.
        if entries[id]?.machine.phase == .running { attemptProgress.isUnsent = false }
        if attemptProgress.isUnsent { takeBackRequest(of: id) }
        self.attemptProgress[id] = attemptProgress
        scheduler.change(id, sends: attemptProgress.asksAgain)
    }

    /// What the live attempt was to send counts no longer, unless it has been taken back before.
    private mutating func takeBackRequest(of id: OperationID) {
        guard let entry = entries[id], !entry.isErrand, let slot = entry.scheduling?.slot,
            attemptProgress[id]?.isUnsent != true
        else { return }
        scheduler.takeBackRequest(slot, at: entry.notBefore)
    }

    /// Sends an operation again later whose attempt failed, if that may help.
    mutating func repeatLater(
        _ id: OperationID, _ failure: AttemptFailure, _ error: EngineFailure
    ) {
        forgive(id, failure)
        switch sequel(of: id, failure) {
        case .again(let time, let failures):
            entries.update(id) { $0.failures = failures }
            wait(id, time, failure.reason, error)
        case .none(let reason):
            if let reason, let attempt = entries[id]?.machine.attempt {
                tell(id, attempt, .notRetried(reason: reason))
            }
            if error == .attempt { conclude(id, failure) } else { giveUp(id, error) }
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

    /// What follows a failed attempt that may be repeated.
    private enum Sequel {
        /// Another attempt after this time, and so many failures count by then.
        case again(after: Duration, failures: UInt32)
        /// None; why, where that is worth telling.
        case none(String?)
    }

    /// Decides whether an operation is sent again, and pays for it if that costs anything.
    ///
    /// That an attempt failed which was held is no reason to give up, and to go on will be somebody's
    /// own wish, so it costs nothing of the budget. But it counts, and the server is left alone as it
    /// always is. One that came forward does not count; see `AttemptFailure.hasProgress`.
    private mutating func sequel(of id: OperationID, _ failure: AttemptFailure) -> Sequel {
        guard let entry = entries[id], let scheduling = entry.scheduling,
            scheduling.retry.attempts > 1
        else {
            return .none(nil)
        }
        let policy = scheduling.retry
        let isHeld = entry.machine.phase != .running
        let counts = isHeld || !failure.hasProgress
        let failures = (failure.hasProgress ? 0 : entry.failures) + (counts ? 1 : 0)
        let isLimited = counts && !isHeld
        if isLimited, Int(failures) >= policy.attempts {
            return .none("it failed \(failures) times")
        }
        let time = time(after: Int(failures), failure, policy, .random(in: 0...1, using: &random))
        // The error of this attempt says more than a time-out.
        guard now + time < entry.deadline else { return .none(Self.noTimeLeft) }
        guard failure.delay.map({ $0 > scheduling.longestPause }) != true else {
            return .none("the server asks for a longer pause than the call waits for")
        }
        guard !isLimited || failure.isPaced || budget.withdraw(at: now) else {
            return .none("too many calls are being repeated")
        }
        return .again(after: time, failures: failures)
    }

    /// How long to wait before the next attempt.
    private func time(
        after failures: Int, _ failure: AttemptFailure, _ policy: RetryPolicy, _ chance: Double
    ) -> Duration {
        let usual =
            failure.delay.map { wait(of: $0, chance) }
            ?? policy.backoff.delay(after: failures, chance: chance)
        return max(usual, failure.pause.map { wait(of: $0, chance) } ?? .zero)
    }

    /// What the server says is the least; see `HostPause`.
    private func wait(of asked: Duration, _ chance: Double) -> Duration {
        asked + HostPause.spread(after: asked) * chance
    }

    /// How long to leave a server alone that wants so long a pause, if any.
    mutating func leastWait(_ pause: Duration?) -> Duration {
        pause.map { wait(of: $0, Double.random(in: 0...1, using: &random)) } ?? .zero
    }

    private mutating func wait(
        _ id: OperationID, _ time: Duration, _ reason: String, _ error: EngineFailure
    ) {
        guard let attempt = entries[id]?.machine.attempt else { return }
        entries.update(id) { $0.notBefore = now + time }
        tell(id, attempt, .retrying(after: time, reason: reason))
        timers.sweep { entries.contains($0) }
        timers.set(.retry(id, attempt: attempt), at: now + time)
        feed(id, .retry(at: now + time), because: error)
        actions.append(.waits(id, until: now + time))
    }
}

extension EngineMachine {
    /// Whether all of an operation has taken too long by this moment, and nothing else is settled about
    /// its end.
    func isOver(_ id: OperationID, by moment: Duration) -> Bool {
        guard let entry = entries[id], !verdicts.contains(id) else { return false }
        return entry.deadline <= moment
    }
}
