extension EngineMachine {
    // MARK: Attempts

    /// Decides what follows a failed attempt.
    mutating func attemptFailed(_ id: OperationID, _ failure: AttemptFailure) {
        if failure.hasProgress {
            entries[id]?.failures = 0
            entries[id]?.refusals = 0
        }
        switch failure.remedy {
        case .none: fail(id, .attempt)
        case .retry(let delay) where entries[id]?.machine.phase != .running:
            failedOnHold(id, delay, failure.reason)
        case .retry(let delay) where failure.hasProgress && mayRetry(id):
            guard let time = time(for: id, delay, after: 1, .attempt) else { return }
            wait(id, time, failure.reason)
        case .retry(let delay):
            retry(id, after: delay, failure.reason, .attempt, isFree: failure.isPaced)
        case .refresh: refused(id, failure.reason)
        case .renew: renew(id)
        }
    }

    /// An attempt failed that was held. That is no reason to give up, and to go on will be somebody's
    /// own wish, so it costs nothing of the budget. But it counts, and the server is left alone as it
    /// always is.
    private mutating func failedOnHold(_ id: OperationID, _ delay: Duration?, _ reason: String) {
        guard let failures = entries[id]?.failures else { return }
        entries[id]?.failures = failures + 1
        guard let time = time(for: id, delay, after: Int(failures) + 1, .attempt) else { return }
        wait(id, time, reason)
    }

    private func mayRetry(_ id: OperationID) -> Bool {
        entries[id]?.ticket.map { $0.retry.attempts > 1 } ?? false
    }

    /// Sends the operation again later, unless that has been done often enough.
    private mutating func retry(
        _ id: OperationID, after delay: Duration?, _ reason: String, _ failure: EngineFailure,
        isFree: Bool = false
    ) {
        guard let entry = entries[id], let policy = entry.ticket?.retry else { return }
        let attempt = entry.machine.attempt
        let failures = entry.failures + 1
        entries[id]?.failures = failures
        guard Int(failures) < policy.attempts else {
            if policy.attempts > 1 {
                tell(id, attempt, .notRetried(reason: "it failed \(failures) times"))
            }
            return fail(id, failure)
        }
        guard let time = time(for: id, delay, after: Int(failures), failure) else { return }
        guard isFree || budget.withdraw(at: now) else {
            tell(id, attempt, .notRetried(reason: "too many calls are being repeated"))
            return fail(id, failure)
        }
        wait(id, time, reason)
    }

    /// How long to wait before the next attempt. If there will be no time for it, the operation fails
    /// now: the error of this attempt says more than a time-out.
    private mutating func time(
        for id: OperationID, _ delay: Duration?, after failures: Int, _ failure: EngineFailure
    ) -> Duration? {
        guard let entry = entries[id], let policy = entry.ticket?.retry else { return nil }
        let chance = Double.random(in: 0...1, using: &random)
        // What the server says is the least; see `HostPause`.
        let time =
            delay.map { $0 + HostPause.spread(after: $0) * chance }
            ?? policy.backoff.delay(after: failures, chance: chance)
        guard now + time >= entry.deadline else { return time }
        tell(id, entry.machine.attempt, .notRetried(reason: "its time is over by then"))
        fail(id, failure)
        return nil
    }

    private mutating func wait(_ id: OperationID, _ time: Duration, _ reason: String) {
        guard let attempt = entries[id]?.machine.attempt else { return }
        entries[id]?.notBefore = now + time
        tell(id, attempt, .retrying(after: time, reason: reason))
        timers.sweep { entries.contains($0) }
        timers.set(.retry(id, attempt: attempt), at: now + time)
        feed(id, .retry(at: now + time))
    }

    // MARK: Credentials

    /// The credential of an attempt was refused.
    private mutating func refused(_ id: OperationID, _ reason: String) {
        guard let entry = entries[id] else { return }
        if entry.servesRefresh { return fail(id, .attempt) }
        countRefusal(of: id)
        let answer = gate.refused(
            id, launched: entry.launched, wasNew: entry.hasNewCredential,
            refusals: Int(entry.refusals) + 1)
        switch answer {
        case .fail: fail(id, .attempt)
        case .notRefreshed: fail(id, .notRefreshed)
        case .goOn:
            feed(id, .expire)
            feed(id, .refreshed)
        case .wait(let isFirst):
            tell(id, entry.machine.attempt, .postponed(reason: reason))
            feed(id, .expire)
            if isFirst { startRefresh(id) }
        }
    }

    /// The credential was refused of an attempt that cannot be repeated. It fails, but those that
    /// come later need a new one.
    private mutating func renew(_ id: OperationID) {
        guard let entry = entries[id] else { return }
        if !entry.servesRefresh, gate.renew(launched: entry.launched) { startRefresh(id) }
        fail(id, .attempt)
    }

    mutating func countRefusal(of id: OperationID) {
        guard let refusals = entries[id]?.refusals, refusals < .max else { return }
        entries[id]?.refusals = refusals + 1
    }

    private mutating func startRefresh(_ id: OperationID) {
        refreshes += 1
        actions.append(.refresh(number: refreshes, for: id))
        if let limit = refreshTimeout { timers.set(.refresh(refreshes), at: now + limit) }
    }

    /// A refresh that takes too long has failed for those who wait. It is not stopped: what it brings
    /// later finds its way into the store.
    private mutating func refreshTimedOut(_ number: Int) {
        guard isAwaiting(number) else { return }
        actions.append(.abandonRefresh)
        refreshEnded(number, false)
    }

    /// Whether this refresh is under way and has not taken too long.
    func isAwaiting(_ number: Int) -> Bool { gate.isRefreshing && number == refreshes }

    /// Those that waited go on in their order, or fail with the same error.
    mutating func refreshEnded(_ number: Int, _ succeeded: Bool) {
        guard isAwaiting(number) else { return }
        for id in gate.finish(succeeded: succeeded, at: now) {
            guard entries[id]?.machine.phase == .postponed else { continue }
            if succeeded { feed(id, .refreshed) } else { fail(id, .notRefreshed) }
        }
    }

    // MARK: Alarms

    mutating func ringAlarms() {
        while let alarm = timers.due(at: now) {
            switch alarm {
            case .retry(let id, let attempt):
                if entries[id]?.machine.attempt == attempt { feed(id, .due) }
            case .attempt(let id, let attempt): attemptTimedOut(id, attempt)
            case .total(let id): timedOut(id)
            case .refresh(let number): refreshTimedOut(number)
            }
        }
    }

    private mutating func timedOut(_ id: OperationID) {
        guard let total = entries[id]?.ticket?.totalTimeout else { return }
        fail(id, .timedOut(after: total))
    }

    private mutating func attemptTimedOut(_ id: OperationID, _ attempt: Int) {
        guard let entry = entries[id], entry.machine.isLive, entry.machine.attempt == attempt,
            let limit = entry.ticket?.attemptTimeout
        else { return }
        // What is held for a while is not slow; but it is too old to go on later.
        guard entry.machine.phase == .running else {
            // Of what cannot be repeated, this attempt is the only one.
            guard entry.ticket?.mayRepeat == true else {
                entries[id]?.isOverdue = true
                return
            }
            timers.set(.retry(id, attempt: attempt), at: now)
            return feed(id, .retry(at: now))
        }
        let failure = EngineFailure.attemptTimedOut(after: limit)
        guard entry.ticket?.mayRepeat == true else { return fail(id, failure) }
        retry(id, after: nil, "the attempt took longer than \(limit)", failure)
    }
}
