extension EngineMachine {
    /// Passes an event to the machine of an operation and performs the resulting actions.
    ///
    /// - Parameter failure: The failure if the operation fails; by default that of its attempt.
    mutating func pass(
        _ event: OperationMachine.Event, to id: OperationID,
        because failure: EngineFailure = .attempt
    ) {
        let step = entries.update(id) { entry in
            (before: entry.machine.phase, wanted: entry.machine.handle(event), entry.machine)
        }
        guard let (before, wanted, machine) = step else { return }
        if machine.phase != before, !machine.phase.isTerminal {
            actions.append(.changed(id, machine.phase, attempt: machine.attempt))
            tell(id, from: before, to: machine)
        }
        perform(wanted, of: id, machine: machine, failure: failure)
    }

    private mutating func tell(
        _ id: OperationID, from before: OperationMachine.Phase, to machine: OperationMachine
    ) {
        switch (before, machine.phase) {
        case (.suspended, .queued), (.suspended, .waiting):
            report(.resumed, of: id, attempt: machine.attempt)
        case (_, .suspended): report(.suspended, of: id, attempt: machine.attempt)
        default: break
        }
    }

    mutating func report(_ decision: EngineDecision, of id: OperationID, attempt: Int) {
        actions.append(.tell(id, attempt: attempt, decision))
    }

    /// Performs the actions of a machine in the order of `OperationMachine.Actions`.
    private mutating func perform(
        _ wanted: OperationMachine.Actions, of id: OperationID,
        machine: OperationMachine, failure: EngineFailure
    ) {
        if wanted.contains(.pause) { actions.append(.pause(id)) }
        if wanted.contains(.leave) {
            scheduler.remove(
                id, returns: machine.returnsToQueue, allowsTokenless: machine.phase == .postponed)
        }
        if wanted.contains(.enqueue), entries[id]?.isBlocked == false { enqueue(id) }
        if wanted.contains(.launch) { launch(id, machine.attempt) }
        if wanted.contains(.unpause) { unpause(id, machine.attempt) }
        // A terminal state stops the live attempt too, but only after all operations that end
        // together have been notified.
        if wanted.contains(.stop), !machine.phase.isTerminal { actions.append(.stop(id, failure)) }
        // An attempt that reported nothing may have sent its request.
        if wanted.contains(.stop) { entries.update(id) { $0.hasSent = $0.hasSent || !$0.isUnsent } }
        guard wanted.contains(.complete) else { return }
        endStart(of: id)
        complete(id, phase: machine.phase, failure: failure)
    }

    private mutating func complete(
        _ id: OperationID, phase: OperationMachine.Phase, failure: EngineFailure
    ) {
        scheduler.remove(id, returns: false)
        let ending: Ending
        switch phase {
        case .succeeded: ending = .succeeded
        case .cancelled: ending = .cancelled
        default: ending = .failed(failure)
        }
        actions.append(.complete(id, ending))
    }

    // MARK: Starting

    mutating func start(
        _ id: OperationID, scheduling: SchedulingRequest, isBlocked: Bool, privilege: SchemeKey?
    ) {
        guard entries[id]?.machine.phase == .ready else { return }
        entries.update(id) {
            $0.start(scheduling, isBlocked: isBlocked, privilege: privilege)
        }
        report(.started, of: id, attempt: 0)
        // A privileged operation is neither throttled nor delayed by the throttle.
        if let key = scheduling.throttle, privilege == nil {
            start(id, key)
        } else {
            pass(.start, to: id)
        }
        guard let total = scheduling.totalTimeout, entries[id]?.machine.phase.isTerminal == false
        else { return }
        let deadline = now.later(by: total)
        entries.update(id) { $0.deadline = deadline }
        timers.sweep { entries.contains($0) }
        timers.set(.total(id), at: deadline)
    }

    mutating func unblock(_ id: OperationID) {
        guard entries[id]?.isBlocked == true else { return }
        entries.update(id) { $0.isBlocked = false }
        if entries[id]?.machine.phase == .queued { enqueue(id) }
    }

    mutating func raise(_ id: OperationID, to priority: CallPriority) {
        guard let scheduling = entries[id]?.scheduling?.raised(to: priority) else { return }
        entries.update(id) { $0.scheduling = scheduling }
        scheduler.change(id, to: scheduling)
    }

    /// Fails an operation with this failure, unless a diagnosis has decided on another.
    mutating func fail(_ id: OperationID, _ failure: EngineFailure) {
        pass(.fail, to: id, because: pendingFailures[id] ?? failure)
    }

    // MARK: Going on

    /// Resumes a suspended operation. A pending back-off continues for its remaining time, because
    /// pausing and resuming does not make the server ready.
    mutating func resumeOperation(_ id: OperationID) {
        guard let entry = entries[id] else { return }
        if entry.isDelayed { return resumeDelayed(id) }
        guard entry.notBefore > now, !entry.machine.isLive else { return pass(.resume, to: id) }
        pass(.delay(until: entry.notBefore), to: id)
    }

    // MARK: Turns

    /// Puts the operation in the queue; one that needs no turn proceeds at once.
    private mutating func enqueue(_ id: OperationID) {
        guard let entry = entries[id], let scheduling = entry.scheduling, scheduling.slot != nil,
            !entry.isPrivileged
        else { return pass(.slot, to: id) }
        let sends = !entry.machine.isLive || sendsWhenResumed(id)
        if sends, let opening = scheduler.pause(longerThan: scheduling, at: now) {
            return fail(id, .hostPaused(until: opening))
        }
        scheduler.add(id, scheduling: scheduling, sends: sends)
    }

    /// Closes a host for some time. Operations that wait for it, but not for so long, fail at once
    /// because waiting would not change the outcome.
    mutating func pause(_ host: String, for time: Duration) {
        scheduler.close(host, for: time, at: now)
        for (id, opening) in scheduler.pausedTooLong(at: host, now) {
            fail(id, .hostPaused(until: opening))
        }
    }

    private func sendsWhenResumed(_ id: OperationID) -> Bool {
        attemptProgress[id]?.sendsWhenResumed ?? false
    }

    mutating func giveTurns() {
        while let id = scheduler.next(at: now) { turn(id) }
    }

    private mutating func turn(_ id: OperationID) {
        guard let entry = entries[id] else { return scheduler.remove(id, returns: false) }
        if !entry.machine.isLive || sendsWhenResumed(id),
            let condition = entry.scheduling?.slot?.network.condition(.fail, in: scheduler.network)
        {
            return fail(id, .network(condition))
        }
        // While a refresh is in progress, a new attempt would only be refused.
        if !entry.machine.isLive, let gate = closedGate(for: entry) {
            joinRefresh(id, gate)
            report(
                .postponed(reason: "a token refresh is in progress"), of: id,
                attempt: entry.machine.attempt)
            return pass(.lackCredential, to: id)
        }
        pass(.slot, to: id)
    }

    private mutating func launch(_ id: OperationID, _ attempt: Int) {
        let (lastEnd, isBarred) = (refreshEnds, sharesFailure(id))
        let launched = entries.update(id) { entry in
            entry.launch(at: now, after: lastEnd, sharesFailure: isBarred)
            return entry
        }
        guard let entry = launched else { return }
        if let slot = entry.scheduling?.slot, !slot.isGroup {
            if attempt == 1 { budget.deposit(at: now) }
            scheduler.recordRequest(id, at: now)
        }
        attemptProgress.update(id) { attemptProgress in
            attemptProgress.hasProgress = false
            attemptProgress.sendsWhenResumed = false
            attemptProgress.isUnsent = false
        }
        limitTime(of: id, attempt)
        actions.append(.launch(id, attempt: attempt))
    }

    private mutating func unpause(_ id: OperationID, _ attempt: Int) {
        if entries[id]?.isOverdue == true {
            entries.update(id) { $0.isOverdue = false }
            limitTime(of: id, attempt)
        }
        if sendsWhenResumed(id) { count(id) }
        actions.append(.unpause(id))
    }

    /// Counts the request that a resumed attempt sends now.
    private mutating func count(_ id: OperationID) {
        scheduler.recordRequest(id, at: now)
        guard attemptProgress[id]?.isUnsent == true else { return }
        attemptProgress.update(id) { $0.isUnsent = false }
        entries.update(id) { $0.notBefore = now }
    }

    private mutating func limitTime(of id: OperationID, _ attempt: Int) {
        guard let limit = entries[id]?.scheduling?.attemptTimeout else { return }
        timers.sweep { entries.contains($0) }
        timers.set(.attempt(id, attempt: attempt), at: now.later(by: limit))
    }
}

extension OperationMachine {
    /// Whether an operation that leaves its queue returns to it by itself.
    fileprivate var returnsToQueue: Bool {
        switch phase {
        case .waiting, .postponed: true
        // The live attempt asks for another turn.
        case .queued: isLive
        default: false
        }
    }
}
