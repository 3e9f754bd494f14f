import TelexScheduling

/// The plan of one seed: the settings of the engine, and the behaviour of the servers.
struct SimulationPlan {
    var traffic = TrafficLimits()
    var queues: [QueueRules] = []
    var canRefresh = false
    var refreshTimeout: Duration?
    /// Whether a diagnosis is possible.
    var canDiagnose = false
    var failureRates = FailureRates()
    var operations: [OperationPlan] = []

    /// How often attempts and refreshes go wrong, in percent.
    struct FailureRates {
        var drops = 0
        var drags = 0
        var refusals = 0
        var errors = 0
        var silences = 0
        /// How often an attempt reports progress before it ends.
        var attemptProgress = 0
        var redirects = 0
        var refreshFailures = 0
        var refreshSilences = 0
        /// How often a stopped attempt still reports.
        var lateResults = 50
    }

    init(_ size: Simulation.Size, _ random: inout SeededRandom) {
        if random.percent(60) { traffic.concurrent = random.pick(1, 2, 4) }
        if random.percent(40) { traffic.perHost = random.pick(1, 2) }
        if random.percent(25) {
            traffic.rate = RequestRate(
                random.pick(1, 2, 3), per: .milliseconds(random.pick(50, 900)))
        }
        queues = [QueueRules("serial", concurrent: 1), QueueRules("pair", concurrent: 2)]
        canRefresh = random.percent(80)
        if random.percent(70) { refreshTimeout = .milliseconds(random.pick(40, 1_000)) }
        failureRates = FailureRates(&random)
        canDiagnose = random.percent(50)
        // Each operation has its own seed, so that a smaller world has the same operations.
        let seed = random.next()
        let count = 1 + random.below(size.operations)
        operations = (0..<count).map {
            OperationPlan($0, size, SeededRandom(seed: seed &+ UInt64($0)))
        }
    }
}

extension SimulationPlan.FailureRates {
    init(_ random: inout SeededRandom) {
        drops = random.pick(0, 10, 30, 90)
        drags = random.pick(0, 10, 30)
        refusals = random.pick(0, 10, 40, 80)
        errors = random.pick(0, 5)
        silences = random.pick(0, 5, 20)
        attemptProgress = random.pick(0, 10, 60)
        redirects = random.pick(0, 20)
        refreshFailures = random.pick(0, 20, 100)
        refreshSilences = random.pick(0, 20)
    }
}

/// The plan of one operation, as far as it does not depend on the engine.
struct OperationPlan {
    var scheduling = SchedulingRequest()
    var slot: SchedulingRequest.QueueSlot?
    var owner = 0
    var host = 0
    var rate: RequestRate?
    var throttle: SchedulingRequest.ThrottleKey?
    var retry = RetryPolicy.never
    var attemptTimeout: Duration?
    var totalTimeout: Duration?
    /// The longest pause of a host that it waits for.
    var patience = Duration.seconds(3_600)
    var dependencies: [Int] = []
    /// The user's actions on it, with their moments.
    var controls: [(moment: Duration, event: EventSchedule.Event)] = []

    /// The last one is outside the API.
    static let hosts = ["a.test", "b.test", "foreign.test"]
    /// The scheme besides that of the log-in.
    static let further = SchemeKey(1)
    static let owners = [nil, OperationOwner("one"), OperationOwner("two")]

    /// Whether there may be more than one attempt.
    var mayRepeat: Bool { scheduling.mayRepeat && retry.attempts > 1 }

    init(_ index: Int, _ size: Simulation.Size, _ seeded: SeededRandom) {
        var random = seeded
        if random.percent(90) { takeSeat(&random) }
        retry = RetryPolicy(
            attempts: random.pick(1, 2, 3, 5),
            backoff: Backoff(initial: .milliseconds(random.pick(0, 20, 300))))
        if random.percent(30) {
            // Like methods, all operations of a name have the same policy.
            let name = random.below(4)
            throttle = SchedulingRequest.ThrottleKey(
                name: "t\(name)", interval: .milliseconds(random.pick(10, 500)),
                policy: [.refuse, .delay, .delay, .latest][name])
        }
        if random.percent(20) { attemptTimeout = .milliseconds(random.pick(0, 30, 400)) }
        if random.percent(15) { totalTimeout = .milliseconds(random.pick(0, 100, 3_000)) }
        if index > 0, random.percent(15) {
            dependencies = (0..<(1 + random.below(2))).map { _ in random.below(index) }
        }
        if random.percent(20) { patience = .milliseconds(random.pick(0, 100, 500)) }
        scheduling = SchedulingRequest(
            slot: slot, retry: retry, mayRepeat: random.percent(80),
            throttle: throttle, attemptTimeout: attemptTimeout, totalTimeout: totalTimeout,
            longestPause: patience)
        live(index, size, &random)
    }

    private mutating func takeSeat(_ random: inout SeededRandom) {
        owner = random.below(Self.owners.count)
        host = random.pick(0, 0, 1, 1, 2)
        if random.percent(15) { rate = RequestRate(1, per: .milliseconds(100)) }
        slot = SchedulingRequest.QueueSlot(
            queue: random.pick(nil, nil, "serial", "pair"), host: Self.hosts[host],
            priority: random.pick(.low, .normal, .normal, .high), owner: Self.owners[owner],
            rate: rate.map { .init(method: "slow", rate: $0) },
            schemes: random.pick([], [.login], [.login], [Self.further], [.login, Self.further]),
            isOutsideAPI: host == 2)
    }

    /// Usually it is started; then the user acts on it.
    private mutating func live(
        _ index: Int, _ size: Simulation.Size, _ random: inout SeededRandom
    ) {
        let made = random.milliseconds(300)
        guard random.percent(95) else { return controls.append((made, .forget(index))) }
        controls.append((made + random.milliseconds(200), .start(index)))
        for _ in 0..<random.below(size.controls + 1) {
            let control: EventSchedule.Event = random.pick(
                .suspend(index), .resume(index), .suspend(index), .resume(index), .start(index),
                .cancel(index), .raise(index), .join(index))
            controls.append((made + random.milliseconds(random.pick(100, 2_000)), control))
        }
        // A call that shares a request has no turn of its own.
        if slot == nil, random.percent(30) {
            controls.append((made + random.milliseconds(500), .diagnoseThenFail(index)))
        }
        guard random.percent(10), slot != nil else { return }
        controls.append(
            (made + random.milliseconds(500), .pauseHost(host, random.milliseconds(1_000))))
    }
}

extension SeededRandom {
    mutating func below(_ end: Int) -> Int { Int(next() % UInt64(max(1, end))) }

    mutating func percent(_ chance: Int) -> Bool { below(100) < chance }

    mutating func pick<Choice>(_ choices: Choice...) -> Choice { choices[below(choices.count)] }

    mutating func milliseconds(_ most: Int) -> Duration { .milliseconds(below(most + 1)) }
}
