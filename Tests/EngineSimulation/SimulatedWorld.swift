import TelexScheduling

/// Users, servers and a clock around an `EngineMachine`, all from one seed.
///
/// The world performs the machine's actions and keeps its own ledger of them. An action that the
/// ledger forbids is a violation.
struct SimulatedWorld {
    var machine: EngineMachine
    var random: SeededRandom
    var schedule = EventSchedule()
    var operations: [SimulatedOperation]
    let plan: SimulationPlan
    /// The refreshes in flight, by scheme.
    var refreshing: [SchemeKey: Int] = [:]
    var refreshes = 0
    /// How late an alarm may be, in milliseconds.
    static let lateness = 2
    /// The current alarm. A new one replaces it.
    var alarm = 0
    var ledger: TrafficLedger
    /// The first violated rule.
    var violation: String?
    var events = 0
    /// The last time that was passed to the machine.
    private var machineTime = Duration.zero
    var trace: [String] = []
    let isTraced: Bool

    init(seed: UInt64, size: Simulation.Size, isTraced: Bool) {
        random = SeededRandom(seed: seed)
        plan = SimulationPlan(size, &random)
        machine = EngineMachine(
            traffic: plan.traffic, queues: plan.queues, canRefresh: plan.canRefresh,
            furtherSchemes: [OperationPlan.further], refreshTimeout: plan.refreshTimeout,
            canDiagnose: plan.canDiagnose, seed: seed)
        operations = plan.operations.map(SimulatedOperation.init)
        ledger = TrafficLedger(plan.traffic)
        self.isTraced = isTraced
        for operation in plan.operations {
            for (moment, control) in operation.controls { schedule.add(control, in: moment) }
        }
    }

    var now: Duration { schedule.now }

    // MARK: The course of time

    /// Runs all events, then ends the operations that cannot continue, until none is left.
    mutating func run() {
        for round in 0..<8 {
            runToRest()
            guard violation == nil else { return }
            checkRest()
            if operations.allSatisfy({ $0.phase.isTerminal || $0.isForgotten }) { break }
            help(isLast: round > 4)
        }
        checkEnd()
    }

    private mutating func runToRest() {
        while violation == nil, let event = schedule.next() {
            events += 1
            guard events < 20_000 else { return fail("there is no end to it") }
            take(event)
            // Sometimes several events come before the actions are performed.
            while random.percent(10), operations.count > 0 { take(interruption()) }
            carryOut()
            // The machine learns of some changes only with the next event.
            if machineTime == now { checkStep() }
        }
    }

    private mutating func interruption() -> EventSchedule.Event {
        let index = random.below(operations.count)
        return random.pick(.suspend(index), .resume(index), .resume(index), .cancel(index))
    }

    private mutating func help(isLast: Bool) {
        for index in operations.indices
        where operations[index].needsHelp && !operations[index].isForgotten {
            switch operations[index].phase {
            case .ready: schedule.add(random.pick(.forget(index), .cancel(index)), in: .zero)
            case .suspended where !isLast:
                schedule.add(
                    random.pick(.resume(index), .cancel(index)), in: random.milliseconds(50))
            case .suspended, .queued: schedule.add(.cancel(index), in: .zero)
            default: break
            }
        }
    }

    // MARK: Events

    private mutating func take(_ event: EventSchedule.Event) {
        note { "\($0.now) \(event)" }
        switch event {
        case .forget(let index): forget(index)
        case .start(let index): start(index)
        case .raise(let index): raise(index)
        case .join(let index): join(index)
        case .suspend(let index): send(.suspend(id(index)))
        case .resume(let index): send(.resume(id(index)))
        case .cancel(let index):
            guard !operations[index].isForgotten else { return }
            register(index)
            send(.cancel(id(index)))
        case .diagnoseThenFail(let index): diagnoseThenFail(index)
        case .dependency(let index, let succeeded): dependencyEnded(index, succeeded)
        case .progressed(let index, let attempt, let attemptProgress):
            stand(index, attempt, attemptProgress)
        case .sends(let index, let attempt):
            // A suspended attempt sends nothing.
            guard operations[index].isAtWork, machine.phase(of: id(index))?.0 == .running else {
                return
            }
            if machine.isCurrent(id(index), attempt), operations[index].hasSeat {
                ledger.sent(at: now, by: operations[index])
            }
            send(.attemptSends(id(index), attempt: attempt))
        case .asks(let index, let attempt): ask(index, attempt)
        case .end(let index, let attempt, let outcome): end(index, attempt, outcome)
        case .examined(let index): send(.attemptDiagnosed(id(index)))
        case .refreshEnd(let number, let succeeded):
            let isFurther = refreshing[OperationPlan.further] == number
            refreshing = refreshing.filter { $0.value != number }
            if succeeded, random.percent(10) {
                // A log-in has replaced the refresh.
                send(.refreshSuperseded(number: number))
            } else if isFurther, random.percent(20) {
                // What returns the token needs a log-in.
                send(.refreshNeeds(.login, number: number))
            } else {
                send(.refreshEnded(number: number, succeeded: succeeded))
            }
        case .pauseHost(let host, let time):
            ledger.pauses[host].extend(time, at: now)
            send(.pauseHost(OperationPlan.hosts[host], time))
        case .alarm(let number):
            if number == alarm { send(.tick) }
        }
    }

    mutating func send(_ event: EngineMachine.Event) {
        machineTime = now
        machine.handle(event, at: now)
    }

    func id(_ index: Int) -> OperationID { OperationID(number: UInt64(index + 1)) }

    /// Registers an operation with its first event.
    private mutating func register(_ index: Int) {
        guard !operations[index].isKnown else { return }
        operations[index].isKnown = true
        machine.add(id(index))
    }

    /// Releasing the handle ends only an operation that was never started.
    private mutating func forget(_ index: Int) {
        if !operations[index].isKnown { operations[index].isForgotten = true }
    }

    private mutating func start(_ index: Int) {
        guard !operations[index].isForgotten else { return }
        register(index)
        let plan = operations[index].plan
        let isFirst = operations[index].started == nil
        if isFirst { begin(index) }
        send(.start(id(index), plan.scheduling, isBlocked: !plan.dependencies.isEmpty))
        for other in isFirst ? plan.dependencies : [] {
            if operations[other].ending != nil {
                let succeeded = operations[other].phase == .succeeded
                schedule.add(.dependency(index, succeeded: succeeded), in: .zero)
            } else {
                operations[other].dependents.append(index)
            }
        }
    }

    private mutating func begin(_ index: Int) {
        let plan = operations[index].plan
        operations[index].started = now
        if machine.phase(of: id(index))?.0 == .ready { throttle(index) }
        operations[index].isBlocked = !plan.dependencies.isEmpty
        operations[index].missing = plan.dependencies.count
    }

    /// Operations that have not started or have ended are ignored.
    private mutating func raise(_ index: Int) {
        let phase = machine.phase(of: id(index))?.0
        if let phase, phase != .ready, !phase.isTerminal { operations[index].priority = .high }
        send(.raise(id(index), to: .high))
    }

    /// It may have ended a moment ago.
    private mutating func join(_ index: Int) {
        guard let key = operations[index].plan.throttle else { return }
        makeWay(for: index)
        send(.join(id(index), key))
    }

    /// The failure of the shared request is diagnosed like its own.
    private mutating func diagnoseThenFail(_ index: Int) {
        let isAtWork = machine.phase(of: id(index))?.0 == .running
        operations[index].isSuspicious = isAtWork && plan.canDiagnose
        send(.diagnoseThenFail(id(index)))
    }

    private mutating func dependencyEnded(_ index: Int, _ succeeded: Bool) {
        guard succeeded else { return send(.fail(id(index))) }
        operations[index].missing -= 1
        guard operations[index].missing == 0 else { return }
        operations[index].isBlocked = false
        send(.unblock(id(index)))
    }

    private mutating func end(_ index: Int, _ attempt: Int, _ outcome: AttemptOutcome) {
        let operation = operations[index]
        if operation.live == attempt, operation.isPaused, random.percent(70) {
            operations[index].held = outcome
            return
        }
        // A diagnosed attempt is not counted in the ledger.
        let isLive = operation.live == attempt && operation.verdict == nil
        switch outcome {
        case .silence: break
        case .value: send(.attemptSucceeded(id(index), attempt: attempt))
        case .failure(var failure):
            if operation.live == attempt { stand(operation, &failure) }
            if failure.hasProgress, isLive { operations[index].failures = 0 }
            if machine.isCurrent(id(index), attempt) {
                if failure.sentNothing { takeBack(operation) }
                operations[index].isUnsent = failure.sentNothing
                operations[index].isSuspicious = failure.isSuspicious
            }
            if case .retry(let delay) = failure.remedy, isLive {
                operations[index].asked = delay
            }
            send(.attemptFailed(id(index), attempt: attempt, failure))
        }
    }

    // MARK: The account

    /// Records a line of the trace, if one was requested.
    mutating func note(_ line: (SimulatedWorld) -> String) {
        guard isTraced else { return }
        trace.append(line(self))
    }

    /// Records a violated rule; only the first one is kept.
    mutating func fail(_ rule: String) {
        guard violation == nil else { return }
        violation = rule
        note { "✗ \(rule) (at \($0.now))" }
    }

    /// Checks a rule for an operation.
    mutating func expect(_ isKept: Bool, _ index: Int, _ rule: StaticString) {
        if !isKept { fail("#\(index + 1) \(rule)") }
    }

    /// Checks a rule for the whole world.
    mutating func expect(_ isKept: Bool, _ rule: StaticString) {
        if !isKept { fail("\(rule)") }
    }
}
