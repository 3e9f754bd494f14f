import TelexScheduling

extension SimulatedWorld {
    /// Performs the actions of the machine.
    mutating func carryOut() {
        var completed: [OperationID] = []
        var actions: [EngineMachine.Action] = []
        machine.takeActions(into: &actions)
        for action in actions {
            note { _ in "    \(action)" }
            perform(action)
            if case .complete(let id, _) = action { completed.append(id) }
        }
        for id in completed { machine.remove(id) }
    }

    private func index(_ id: OperationID) -> Int { Int(id.number) - 1 }

    private mutating func perform(_ action: EngineMachine.Action) {
        switch action {
        case .launch(let id, let attempt): launch(index(id), attempt)
        case .pause(let id): pause(index(id))
        case .unpause(let id): unpause(index(id))
        case .stop(let id, _): stop(index(id))
        case .waits(let id, let moment):
            let isKept = operations[index(id)].notBefore <= moment
            expect(isKept, index(id), "tells who shares it a wrong moment")
        case .diagnose(let id, let failure): diagnose(index(id), failure)
        case .complete(let id, let ending):
            // The end of an operation ends its attempt.
            if operations[index(id)].live != nil { stop(index(id)) }
            complete(index(id), ending)
        case .changed(let id, let phase, _): changed(index(id), phase)
        case .tell(let id, _, let decision): told(index(id), decision)
        case .refresh(let scheme, let number, for: _): refresh(scheme, number)
        case .abandonRefresh(let scheme):
            let isKnown = refreshing.removeValue(forKey: scheme) != nil
            expect(isKnown, "a refresh is abandoned that is not under way")
        case .wake(let moment):
            alarm += 1
            // Alarms are rarely exact to the millisecond.
            let delay = random.percent(30) ? random.milliseconds(Self.lateness) : .zero
            schedule.add(.alarm(number: alarm), in: moment - now + delay)
        }
    }

    // MARK: Attempts

    private mutating func launch(_ index: Int, _ attempt: Int) {
        checkLaunch(index, attempt)
        granted(index)
        operations[index].attempts = attempt
        operations[index].live = attempt
        operations[index].isUnsent = false
        operations[index].isSuspicious = false
        operations[index].counted = now
        operations[index].isPaused = false
        operations[index].attemptEnd = operations[index].plan.attemptTimeout.map { now + $0 }
        operations[index].held = nil
        operations[index].asked = nil
        operations[index].attemptProgress.hasProgress = false
        operations[index].attemptProgress.sendsWhenResumed = false
        operations[index].attemptProgress.isUnsent = false
        if operations[index].hasSeat { ledger.sent(at: now, by: operations[index]) }
        if attempt == 1, operations[index].hasSeat { ledger.calls += 1 }
        while random.percent(plan.failureRates.attemptProgress) {
            let time = random.milliseconds(random.pick(0, 20, 200))
            schedule.add(.progressed(index, attempt: attempt, attemptProgress()), in: time)
        }
        if random.percent(plan.failureRates.redirects) {
            schedule.add(.sends(index, attempt: attempt), in: random.milliseconds(200))
        }
        if random.percent(plan.failureRates.redirects) {
            schedule.add(.asks(index, attempt: attempt), in: random.milliseconds(200))
        }
        var outcome = outcome(of: operations[index])
        suspect(&outcome)
        guard case .silence = outcome else {
            let time = random.milliseconds(random.pick(0, 20, 200))
            return schedule.add(.end(index, attempt: attempt, outcome), in: time)
        }
        // Only attempts with a time-out may wait forever.
        let plan = operations[index].plan
        guard plan.attemptTimeout == nil, plan.totalTimeout == nil else { return }
        schedule.add(.end(index, attempt: attempt, .value), in: .seconds(60))
    }

    private mutating func outcome(of operation: SimulatedOperation) -> AttemptOutcome {
        let failureRates = plan.failureRates
        if random.percent(failureRates.silences) { return .silence }
        let schemes = (operation.plan.slot?.schemes ?? []).filter {
            plan.canRefresh || $0 != .login
        }
        if !schemes.isEmpty, random.percent(failureRates.refusals) {
            let scheme = schemes[random.below(schemes.count)]
            var failure = AttemptFailure(
                random.percent(90) ? .refresh(scheme) : .renew(scheme), "refused")
            // Some tokens are known to have expired before anything is sent.
            failure.sentNothing = random.percent(30)
            return .failure(failure)
        }
        if random.percent(failureRates.errors) { return .failure(AttemptFailure(.none, "error")) }
        if random.percent(failureRates.drags) {
            return .failure(AttemptFailure(.retry(after: .milliseconds(1)), "", hasProgress: true))
        }
        guard random.percent(failureRates.drops) else { return .value }
        let delay = random.percent(30) ? random.milliseconds(400) : nil
        return .failure(AttemptFailure(.retry(after: delay), "dropped"))
    }

    /// Marks some failures as possible network failures.
    private mutating func suspect(_ outcome: inout AttemptOutcome) {
        guard case .failure(var failure) = outcome else { return }
        switch failure.remedy {
        case .none, .retry: failure.isSuspicious = random.percent(50)
        case .refresh, .renew: return
        }
        outcome = .failure(failure)
    }

    private mutating func pause(_ index: Int) {
        expect(operations[index].isAtWork, index, "is paused without being at work")
        // An attempt with another request keeps its slot; a suspended one reports that.
        operations[index].isPaused = true
    }

    private mutating func unpause(_ index: Int) {
        let operation = operations[index]
        expect(operation.live != nil && operation.isPaused, index, "goes on without being paused")
        granted(index)
        if operation.attemptProgress.sendsWhenResumed, operation.hasSeat {
            ledger.sent(at: now, by: operation)
        }
        if operation.attemptProgress.sendsWhenResumed, operation.attemptProgress.isUnsent {
            operations[index].counted = now
            operations[index].attemptProgress.isUnsent = false
        }
        operations[index].isPaused = false
        // An unrepeatable attempt that was suspended at its time-out has the same time again.
        if let end = operation.attemptEnd, end <= now, !operation.mayRepeat {
            operations[index].attemptEnd = operation.plan.attemptTimeout.map { now + $0 }
        }
        guard let held = operation.held, let attempt = operation.live else { return }
        operations[index].held = nil
        schedule.add(.end(index, attempt: attempt, held), in: random.milliseconds(5))
    }

    private mutating func stop(_ index: Int) {
        expect(operations[index].live != nil, index, "is stopped without being live")
        operations[index].live = nil
        if !operations[index].isUnsent { operations[index].hasSent = true }
        // An attempt that was suspended for too long and restarts first obeys the pause of its
        // server. An unrepeatable one was stopped for a newer token instead.
        if operations[index].isPaused, operations[index].mayRepeat,
            let end = operations[index].attemptEnd, end <= now
        {
            let pause = operations[index].attemptProgress.pause ?? .zero
            operations[index].notBefore = max(operations[index].notBefore, now + pause)
        }
        operations[index].isPaused = false
        guard let held = operations[index].held, random.percent(plan.failureRates.lateResults)
        else {
            return
        }
        let attempt = operations[index].attempts
        schedule.add(.end(index, attempt: attempt, held), in: random.milliseconds(5))
    }

    /// A diagnosis takes some time, at most a tenth of the call's total time-out.
    private mutating func diagnose(_ index: Int, _ failure: EngineFailure) {
        checkExamination(index, failure)
        var time = random.milliseconds(random.pick(0, 20, 200))
        if case .timedOut(let total) = failure { time = min(time, total / 10) }
        operations[index].verdict = failure
        operations[index].examinationEnd = now + time
        // A failed attempt does not delay the call beyond its deadline.
        if case .timedOut = failure {
        } else if let start = operations[index].started,
            let total = operations[index].plan.totalTimeout
        {
            operations[index].examinationEnd = min(now + time, start + total)
        }
        schedule.add(.examined(index), in: time)
    }

    private mutating func complete(_ index: Int, _ ending: EngineMachine.Ending) {
        checkCompletion(index, ending)
        changed(index, ending.phase)
        operations[index].completions += 1
        operations[index].ending = ending
        ledger.occupants.remove(index)
        forgetStart(of: index)
        for other in operations[index].dependents {
            let succeeded = ending == .succeeded
            schedule.add(.dependency(other, succeeded: succeeded), in: .zero)
        }
    }

    // MARK: What is told

    private mutating func changed(_ index: Int, _ phase: OperationMachine.Phase) {
        let last = operations[index].phase
        expect(!last.isTerminal, index, "goes on after its end")
        let isHeld = last == .queued && phase == .postponed && operations[index].live == nil
        if isHeld { granted(index) }
        operations[index].phase = phase
        throttle(index, from: last)
        if phase == .suspended { ledger.occupants.remove(index) }
        if case .waiting(let moment) = phase, !operations[index].isDelayed {
            checkMoment(index, moment)
            operations[index].notBefore = moment
        }
        if last == .queued, !ledger.hasWaiting(operations[index].owner, operations) {
            ledger.passed[operations[index].owner] = [0, 0, 0]
        }
    }

    private mutating func told(_ index: Int, _ decision: EngineDecision) {
        guard case .retrying(let delay, let reason) = decision,
            reason != EngineMachine.newerToken
        else { return }
        operations[index].notBefore = now + delay
        checkDelay(index, delay)
        // An attempt with progress is neither counted nor limited; it reports no reason, or the
        // progress.
        guard !reason.isEmpty else { return }
        guard !operations[index].attemptProgress.hasProgress else {
            operations[index].failures = 0
            return
        }
        operations[index].failures += 1
        checkRetry(index)
    }

    private mutating func refresh(_ scheme: SchemeKey, _ number: Int) {
        expect(refreshing[scheme] == nil, "a second refresh begins before the first has ended")
        expect(number == refreshes + 1, "a refresh has the wrong number")
        refreshes = number
        refreshing[scheme] = number
        let succeeded = !random.percent(plan.failureRates.refreshFailures)
        var time = random.milliseconds(random.pick(0, 30, 300))
        if random.percent(plan.failureRates.refreshSilences) {
            guard plan.refreshTimeout == nil || random.percent(50) else { return }
            time = .seconds(30)
        }
        schedule.add(.refreshEnd(number: number, succeeded: succeeded), in: time)
    }
}

extension EngineMachine.Ending {
    var phase: OperationMachine.Phase {
        switch self {
        case .succeeded: .succeeded
        case .failed: .failed
        case .cancelled: .cancelled
        }
    }
}
