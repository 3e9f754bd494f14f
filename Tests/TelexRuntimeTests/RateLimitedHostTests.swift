import Testing

@testable import TelexRuntime
@testable import TelexScheduling

/// A server with a token bucket, its calls, and an engine machine with a virtual clock.
private struct LimitedHost {
    /// The distance of its tokens, and how many it holds.
    let spacing: Duration
    let burst: Int
    /// Whether a refusal has a `Retry-After`, in whole seconds.
    var namesTime = true
    private let latency = Duration.milliseconds(40)
    private(set) var machine: EngineMachine
    private(set) var now = Duration.zero
    private(set) var requests = 0
    private(set) var succeeded = 0
    private var filled = Duration.zero
    private var wake: Duration?
    private var replies: [(moment: Duration, id: OperationID, attempt: Int, wait: Duration?)] = []

    init(_ rate: RequestRate, client: TrafficLimits) {
        (spacing, burst) = (rate.interval / rate.requests, rate.burst ?? 1)
        machine = EngineMachine(traffic: client, seed: 7)
    }

    /// Starts calls at the same time, and goes on until all have ended.
    mutating func run(calls: UInt64) {
        for number in 1...calls {
            machine.add(OperationID(number: number))
            send(
                .start(
                    OperationID(number: number),
                    SchedulingRequest(
                        slot: .init(host: "a.test"), retry: .standard, mayRepeat: true,
                        longestPause: .seconds(300)), isBlocked: false))
        }
        while let moment = [replies.first?.moment, wake].compactMap(\.self).min() {
            now = max(now, moment)
            guard wake == moment else {
                answer()
                continue
            }
            wake = nil
            send(.tick)
        }
    }

    private mutating func answer() {
        let reply = replies.removeFirst()
        guard let wait = reply.wait else {
            send(.attemptSucceeded(reply.id, attempt: reply.attempt))
            return
        }
        var failure = AttemptFailure(.retry(after: namesTime ? wait : nil), "status 429")
        failure.isRateLimited = namesTime
        failure.hostWait = namesTime ? wait : RetryPolicy.standard.backoff.initial
        if namesTime { send(.pauseHost("a.test", wait)) }
        send(.attemptFailed(reply.id, attempt: reply.attempt, failure))
    }

    private mutating func send(_ event: EngineMachine.Event) {
        machine.handle(event, at: now)
        var actions: [EngineMachine.Action] = []
        machine.takeActions(into: &actions)
        for action in actions {
            switch action {
            case .launch(let id, let attempt): receive(id, attempt)
            case .complete(let id, let ending):
                if ending == .succeeded { succeeded += 1 }
                machine.remove(id)
            case .wake(let moment): wake = min(wake ?? moment, moment)
            default: break
            }
        }
    }

    /// Accepts a request if there is a token, or refuses it until the next one.
    private mutating func receive(_ id: OperationID, _ attempt: Int) {
        requests += 1
        let arrival = now + latency / 2
        let opening = filled - spacing * (burst - 1)
        var wait: Duration?
        if opening > arrival {
            let rest = (opening - arrival).components
            wait = .seconds(rest.seconds + (rest.attoseconds > 0 ? 1 : 0))
        } else {
            filled = max(filled, arrival) + spacing
        }
        replies.append((now + latency, id, attempt, wait))
    }
}

@Suite("A host that permits one call a second, after a burst of twenty")
struct RateLimitedHostTests {
    private let rate = RequestRate(1, per: .seconds(1), burst: 20)

    @Test("gets forty calls without a refusal if the spec declares its rate")
    func declared() {
        var host = LimitedHost(rate, client: TrafficLimits(rate: rate))
        host.run(calls: 40)
        #expect(host.succeeded == 40 && host.requests == 40 && host.machine.isIdle)
        #expect(host.now < .seconds(21))
    }

    @Test("refuses at most a tenth of forty calls if its rate is not declared")
    func learned() {
        var host = LimitedHost(rate, client: TrafficLimits(concurrent: 2))
        host.run(calls: 40)
        #expect(host.succeeded == 40 && host.requests <= 44 && host.machine.isIdle)
        #expect(host.now < .seconds(30))
    }

    @Test("refuses the calls in flight once, and then at most a tenth")
    func atOnce() {
        var host = LimitedHost(rate, client: TrafficLimits())
        host.run(calls: 40)
        #expect(host.succeeded == 40 && host.requests <= 40 + 20 + 4 && host.machine.isIdle)
    }

    @Test("gets few calls at a time after a refusal without a time, too")
    func withoutTime() {
        var host = LimitedHost(rate, client: TrafficLimits())
        host.namesTime = false
        host.run(calls: 26)
        #expect(host.succeeded >= 24)
        #expect(host.requests <= 26 + 6 + 6 && host.machine.isIdle)
    }

    @Test("gets the calls soon if it permits more than the first pause suggests")
    func faster() {
        var host = LimitedHost(RequestRate(10, per: .seconds(1)), client: TrafficLimits())
        host.run(calls: 40)
        #expect(host.succeeded == 40 && host.now < .seconds(15))
    }
}
