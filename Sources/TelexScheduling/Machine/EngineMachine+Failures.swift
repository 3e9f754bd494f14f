extension EngineMachine {
    /// The reason reported when a retry would begin after the deadline.
    package static let noTimeLeft = "its deadline comes before the next attempt"

    // MARK: Attempts

    /// Decides what follows a failed attempt.
    mutating func attemptFailed(_ id: OperationID, _ failure: AttemptFailure) {
        if failure.sentNothing { takeBackRequest(of: id) }
        entries.update(id) { $0.isUnsent = failure.sentNothing }
        var failure = failure
        failure.isOneOfMany = noteRefusal(of: id, failure)
        switch failure.remedy {
        case .none: failOrDiagnose(id, failure)
        case .retry: repeatLater(id, after: failure, error: .attempt)
        case .refresh(let scheme):
            resetFailures(id, failure)
            refused(id, scheme, failure.reason, isMissing: failure.sentNothing)
        case .renew(let scheme): renew(id, scheme)
        }
    }

    /// Lets calls to the operation's host go one by one after the host refused an attempt because
    /// it limits their rate. No call waits for this longer than the operation waits for a pause.
    ///
    /// - Returns: Whether the attempt was sent before an earlier refusal was known.
    private mutating func noteRefusal(of id: OperationID, _ failure: AttemptFailure) -> Bool {
        guard let wait = failure.hostWait else {
            scheduler.noteServed(id, at: now)
            return false
        }
        guard let scheduling = entries[id]?.scheduling, let host = scheduling.slot?.host
        else { return false }
        return scheduler.refuse(host, for: min(wait, scheduling.longestPause), at: now)
    }

    /// Records the progress of an attempt.
    mutating func noteProgress(_ id: OperationID, _ attemptProgress: AttemptProgress) {
        var attemptProgress = attemptProgress
        // A running attempt already sends the request that has been counted.
        if entries[id]?.machine.phase == .running { attemptProgress.isUnsent = false }
        if attemptProgress.isUnsent { takeBackRequest(of: id) }
        self.attemptProgress[id] = attemptProgress
        scheduler.change(id, sends: attemptProgress.sendsWhenResumed)
    }

    /// Removes the live attempt's request from the rates, unless that was done before.
    private mutating func takeBackRequest(of id: OperationID) {
        guard let entry = entries[id], !entry.isPrivileged, let slot = entry.scheduling?.slot,
            attemptProgress[id]?.isUnsent != true
        else { return }
        scheduler.takeBackRequest(slot, at: entry.notBefore)
    }

    /// Schedules a retry of an operation whose attempt failed, if a retry may help.
    mutating func repeatLater(
        _ id: OperationID, after failure: AttemptFailure, error: EngineFailure
    ) {
        resetFailures(id, failure)
        switch retryDecision(of: id, failure) {
        case .again(let time, let failures):
            entries.update(id) { $0.failures = failures }
            scheduleRetry(of: id, after: time, reason: failure.reason, error: error)
        case .none(let reason):
            if let reason, let attempt = entries[id]?.machine.attempt {
                report(.notRetried(reason: reason), of: id, attempt: attempt)
            }
            if error == .attempt {
                failOrDiagnose(id, failure)
            } else {
                diagnoseThenFail(id, error)
            }
        }
    }

    /// Resets the failure counts after an attempt that made progress.
    private mutating func resetFailures(_ id: OperationID, _ failure: AttemptFailure) {
        guard failure.hasProgress else { return }
        entries.update(id) { entry in
            entry.failures = 0
            entry.refusals = 0
        }
    }

    /// What follows a failed attempt that may be repeated.
    private enum RetryDecision {
        /// Another attempt after this time, with the new count of failures.
        case again(after: Duration, failures: UInt32)
        /// No attempt; the reason, if it is worth reporting.
        case none(String?)
    }

    /// Decides whether an operation is sent again, and charges the retry budget if the retry costs
    /// anything.
    ///
    /// A failure of a paused attempt does not end the operation and costs no budget, because the
    /// user will resume it deliberately. It still counts as a failure, and the back-off applies. An
    /// attempt that made progress does not count; see `AttemptFailure.hasProgress`. Neither do the
    /// calls that were in flight when the host refused one of them: only that one counts, but each
    /// costs budget.
    private mutating func retryDecision(of id: OperationID, _ failure: AttemptFailure)
        -> RetryDecision
    {
        guard let entry = entries[id], let scheduling = entry.scheduling else { return .none(nil) }
        if let backoff = failure.polling {
            let time = backoff.delay(
                after: entry.machine.attempt, chance: .random(in: 0...1, using: &random))
            return .again(after: max(time, failure.delay ?? .zero), failures: 0)
        }
        guard scheduling.retry.attempts > 1 else { return .none(nil) }
        let policy = scheduling.retry
        let isHeld = entry.machine.phase != .running
        let counts = isHeld || !failure.hasProgress && !failure.isOneOfMany
        let failures = (failure.hasProgress ? 0 : entry.failures) + (counts ? 1 : 0)
        if counts, !isHeld, Int(failures) >= policy.attempts {
            return .none("it failed \(failures) times")
        }
        let time = delay(
            afterFailures: Int(failures), failure: failure, policy: policy,
            chance: .random(in: 0...1, using: &random))
        // The error of this attempt is more informative than a time-out.
        guard now + time < entry.deadline else { return .none(Self.noTimeLeft) }
        guard failure.delay.map({ $0 > scheduling.longestPause }) != true else {
            return .none("the server asks for a longer pause than the call's limit")
        }
        let isFree = isHeld || failure.hasProgress || failure.isRateLimited
        guard isFree || budget.withdraw(at: now) else {
            return .none("the retry budget is spent")
        }
        return .again(after: time, failures: failures)
    }

    /// The time to wait before the next attempt.
    private func delay(
        afterFailures failures: Int, failure: AttemptFailure, policy: RetryPolicy, chance: Double
    ) -> Duration {
        let usual =
            failure.delay.map { wait(of: $0, chance) }
            ?? policy.backoff.delay(after: failures, chance: chance)
        return max(usual, failure.pause.map { wait(of: $0, chance) } ?? .zero)
    }

    /// The pause that the server asked for is a minimum; a random part is added, see `HostPause`.
    private func wait(of asked: Duration, _ chance: Double) -> Duration {
        asked + HostPause.spread(after: asked) * chance
    }

    /// The time to wait before the next attempt after the server asked for this pause; zero without
    /// one.
    mutating func minimumDelay(_ pause: Duration?) -> Duration {
        pause.map { wait(of: $0, Double.random(in: 0...1, using: &random)) } ?? .zero
    }

    private mutating func scheduleRetry(
        of id: OperationID, after time: Duration, reason: String, error: EngineFailure
    ) {
        guard let attempt = entries[id]?.machine.attempt else { return }
        entries.update(id) { $0.notBefore = now + time }
        report(.retrying(after: time, reason: reason), of: id, attempt: attempt)
        timers.sweep { entries.contains($0) }
        timers.set(.retry(id, attempt: attempt), at: now + time)
        pass(.retry(at: now + time), to: id, because: error)
        actions.append(.waits(id, until: now + time))
    }
}

extension EngineMachine {
    /// Whether the operation's deadline is reached by this time and its end is still open.
    package func isOver(_ id: OperationID, by moment: Duration) -> Bool {
        guard let entry = entries[id], !pendingFailures.contains(id) else { return false }
        return entry.deadline <= moment
    }
}
