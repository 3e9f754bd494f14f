import TelexScheduling

extension World {
    // MARK: Turns

    /// An operation got its turn: was it the one that had to get it?
    mutating func granted(_ index: Int) {
        guard actors[index].hasSeat else { return }
        if let queueReason = books.queueReason(index, actors, now) {
            return fail("#\(index + 1) goes, but \(queueReason)")
        }
        for other in actors.indices where other != index { compare(index, with: other) }
        books.passed[actors[index].owner] = [0, 0, 0]
        if actors[index].isSerial { books.occupants.insert(index) }
        guard actors[index].sends else { return }
        let waiting = actors.indices.count(where: { other in
            other != index && actors[other].isInLine && actors[other].hasSeat && actors[other].sends
                && actors[other].host == actors[index].host
        })
        books.pauses[actors[index].host].goes(at: now, waiting: waiting)
    }

    private mutating func compare(_ index: Int, with other: Int) {
        guard actors[other].isInLine, actors[other].hasSeat,
            actors[other].priority >= actors[index].priority, couldGo(other, insteadOf: index)
        else { return }
        let owners = (actors[index].owner, actors[other].owner)
        if actors[other].priority > actors[index].priority {
            fail("#\(index + 1) goes before the more urgent #\(other + 1)")
        } else if owners.0 == owners.1 {
            expect(index < other, index, "overtakes an earlier one of its owner")
        } else if firstOf(owners.1, insteadOf: index) == other {
            books.passed[owners.1][owners.0] += 1
            expect(
                books.passed[owners.1][owners.0] < 2,
                index, "goes before an owner who has waited longer")
        }
    }

    /// Whether another operation could have had the turn of this one. If both send something to the
    /// same host, neither has to wait longer than the other.
    private func couldGo(_ other: Int, insteadOf index: Int) -> Bool {
        guard books.queueReason(other, actors, now) == nil else { return false }
        return actors[other].host == actors[index].host && actors[index].sends
            || !books.mayKeepDistance(other, actors, now)
    }

    /// The first operation of an owner that could have gone, so that each owner is counted once.
    private func firstOf(_ owner: Int, insteadOf index: Int) -> Int? {
        actors.indices.first { other in
            actors[other].isInLine && actors[other].hasSeat && actors[other].owner == owner
                && actors[other].priority == actors[index].priority
                && couldGo(other, insteadOf: index)
        }
    }

    // MARK: Attempts

    mutating func checkLaunch(_ index: Int, _ attempt: Int) {
        let actor = actors[index]
        expect(actor.live == nil, index, "has two live attempts")
        expect(actor.verdict == nil, index, "is sent again although it is settled how it fails")
        expect(attempt == actor.attempts + 1, index, "launches its attempts out of order")
        expect(actor.phase == .running, index, "is launched without running")
        expect(!actor.isBlocked, index, "is launched before what it depends on has ended")
        expect(now >= actor.notBefore, index, "is sent again too soon")
        expect(!actor.attemptProgress.isLast, index, "does again what cannot be done twice")
        if let slot = actor.plan.slot, slot.usesCredential {
            expect(refreshing == nil, index, "is launched while a token refresh is in progress")
        }
    }

    /// What a server asks for is the least, and little is added to it.
    mutating func checkDelay(_ index: Int, _ delay: Duration) {
        let pause = actors[index].attemptProgress.pause ?? .zero
        expect(delay >= pause, index, "comes back before the pause that the server wants")
        guard let asked = actors[index].asked else { return }
        expect(asked <= actors[index].plan.patience, index, "waits for longer than it would")
        expect(delay >= asked, index, "comes back before the moment that the server named")
        expect(
            delay <= max(asked + Pause.spread(asked), pause + Pause.spread(pause)), index,
            "comes back long after the moment that the server named")
    }

    /// It waits until the moment that it said, or what was too old to go on until its next turn. If the
    /// server wants a pause before that, little is added to it.
    mutating func checkMoment(_ index: Int, _ moment: Duration) {
        let pause = actors[index].attemptProgress.pause ?? .zero
        let isSaid = [actors[index].notBefore, now + pause].contains { least in
            moment >= least && moment <= least + Pause.spread(pause)
        }
        expect(isSaid, index, "waits for another moment than it said")
    }

    mutating func checkRetry(_ index: Int) {
        let actor = actors[index]
        // What fails while it is held is neither limited nor paid for.
        guard !actor.isPaused else { return }
        books.retries += 1
        expect(
            actor.failures < actor.plan.retry.attempts, index, "is repeated more often than allowed"
        )
        let earned = 10 + 0.1 * Double(books.calls) + now / .seconds(10)
        expect(Double(books.retries) <= earned + 1e-6, "the budget of retries is overdrawn")
    }

    mutating func checkExamination(_ index: Int, _ failure: EngineFailure) {
        let actor = actors[index]
        expect(actor.verdict == nil, index, "is looked into twice")
        expect(actor.live != nil, index, "has nothing to look into")
        if failure == .attempt {
            expect(actor.isSuspicious, index, "is looked into without a reason")
        } else {
            expect(plan.canDiagnose, index, "is looked into by nobody")
            expect(actor.isAtWork, index, "is looked into although it is held")
        }
    }

    /// A call that fails because of the network, or takes too long with an attempt at work, is looked
    /// into, and nothing that happens meanwhile changes how it fails.
    private mutating func checkExamined(_ index: Int, _ ending: EngineMachine.Ending) {
        let actor = actors[index]
        if let verdict = actor.verdict {
            let isKept = ending == .cancelled || ending == .failed(verdict)
            expect(isKept, index, "ends otherwise than it was settled")
        }
        switch ending {
        case .failed(.timedOut), .failed(.attemptTimedOut):
            let isDue = plan.canDiagnose && actor.phase == .running
            expect(!isDue || actor.verdict != nil, index, "is not looked into")
        case .failed(.attempt):
            expect(
                !actor.isSuspicious || actor.verdict != nil, index,
                "fails because of the network and is not looked into")
        default: break
        }
    }

    mutating func checkCompletion(_ index: Int, _ ending: EngineMachine.Ending) {
        let actor = actors[index]
        expect(actor.completions == 0, index, "completes twice")
        let phase = machine.phase(of: id(index))?.0
        expect(phase == ending.phase, index, "completes otherwise than it is known")
        var isThrottled = false
        if case .failed(.throttled) = ending { isThrottled = true }
        expect(isThrottled == actor.isThrottled, index, "is throttled at the wrong time")
        checkExamined(index, ending)
        let isReplaced = ending == .failed(.replaced)
        expect(isReplaced == actor.isReplaced, index, "makes way at the wrong time")
        guard case .failed(.hostPaused) = ending else { return }
        let pause = books.pauses[actor.host]
        let isLong = max(pause.opening, pause.latest) - now > actor.plan.patience
        let isConcerned = actor.hasSeat && actor.sends
        expect(isLong && isConcerned, index, "gives a host up that it could wait for")
    }

    // MARK: After each step

    mutating func checkStep() {
        for index in actors.indices where !actors[index].phase.isTerminal {
            checkTimes(index)
            if actors[index].phase == .postponed {
                expect(refreshing != nil, index, "waits for a refresh that nobody makes")
            }
            if actors[index].isInLine {
                let mayWait =
                    books.queueReason(index, actors, now) != nil
                    || books.mayKeepDistance(index, actors, now)
                expect(mayWait, index, "waits although it could go")
                let isPatient =
                    books.pauses[actors[index].host].opening - now <= actors[index].plan.patience
                expect(
                    isPatient || !actors[index].sends || !actors[index].hasSeat, index,
                    "waits for a host that wants a longer pause than it waits for")
            }
            checkDelay(of: index)
            if case .waiting(let moment) = actors[index].phase, !actors[index].isDelayed {
                expect(now < moment, index, "waits longer than it said")
            }
            guard actors[index].isKnown else { continue }
            let known = machine.phase(of: id(index))?.0
            expect(known == actors[index].phase, index, "was not told its state")
        }
    }

    private mutating func checkTimes(_ index: Int) {
        let examinationEnd = actors[index].examinationEnd
        if let examinationEnd {
            expect(now <= examinationEnd, index, "lives on when there is nothing left to find out")
        }
        if let start = actors[index].started, let total = actors[index].plan.totalTimeout {
            // It begins when the alarm comes.
            let late = Duration.milliseconds(Self.lateness)
            let hold = examinationEnd == nil ? .zero : total / 10 + late
            expect(now <= start + total + hold, index, "outlives its time")
        }
        guard examinationEnd == nil else { return }
        let isOnlyHeld = actors[index].isPaused && !actors[index].mayRepeat
        if let end = actors[index].attemptEnd, actors[index].live != nil, !isOnlyHeld {
            expect(now <= end, index, "has an attempt that outlives its time")
        }
    }

    // MARK: When nothing happens any more

    mutating func checkRest() {
        for index in actors.indices where !actors[index].needsHelp {
            fail("#\(index + 1) is \(actors[index].phase) for ever: nobody will wake it")
        }
        expect(refreshing == nil, "a refresh hangs, and nobody stops it")
    }

    mutating func checkEnd() {
        for index in actors.indices where violation == nil {
            let actor = actors[index]
            let expected = actor.isForgotten ? 0 : 1
            expect(actor.completions == expected, index, "did not complete exactly once")
        }
        expect(machine.isIdle, "something is left in the engine")
        expect(machine.timerCount == 0, "alarms are left in the engine")
    }
}
