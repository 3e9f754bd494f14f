import TelexScheduling

/// People, servers and a clock around an `EngineMachine`, all from one seed.
///
/// The world carries out what the machine asks for and keeps its own books of it; whatever the
/// machine does that the books forbid is a violation.
struct World {
    var machine: EngineMachine
    var random: SeededRandom
    var agenda = Agenda()
    var actors: [Actor]
    let plan: Plan
    /// The refresh that is under way.
    var refreshing: Int?
    var refreshes = 0
    /// How late an alarm may be, in milliseconds.
    static let lateness = 2
    /// The alarm that is set; an earlier one is forgotten when another is set.
    var alarm = 0
    var books: Books
    /// What broke a rule first.
    var violation: String?
    var events = 0
    /// When the machine was last told the time.
    private var machineTime = Duration.zero
    var trace: [String] = []
    let isTraced: Bool

    init(seed: UInt64, size: Simulation.Size, isTraced: Bool) {
        random = SeededRandom(seed: seed)
        plan = Plan(size, &random)
        machine = EngineMachine(
            traffic: plan.traffic, queues: plan.queues, canRefresh: plan.canRefresh,
            refreshTimeout: plan.refreshTimeout, canDiagnose: plan.canDiagnose, seed: seed)
        actors = plan.operations.map(Actor.init)
        books = Books(plan.traffic)
        self.isTraced = isTraced
        for operation in plan.operations {
            for (moment, control) in operation.controls { agenda.add(control, in: moment) }
        }
    }

    var now: Duration { agenda.now }

    // MARK: The course of time

    /// Lets everything happen, then ends what waits for somebody's help, until nothing is left.
    mutating func run() {
        for round in 0..<8 {
            runToRest()
            guard violation == nil else { return }
            checkRest()
            if actors.allSatisfy({ $0.phase.isTerminal || $0.isForgotten }) { break }
            help(isLast: round > 4)
        }
        checkEnd()
    }

    private mutating func runToRest() {
        while violation == nil, let happening = agenda.next() {
            events += 1
            guard events < 20_000 else { return fail("there is no end to it") }
            take(happening)
            // Sometimes several things happen before anybody carries out what was decided.
            while random.percent(10), actors.count > 0 { take(interruption()) }
            carryOut()
            // Of what happens unnoticed the machine learns with the next event.
            if machineTime == now { checkStep() }
        }
    }

    private mutating func interruption() -> Agenda.Happening {
        let index = random.below(actors.count)
        return random.pick(.suspend(index), .resume(index), .resume(index), .cancel(index))
    }

    private mutating func help(isLast: Bool) {
        for index in actors.indices where actors[index].needsHelp && !actors[index].isForgotten {
            switch actors[index].phase {
            case .ready: agenda.add(random.pick(.forget(index), .cancel(index)), in: .zero)
            case .suspended where !isLast:
                agenda.add(random.pick(.resume(index), .cancel(index)), in: random.milliseconds(50))
            case .suspended, .queued: agenda.add(.cancel(index), in: .zero)
            default: break
            }
        }
    }

    // MARK: Events

    private mutating func take(_ happening: Agenda.Happening) {
        note { "\($0.now) \(happening)" }
        switch happening {
        case .forget(let index): forget(index)
        case .start(let index): start(index)
        case .raise(let index): raise(index)
        case .join(let index): join(index)
        case .suspend(let index): send(.suspend(id(index)))
        case .resume(let index): send(.resume(id(index)))
        case .cancel(let index):
            guard !actors[index].isForgotten else { return }
            register(index)
            send(.cancel(id(index)))
        case .giveUp(let index): giveUp(index)
        case .dependency(let index, let succeeded): dependencyEnded(index, succeeded)
        case .progressed(let index, let attempt, let attemptProgress):
            stand(index, attempt, attemptProgress)
        case .sends(let index, let attempt):
            // One that is held sends nothing.
            guard actors[index].isAtWork, machine.phase(of: id(index))?.0 == .running else {
                return
            }
            if machine.isCurrent(id(index), attempt), actors[index].hasSeat {
                books.sent(at: now, by: actors[index])
            }
            send(.attemptSends(id(index), attempt: attempt))
        case .asks(let index, let attempt): ask(index, attempt)
        case .end(let index, let attempt, let outcome): end(index, attempt, outcome)
        case .examined(let index): send(.attemptDiagnosed(id(index)))
        case .refreshEnd(let number, let succeeded):
            if number == refreshing { refreshing = nil }
            // Now and then another login has happened.
            send(
                succeeded && random.percent(10)
                    ? .refreshSuperseded(number: number)
                    : .refreshEnded(number: number, succeeded: succeeded))
        case .pauseHost(let host, let time):
            books.pauses[host].extend(time, at: now)
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

    /// The engine hears of an operation when it is first wanted, or no longer wanted.
    private mutating func register(_ index: Int) {
        guard !actors[index].isKnown else { return }
        actors[index].isKnown = true
        machine.add(id(index))
    }

    /// Only the handle of an operation that was never started takes the operation with it.
    private mutating func forget(_ index: Int) {
        if !actors[index].isKnown { actors[index].isForgotten = true }
    }

    private mutating func start(_ index: Int) {
        guard !actors[index].isForgotten else { return }
        register(index)
        let plan = actors[index].plan
        let isFirst = actors[index].started == nil
        if isFirst { begin(index) }
        send(.start(id(index), plan.scheduling, isBlocked: !plan.dependencies.isEmpty))
        for other in isFirst ? plan.dependencies : [] {
            if actors[other].ending != nil {
                let succeeded = actors[other].phase == .succeeded
                agenda.add(.dependency(index, succeeded: succeeded), in: .zero)
            } else {
                actors[other].dependents.append(index)
            }
        }
    }

    private mutating func begin(_ index: Int) {
        let plan = actors[index].plan
        actors[index].started = now
        if machine.phase(of: id(index))?.0 == .ready { throttle(index) }
        actors[index].isBlocked = !plan.dependencies.isEmpty
        actors[index].missing = plan.dependencies.count
    }

    /// Of what has not been started, or has ended, nobody takes note.
    private mutating func raise(_ index: Int) {
        let phase = machine.phase(of: id(index))?.0
        if let phase, phase != .ready, !phase.isTerminal { actors[index].priority = .high }
        send(.raise(id(index), to: .high))
    }

    /// It may be one that has ended a moment ago.
    private mutating func join(_ index: Int) {
        guard let key = actors[index].plan.throttle else { return }
        makeWay(for: index)
        send(.join(id(index), key))
    }

    /// What it shared is looked into, as if it had been its own.
    private mutating func giveUp(_ index: Int) {
        let isAtWork = machine.phase(of: id(index))?.0 == .running
        actors[index].isSuspicious = isAtWork && plan.canDiagnose
        send(.giveUp(id(index)))
    }

    private mutating func dependencyEnded(_ index: Int, _ succeeded: Bool) {
        guard succeeded else { return send(.fail(id(index))) }
        actors[index].missing -= 1
        guard actors[index].missing == 0 else { return }
        actors[index].isBlocked = false
        send(.unblock(id(index)))
    }

    private mutating func end(_ index: Int, _ attempt: Int, _ outcome: Outcome) {
        let actor = actors[index]
        if actor.live == attempt, actor.isPaused, random.percent(70) {
            actors[index].held = outcome
            return
        }
        // What is looked into counts for nothing in the books, whatever it says.
        let isLive = actor.live == attempt && actor.verdict == nil
        switch outcome {
        case .silence: break
        case .value: send(.attemptSucceeded(id(index), attempt: attempt))
        case .failure(var failure):
            if actor.live == attempt { stand(actor, &failure) }
            if failure.hasProgress, isLive { actors[index].failures = 0 }
            if machine.isCurrent(id(index), attempt) {
                if failure.sentNothing { takeBack(actor) }
                actors[index].isUnsent = failure.sentNothing
                actors[index].isSuspicious = failure.isSuspicious
            }
            if case .retry(let delay) = failure.remedy, isLive {
                actors[index].asked = delay
            }
            send(.attemptFailed(id(index), attempt: attempt, failure))
        }
    }

    // MARK: The account

    /// Keeps a line of the account, if anybody wants to read it.
    mutating func note(_ line: (World) -> String) {
        guard isTraced else { return }
        trace.append(line(self))
    }

    /// A rule was broken; only the first counts.
    mutating func fail(_ rule: String) {
        guard violation == nil else { return }
        violation = rule
        note { "✗ \(rule) (at \($0.now))" }
    }

    /// Demands something of an operation.
    mutating func expect(_ isKept: Bool, _ index: Int, _ rule: StaticString) {
        if !isKept { fail("#\(index + 1) \(rule)") }
    }

    /// Demands something of the whole world.
    mutating func expect(_ isKept: Bool, _ rule: StaticString) {
        if !isKept { fail("\(rule)") }
    }
}
