import TelexScheduling

extension SimulatedWorld {
    // MARK: Turns

    /// Checks that an operation that got its turn was the right one.
    mutating func granted(_ index: Int) {
        guard operations[index].hasSeat else { return }
        if let queueReason = ledger.queueReason(index, operations, now) {
            return fail("#\(index + 1) goes, but \(queueReason)")
        }
        for other in operations.indices where other != index { compare(index, with: other) }
        ledger.passed[operations[index].owner] = [0, 0, 0]
        if operations[index].isSerial { ledger.occupants.insert(index) }
        guard operations[index].sends else { return }
        let waiting = operations.indices.count(where: { other in
            other != index && operations[other].isInLine && operations[other].hasSeat
                && operations[other].sends
                && operations[other].host == operations[index].host
        })
        ledger.pauses[operations[index].host].goes(at: now, waiting: waiting)
    }

    private mutating func compare(_ index: Int, with other: Int) {
        guard operations[other].isInLine, operations[other].hasSeat,
            operations[other].priority >= operations[index].priority,
            couldGo(other, insteadOf: index)
        else { return }
        let owners = (operations[index].owner, operations[other].owner)
        if operations[other].priority > operations[index].priority {
            fail("#\(index + 1) goes before the more urgent #\(other + 1)")
        } else if owners.0 == owners.1 {
            expect(index < other, index, "overtakes an earlier one of its owner")
        } else if firstOf(owners.1, insteadOf: index) == other {
            ledger.passed[owners.1][owners.0] += 1
            expect(
                ledger.passed[owners.1][owners.0] < 2,
                index, "goes before an owner who has waited longer")
        }
    }

    /// Whether another operation could have had this turn. If both have a request for the same
    /// host, neither has to wait longer than the other.
    private func couldGo(_ other: Int, insteadOf index: Int) -> Bool {
        guard ledger.queueReason(other, operations, now) == nil else { return false }
        return operations[other].host == operations[index].host && operations[index].sends
            || !ledger.mayKeepDistance(other, operations, now)
    }

    /// The first operation of an owner that could have started, so that each owner is counted once.
    private func firstOf(_ owner: Int, insteadOf index: Int) -> Int? {
        operations.indices.first { other in
            operations[other].isInLine && operations[other].hasSeat
                && operations[other].owner == owner
                && operations[other].priority == operations[index].priority
                && couldGo(other, insteadOf: index)
        }
    }

    // MARK: Attempts

    mutating func checkLaunch(_ index: Int, _ attempt: Int) {
        let operation = operations[index]
        expect(operation.live == nil, index, "has two live attempts")
        expect(operation.verdict == nil, index, "is sent again although it is settled how it fails")
        expect(attempt == operation.attempts + 1, index, "launches its attempts out of order")
        expect(operation.phase == .running, index, "is launched without running")
        expect(!operation.isBlocked, index, "is launched before what it depends on has ended")
        expect(now >= operation.notBefore, index, "is sent again too soon")
        expect(!operation.attemptProgress.isLast, index, "does again what cannot be done twice")
        for scheme in operation.plan.slot?.schemes ?? [] {
            expect(
                refreshing[scheme] == nil, index, "is launched while its token is being refreshed")
        }
    }

    /// The delay of a server is the minimum, and little is added to it.
    mutating func checkDelay(_ index: Int, _ delay: Duration) {
        let pause = operations[index].attemptProgress.pause ?? .zero
        expect(delay >= pause, index, "comes back before the pause that the server wants")
        guard let asked = operations[index].asked else { return }
        expect(asked <= operations[index].plan.patience, index, "waits for longer than it would")
        expect(delay >= asked, index, "comes back before the moment that the server named")
        expect(
            delay
                <= max(
                    asked + SimulatedHostPause.spread(asked),
                    pause + SimulatedHostPause.spread(pause)), index,
            "comes back long after the moment that the server named")
    }

    /// An operation waits until its reported moment, or, if its attempt is too old to continue,
    /// until its next turn. The pause of a server adds little to that.
    mutating func checkMoment(_ index: Int, _ moment: Duration) {
        let pause = operations[index].attemptProgress.pause ?? .zero
        let isSaid = [operations[index].notBefore, now + pause].contains { least in
            moment >= least && moment <= least + SimulatedHostPause.spread(pause)
        }
        expect(isSaid, index, "waits for another moment than it said")
    }

    mutating func checkRetry(_ index: Int) {
        let operation = operations[index]
        // A failure during a suspension is neither limited nor charged.
        guard !operation.isPaused else { return }
        ledger.retries += 1
        expect(
            operation.failures < operation.plan.retry.attempts, index,
            "is repeated more often than allowed"
        )
        let earned = 10 + 0.1 * Double(ledger.calls) + now / .seconds(10)
        expect(Double(ledger.retries) <= earned + 1e-6, "the budget of retries is overdrawn")
    }

    mutating func checkExamination(_ index: Int, _ failure: EngineFailure) {
        let operation = operations[index]
        expect(operation.verdict == nil, index, "is looked into twice")
        expect(operation.live != nil, index, "has nothing to look into")
        if failure == .attempt {
            expect(operation.isSuspicious, index, "is looked into without a reason")
        } else {
            expect(plan.canDiagnose, index, "is looked into by nobody")
            expect(operation.isAtWork, index, "is looked into although it is held")
        }
    }

    /// A call that fails by the network, or times out with a running attempt, is diagnosed; later
    /// events do not change its failure.
    private mutating func checkExamined(_ index: Int, _ ending: EngineMachine.Ending) {
        let operation = operations[index]
        if let verdict = operation.verdict {
            let isKept = ending == .cancelled || ending == .failed(verdict)
            expect(isKept, index, "ends otherwise than it was settled")
        }
        switch ending {
        case .failed(.timedOut), .failed(.attemptTimedOut):
            let isDue = plan.canDiagnose && operation.phase == .running
            expect(!isDue || operation.verdict != nil, index, "is not looked into")
        case .failed(.attempt):
            expect(
                !operation.isSuspicious || operation.verdict != nil, index,
                "fails because of the network and is not looked into")
        default: break
        }
    }

    mutating func checkCompletion(_ index: Int, _ ending: EngineMachine.Ending) {
        let operation = operations[index]
        expect(operation.completions == 0, index, "completes twice")
        let phase = machine.phase(of: id(index))?.0
        expect(phase == ending.phase, index, "completes otherwise than it is known")
        var isThrottled = false
        if case .failed(.throttled) = ending { isThrottled = true }
        expect(isThrottled == operation.isThrottled, index, "is throttled at the wrong time")
        checkExamined(index, ending)
        let isReplaced = ending == .failed(.replaced)
        expect(isReplaced == operation.isReplaced, index, "makes way at the wrong time")
        guard case .failed(.hostPaused) = ending else { return }
        let pause = ledger.pauses[operation.host]
        let isLong = max(pause.opening, pause.latest) - now > operation.plan.patience
        let isConcerned = operation.hasSeat && operation.sends
        expect(isLong && isConcerned, index, "gives a host up that it could wait for")
    }

    // MARK: After each step

    mutating func checkStep() {
        for index in operations.indices where !operations[index].phase.isTerminal {
            checkTimes(index)
            if operations[index].phase == .postponed {
                // A token of the further scheme may need one of the log-in.
                let schemes = operations[index].plan.slot?.schemes ?? []
                let isRefreshed = refreshing.keys.contains {
                    schemes.contains($0)
                        || $0 == .login && schemes.contains(OperationPlan.further)
                }
                expect(isRefreshed, index, "waits for a refresh that nobody makes")
            }
            if operations[index].isInLine {
                let mayWait =
                    ledger.queueReason(index, operations, now) != nil
                    || ledger.mayKeepDistance(index, operations, now)
                expect(mayWait, index, "waits although it could go")
                let isPatient =
                    ledger.pauses[operations[index].host].opening - now
                    <= operations[index].plan.patience
                expect(
                    isPatient || !operations[index].sends || !operations[index].hasSeat, index,
                    "waits for a host that wants a longer pause than it waits for")
            }
            checkDelay(of: index)
            if case .waiting(let moment) = operations[index].phase, !operations[index].isDelayed {
                expect(now < moment, index, "waits longer than it said")
            }
            guard operations[index].isKnown else { continue }
            let known = machine.phase(of: id(index))?.0
            expect(known == operations[index].phase, index, "was not told its state")
        }
    }

    private mutating func checkTimes(_ index: Int) {
        let examinationEnd = operations[index].examinationEnd
        if let examinationEnd {
            expect(now <= examinationEnd, index, "lives on when there is nothing left to find out")
        }
        if let start = operations[index].started, let total = operations[index].plan.totalTimeout {
            // It starts at the alarm.
            let late = Duration.milliseconds(Self.lateness)
            let hold = examinationEnd == nil ? .zero : total / 10 + late
            expect(now <= start + total + hold, index, "outlives its time")
        }
        guard examinationEnd == nil else { return }
        let isOnlyHeld = operations[index].isPaused && !operations[index].mayRepeat
        if let end = operations[index].attemptEnd, operations[index].live != nil, !isOnlyHeld {
            expect(now <= end, index, "has an attempt that outlives its time")
        }
    }

    // MARK: When nothing happens any more

    mutating func checkRest() {
        for index in operations.indices where !operations[index].needsHelp {
            fail("#\(index + 1) is \(operations[index].phase) for ever: nobody will wake it")
        }
        expect(refreshing.isEmpty, "a refresh hangs, and nobody stops it")
    }

    mutating func checkEnd() {
        for index in operations.indices where violation == nil {
            let operation = operations[index]
            let expected = operation.isForgotten ? 0 : 1
            expect(operation.completions == expected, index, "did not complete exactly once")
        }
        expect(machine.isIdle, "something is left in the engine")
        expect(machine.timerCount == 0, "alarms are left in the engine")
    }
}
