/// Handles timers that are due.
extension EngineMachine {
    mutating func fireTimers() {
        while let alarm = timers.due(at: now) {
            switch alarm {
            case .retry(let id, let attempt):
                if entries[id]?.machine.attempt == attempt { pass(.due, to: id) }
            case .start(let id): handleStartTimer(id)
            case .attempt(let id, let attempt): attemptTimedOut(id, attempt)
            case .total(let id): timedOut(id)
            case .refresh(let number): refreshTimedOut(number)
            }
        }
    }

    /// What an operation waits for before its next attempt, or waited for until it just ended.
    package func wait(of id: OperationID) -> OperationWait {
        guard let entry = entries[id] else { return .turn }
        if entry.isBlocked { return .others }
        guard let slot = entry.scheduling?.slot, !entry.isPrivileged else { return .turn }
        let opening = scheduler.opening(of: slot.host)
        return opening > now ? .host(opening - now) : .turn
    }

    private mutating func timedOut(_ id: OperationID) {
        guard let total = entries[id]?.scheduling?.totalTimeout else { return }
        diagnoseThenFail(id, .timedOut(after: total))
    }

    private mutating func attemptTimedOut(_ id: OperationID, _ attempt: Int) {
        guard let entry = entries[id], isCurrent(id, attempt),
            let scheduling = entry.scheduling, let limit = scheduling.attemptTimeout
        else { return }
        let attemptProgress = self.attemptProgress[id] ?? AttemptProgress()
        let mayRepeat =
            scheduling.mayRepeat && scheduling.retry.attempts > 1 && !attemptProgress.isLast
        // A paused attempt does not time out, because it is not slow; but it is too old to be
        // continued.
        guard entry.machine.phase == .running else {
            // An operation that cannot be repeated has only this attempt.
            if mayRepeat {
                restartLater(id, attempt: attempt, progress: attemptProgress)
            } else {
                entries.update(id) { $0.isOverdue = true }
            }
            return
        }
        let failure = EngineFailure.attemptTimedOut(after: limit)
        guard mayRepeat, scheduling.retry.conditions.contains(.transport) else {
            return diagnoseThenFail(id, failure)
        }
        var end = AttemptFailure(
            .retry(after: nil), "the attempt took longer than \(limit.roundedDescription)",
            hasProgress: attemptProgress.hasProgress)
        end.pause = attemptProgress.pause
        repeatLater(id, after: end, error: failure)
    }

    /// Ends a paused attempt. The next turn begins another one, after the pause that the server
    /// asked for.
    private mutating func restartLater(
        _ id: OperationID, attempt: Int, progress attemptProgress: AttemptProgress
    ) {
        let moment = now + minimumDelay(attemptProgress.pause)
        entries.update(id) { $0.notBefore = moment }
        timers.set(.retry(id, attempt: attempt), at: moment)
        pass(.retry(at: moment), to: id)
    }
}
