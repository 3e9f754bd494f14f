import Testing

@testable import TelexRuntime
@testable import TelexScheduling

@Suite("A host that permits one call a second, after a burst of twenty")
struct RateLimitedHostTests {
    private let rate = RequestRate(1, per: .seconds(1), burst: 20)

    @Test("a rate-limited host gets forty calls without a refusal if the spec declares its rate")
    func declared() {
        var host = LimitedHost(rate, client: TrafficLimits(rate: rate))
        // The rate is that of the launches, so that they must not overtake one another.
        host.latency = .zero
        host.run(calls: 40)
        #expect(host.successes.count == 40 && host.requests == 40 && host.machine.isIdle)
        #expect(host.now < .seconds(21))
    }

    @Test("a rate-limited host refuses at most a tenth of forty calls if its rate is not declared")
    func learned() {
        var host = LimitedHost(rate, client: TrafficLimits(concurrent: 2))
        host.run(calls: 40)
        #expect(host.successes.count == 40 && host.requests <= 44 && host.machine.isIdle)
        #expect(host.now < .seconds(30))
    }

    @Test("a rate-limited host refuses the calls in flight once, and then at most a tenth")
    func oneConnectionEach() {
        var host = LimitedHost(rate)
        host.run(calls: 40)
        #expect(host.successes.count == 40 && host.requests <= 40 + 20 + 4 && host.machine.isIdle)
    }

    @Test(
        "a rate-limited host serves forty calls begun at once, refusing few but those in flight",
        arguments: [LimitedHost.RetryAfter.wholeSeconds, .exact], [5, 20, 50, 100])
    func atOnce(retryAfter: LimitedHost.RetryAfter, latency: Int) {
        for seed in 1...10 as ClosedRange<UInt64> {
            for connections in [6, 8, 100] {
                var host = LimitedHost(rate, seed: seed)
                (host.retryAfter, host.latency) = (retryAfter, .milliseconds(latency))
                host.connections = connections
                host.run(calls: 40)
                // Who asks for less than a second may refuse one call three times.
                #expect(host.successes.count >= (retryAfter == .exact ? 39 : 40))
                #expect(host.requests <= 40 + 20 + 8)
                #expect(host.now < .seconds(25) && host.machine.isIdle)
            }
        }
    }

    @Test("a rate-limited host gets few calls at a time after a refusal without a time, too")
    func withoutTime() {
        var host = LimitedHost(rate)
        host.retryAfter = .none
        host.run(calls: 26)
        #expect(host.successes.count >= 24)
        #expect(host.requests <= 26 + 6 + 6 && host.machine.isIdle)
    }

    @Test("a rate-limited host gets calls soon if it permits more than the first pause suggests")
    func faster() {
        var host = LimitedHost(RequestRate(10, per: .seconds(1)))
        host.run(calls: 40)
        #expect(host.successes.count == 40 && host.now < .seconds(15))
    }
}

@Suite("Two hundred calls at once to a host that permits twenty a second")
struct CallBurstTests {
    /// Runs the calls over the connections of each transport with several latencies.
    private func run(
        _ counting: LimitedHost.Counting, _ retryAfter: LimitedHost.RetryAfter,
        _ check: (LimitedHost) -> Void
    ) {
        for latency in [5, 20, 50, 100] {
            for connections in [6, 8, 100] {
                var host = LimitedHost(RequestRate(20, per: .seconds(1), burst: 20))
                (host.counting, host.retryAfter) = (counting, retryAfter)
                (host.latency, host.connections) = (.milliseconds(latency), connections)
                host.run(calls: 200)
                check(host)
            }
        }
    }

    @Test(
        "200 calls at once to a host of 20 a second are served in 20 s by at most 260 requests",
        arguments: LimitedHost.Counting.allCases, LimitedHost.RetryAfter.allCases)
    func served(counting: LimitedHost.Counting, retryAfter: LimitedHost.RetryAfter) {
        run(counting, retryAfter) { host in
            let inTime = host.successes.count { $0 <= .seconds(20) }
            // Without a time, a refusal measures less.
            #expect(inTime >= (retryAfter == .none ? 140 : 190) && host.successes.count >= 190)
            #expect(host.requests <= 260 && host.machine.isIdle)
        }
    }

    @Test("calls may go at once, however many, if the spec declares how many the host takes")
    func declared() {
        var bench = EngineMachineHarness(TrafficLimits(perHost: 1_000))
        for number in 1...200 as ClosedRange<UInt64> {
            bench.start(number, SchedulingRequest(slot: .init(host: "a.test")))
        }
        #expect(bench.launched.count == 200)
    }

    @Test("calls at once go 25 ms apart from the 21st on while no reply comes, so none is stuck")
    func silent() {
        var bench = EngineMachineHarness()
        for number in 1...200 as ClosedRange<UInt64> {
            bench.start(number, SchedulingRequest(slot: .init(host: "a.test")))
        }
        #expect(bench.launched.count == 20)
        for step in 1...180 { bench.send(.tick, at: .milliseconds(25 * step)) }
        #expect(bench.launched == Array(1...200))
    }

    @Test("calls at once count with replies: as many are in flight as the burst has had replies")
    func replied() {
        var bench = EngineMachineHarness()
        for number in 1...200 as ClosedRange<UInt64> {
            bench.start(number, SchedulingRequest(slot: .init(host: "a.test")))
        }
        for number in 1...40 as ClosedRange<UInt64> { bench.succeed(number) }
        #expect(bench.launched.count == 40 + 40)
    }
}

@Suite("The pace that a host's refusals teach")
struct LearnedPaceTests {
    private let waits: [Duration] = [
        .seconds(-5), .zero, .nanoseconds(1), .milliseconds(3), .milliseconds(500), .seconds(1),
        .seconds(7), .seconds(300), .seconds(86_400), .longest,
    ]

    /// A host that has refused some of its calls, in any order, and the time of the last refusal.
    private func refused(_ random: inout SeededRandom) -> (HostPause, Duration) {
        var (pause, now) = (HostPause(), Duration.zero)
        for _ in 0..<Int.random(in: 1...60, using: &random) {
            switch Int.random(in: 0..<4, using: &random) {
            case 0:
                let wait = waits.randomElement(using: &random) ?? .zero
                _ = pause.refuse(for: min(wait, .seconds(300)), at: now, in: HostBurst())
            case 1: pause.noteServed(at: now)
            case 2:
                now = max(now, pause.opening)
                pause.go(at: now, waiting: 5, chance: 0.5)
            default: now += .milliseconds(Int.random(in: 0...2_000, using: &random))
            }
        }
        return (pause, now)
    }

    @Test("a learned pace ends 10 s after the last pause if no call goes, whatever the refusals")
    func unused() {
        var random = SeededRandom(seed: 1)
        for _ in 0..<5_000 {
            let (pause, now) = refused(&random)
            #expect(pause.end - max(now, pause.opening) <= .seconds(10))
            #expect(pause.opening - now <= .seconds(310))
        }
    }

    @Test("a learned pace delays no calls ten minutes after the last refusal, however many wait")
    func recovers() {
        var random = SeededRandom(seed: 2)
        for _ in 0..<8 {
            var (pause, now) = refused(&random)
            now = max(now, pause.opening)
            let recovered = now + .seconds(600)
            var distance = Duration.longest
            while now < recovered && distance > .milliseconds(1) {
                now = max(now, pause.opening)
                pause.noteServed(at: now)
                pause.go(at: now, waiting: 5, chance: 0.5)
                distance = pause.opening - now
            }
            #expect(now < recovered)
        }
    }

    @Test("a pace counts calls in flight at a refusal as one failure, because one would have told")
    func inFlight() {
        var bench = EngineMachineHarness()
        let scheduling = SchedulingRequest(
            slot: .init(host: "a.test"), retry: .standard, mayRepeat: true)
        for number in 1...2 as ClosedRange<UInt64> { bench.start(number, scheduling) }
        var failure = AttemptFailure(.retry(after: .seconds(1)), "status 429")
        (failure.isRateLimited, failure.hostWait) = (true, .seconds(1))
        for (number, moment) in [(1, 0), (2, 0), (1, 10), (2, 20), (1, 30), (2, 40), (2, 50)] {
            let id = OperationID(number: UInt64(number))
            bench.send(.tick, at: .seconds(moment))
            let attempt = bench.machine.phase(of: id)?.attempt ?? 0
            bench.send(.attemptFailed(id, attempt: attempt, failure), at: .seconds(moment))
        }
        #expect(bench.launched == [1, 2, 1, 2, 1, 2, 2])
        #expect(bench.completed == [1: .failed(.attempt), 2: .failed(.attempt)])
    }
}
