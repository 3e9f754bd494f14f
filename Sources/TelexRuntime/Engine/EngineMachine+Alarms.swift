/// What happens when a moment has come.
extension EngineMachine {
    mutating func ringAlarms() {
        while let alarm = timers.due(at: now) {
            switch alarm {
            case .retry(let id, let attempt):
                if entries[id]?.machine.attempt == attempt { feed(id, .due) }
            case .start(let id): startIsDue(id)
            case .attempt(let id, let attempt): attemptTimedOut(id, attempt)
            case .total(let id): timedOut(id)
            case .refresh(let number): refreshTimedOut(number)
            }
        }
    }

    /// What an operation waits for before its next attempt, or did until it ended a moment ago.
    func wait(of id: OperationID) -> OperationWait {
        guard let entry = entries[id] else { return .turn }
        if entry.isBlocked { return .others }
        guard let seat = entry.ticket?.seat, !entry.isErrand else { return .turn }
        let opening = scheduler.opening(of: seat.host)
        return opening > now ? .host(opening - now) : .turn
    }

    private mutating func timedOut(_ id: OperationID) {
        guard let total = entries[id]?.ticket?.totalTimeout else { return }
        giveUp(id, .timedOut(after: total))
    }

    private mutating func attemptTimedOut(_ id: OperationID, _ attempt: Int) {
        guard let entry = entries[id], isCurrent(id, attempt),
            let ticket = entry.ticket, let limit = ticket.attemptTimeout
        else { return }
        let standing = standings[id] ?? AttemptStanding()
        let mayRepeat = ticket.mayRepeat && ticket.retry.attempts > 1 && !standing.isLast
        // What is held for a while is not slow; but it is too old to go on later.
        guard entry.machine.phase == .running else {
            // Of what cannot be repeated, this attempt is the only one.
            if mayRepeat {
                beginAnew(id, attempt, standing)
            } else {
                entries.update(id) { $0.isOverdue = true }
            }
            return
        }
        let failure = EngineFailure.attemptTimedOut(after: limit)
        guard mayRepeat, ticket.retry.conditions.contains(.transport) else {
            return giveUp(id, failure)
        }
        var end = AttemptFailure(
            .retry(after: nil), "the attempt took longer than \(limit.inWords)",
            hasProgress: standing.hasProgress)
        end.pause = standing.pause
        repeatLater(id, end, failure)
    }

    /// Gives up an attempt that is held; another begins with the next turn, unless the server wants
    /// to be left alone first.
    private mutating func beginAnew(
        _ id: OperationID, _ attempt: Int, _ standing: AttemptStanding
    ) {
        let moment = now + leastWait(standing.pause)
        entries.update(id) { $0.notBefore = moment }
        timers.set(.retry(id, attempt: attempt), at: moment)
        feed(id, .retry(at: moment))
    }
}
