import TelexScheduling

extension World {
    /// Carries out what the machine has decided.
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
            let isKept = actors[index(id)].notBefore <= moment
            expect(isKept, index(id), "tells who shares it a wrong moment")
        case .diagnose(let id, let failure): diagnose(index(id), failure)
        case .complete(let id, let ending):
            // The end of an operation is the end of its attempt.
            if actors[index(id)].live != nil { stop(index(id)) }
            complete(index(id), ending)
        case .changed(let id, let phase, _): changed(index(id), phase)
        case .tell(let id, _, let decision): told(index(id), decision)
        case .refresh(let number, for: _): refresh(number)
        case .abandonRefresh:
            expect(refreshing != nil, "a refresh is abandoned that is not under way")
            refreshing = nil
        case .wake(let moment):
            alarm += 1
            // Alarms are seldom on time to the millisecond.
            let delay = random.percent(30) ? random.milliseconds(Self.lateness) : .zero
            agenda.add(.alarm(number: alarm), in: moment - now + delay)
        }
    }

    // MARK: Attempts

    private mutating func launch(_ index: Int, _ attempt: Int) {
        checkLaunch(index, attempt)
        granted(index)
        actors[index].attempts = attempt
        actors[index].live = attempt
        actors[index].isUnsent = false
        actors[index].isSuspicious = false
        actors[index].counted = now
        actors[index].isPaused = false
        actors[index].attemptEnd = actors[index].plan.attemptTimeout.map { now + $0 }
        actors[index].held = nil
        actors[index].asked = nil
        actors[index].attemptProgress.hasProgress = false
        actors[index].attemptProgress.sendsWhenResumed = false
        actors[index].attemptProgress.isUnsent = false
        if actors[index].hasSeat { books.sent(at: now, by: actors[index]) }
        if attempt == 1, actors[index].hasSeat { books.calls += 1 }
        while random.percent(plan.weather.attemptProgress) {
            let time = random.milliseconds(random.pick(0, 20, 200))
            agenda.add(.progressed(index, attempt: attempt, attemptProgress()), in: time)
        }
        if random.percent(plan.weather.redirects) {
            agenda.add(.sends(index, attempt: attempt), in: random.milliseconds(200))
        }
        if random.percent(plan.weather.redirects) {
            agenda.add(.asks(index, attempt: attempt), in: random.milliseconds(200))
        }
        var outcome = outcome(of: actors[index])
        suspect(&outcome)
        guard case .silence = outcome else {
            let time = random.milliseconds(random.pick(0, 20, 200))
            return agenda.add(.end(index, attempt: attempt, outcome), in: time)
        }
        // Only what has a time-out may wait for ever.
        let plan = actors[index].plan
        guard plan.attemptTimeout == nil, plan.totalTimeout == nil else { return }
        agenda.add(.end(index, attempt: attempt, .value), in: .seconds(60))
    }

    private mutating func outcome(of actor: Actor) -> Outcome {
        let weather = plan.weather
        if random.percent(weather.silences) { return .silence }
        if plan.canRefresh, actor.plan.slot?.usesCredential == true,
            random.percent(weather.refusals)
        {
            var failure = AttemptFailure(random.percent(90) ? .refresh : .renew, "refused")
            // Some tokens are known to have expired before anything is sent.
            failure.sentNothing = random.percent(30)
            return .failure(failure)
        }
        if random.percent(weather.errors) { return .failure(AttemptFailure(.none, "error")) }
        if random.percent(weather.drags) {
            return .failure(AttemptFailure(.retry(after: .milliseconds(1)), "", hasProgress: true))
        }
        guard random.percent(weather.drops) else { return .value }
        let delay = random.percent(30) ? random.milliseconds(400) : nil
        return .failure(AttemptFailure(.retry(after: delay), "dropped"))
    }

    /// Sometimes the network may be to blame.
    private mutating func suspect(_ outcome: inout Outcome) {
        guard case .failure(var failure) = outcome else { return }
        switch failure.remedy {
        case .none, .retry: failure.isSuspicious = random.percent(50)
        case .refresh, .renew: return
        }
        outcome = .failure(failure)
    }

    private mutating func pause(_ index: Int) {
        expect(actors[index].isAtWork, index, "is paused without being at work")
        // What asks for another request keeps its place; what is suspended says so.
        actors[index].isPaused = true
    }

    private mutating func unpause(_ index: Int) {
        let actor = actors[index]
        expect(actor.live != nil && actor.isPaused, index, "goes on without being paused")
        granted(index)
        if actor.attemptProgress.sendsWhenResumed, actor.hasSeat { books.sent(at: now, by: actor) }
        if actor.attemptProgress.sendsWhenResumed, actor.attemptProgress.isUnsent {
            actors[index].counted = now
            actors[index].attemptProgress.isUnsent = false
        }
        actors[index].isPaused = false
        // What cannot be repeated and was held at the end of its time has as much again.
        if let end = actor.attemptEnd, end <= now, !actor.mayRepeat {
            actors[index].attemptEnd = actor.plan.attemptTimeout.map { now + $0 }
        }
        guard let held = actor.held, let attempt = actor.live else { return }
        actors[index].held = nil
        agenda.add(.end(index, attempt: attempt, held), in: random.milliseconds(5))
    }

    private mutating func stop(_ index: Int) {
        expect(actors[index].live != nil, index, "is stopped without being live")
        actors[index].live = nil
        if !actors[index].isUnsent { actors[index].hasSent = true }
        // What was held for too long and begins anew leaves the server alone first if it wants that;
        // what cannot begin anew has not been stopped for it, but for a newer token.
        if actors[index].isPaused, actors[index].mayRepeat,
            let end = actors[index].attemptEnd, end <= now
        {
            let pause = actors[index].attemptProgress.pause ?? .zero
            actors[index].notBefore = max(actors[index].notBefore, now + pause)
        }
        actors[index].isPaused = false
        guard let held = actors[index].held, random.percent(plan.weather.lateResults) else {
            return
        }
        let attempt = actors[index].attempts
        agenda.add(.end(index, attempt: attempt, held), in: random.milliseconds(5))
    }

    /// Whoever looks into it takes some time, but no more than a tenth of the time of all of the call.
    private mutating func diagnose(_ index: Int, _ failure: EngineFailure) {
        checkExamination(index, failure)
        var time = random.milliseconds(random.pick(0, 20, 200))
        if case .timedOut(let total) = failure { time = min(time, total / 10) }
        actors[index].verdict = failure
        actors[index].examinationEnd = now + time
        // An attempt that failed or took too long is no reason to hold the call up beyond its own time.
        if case .timedOut = failure {
        } else if let start = actors[index].started, let total = actors[index].plan.totalTimeout {
            actors[index].examinationEnd = min(now + time, start + total)
        }
        agenda.add(.examined(index), in: time)
    }

    private mutating func complete(_ index: Int, _ ending: EngineMachine.Ending) {
        checkCompletion(index, ending)
        changed(index, ending.phase)
        actors[index].completions += 1
        actors[index].ending = ending
        books.occupants.remove(index)
        forgetStart(of: index)
        for other in actors[index].dependents {
            let succeeded = ending == .succeeded
            agenda.add(.dependency(other, succeeded: succeeded), in: .zero)
        }
    }

    // MARK: What is told

    private mutating func changed(_ index: Int, _ phase: OperationMachine.Phase) {
        let last = actors[index].phase
        expect(!last.isTerminal, index, "goes on after its end")
        let isHeld = last == .queued && phase == .postponed && actors[index].live == nil
        if isHeld { granted(index) }
        actors[index].phase = phase
        throttle(index, from: last)
        if phase == .suspended { books.occupants.remove(index) }
        if case .waiting(let moment) = phase, !actors[index].isDelayed {
            checkMoment(index, moment)
            actors[index].notBefore = moment
        }
        if last == .queued, !books.hasWaiting(actors[index].owner, actors) {
            books.passed[actors[index].owner] = [0, 0, 0]
        }
    }

    private mutating func told(_ index: Int, _ decision: EngineDecision) {
        guard case .retrying(let delay, let reason) = decision,
            reason != EngineMachine.newerToken
        else { return }
        actors[index].notBefore = now + delay
        checkDelay(index, delay)
        // An attempt that came forward is neither counted nor limited; it has no reason, or says so.
        guard !reason.isEmpty else { return }
        guard !actors[index].attemptProgress.hasProgress else {
            actors[index].failures = 0
            return
        }
        actors[index].failures += 1
        checkRetry(index)
    }

    private mutating func refresh(_ number: Int) {
        expect(refreshing == nil, "a second refresh begins before the first has ended")
        expect(number == refreshes + 1, "a refresh has the wrong number")
        refreshes = number
        refreshing = number
        let succeeded = !random.percent(plan.weather.refreshFailures)
        var time = random.milliseconds(random.pick(0, 30, 300))
        if random.percent(plan.weather.refreshSilences) {
            guard plan.refreshTimeout == nil || random.percent(50) else { return }
            time = .seconds(30)
        }
        agenda.add(.refreshEnd(number: number, succeeded: succeeded), in: time)
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
