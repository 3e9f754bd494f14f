import TelexTesting
import Testing

@testable import TelexRuntime
@testable import TelexScheduling

/// Values that are set later obey the bounds of the initialisers.
@Suite("A changed limit")
struct LimitBoundsTests {
    @Test("a changed limit of a rate allows one request at least, in a positive interval")
    func rate() {
        var rate = RequestRate(2, per: .seconds(1))
        rate.requests = 0
        rate.interval = .zero
        rate.burst = 0
        #expect(rate == RequestRate(0, per: .zero, burst: 0))
        #expect(rate.requests == 1 && rate.burst == 1 && rate.interval == .microseconds(1))
        var window = RateWindow(rate)
        window.record(at: .seconds(1))
        #expect(window.opening == .seconds(1) + .microseconds(1))
    }

    @Test("a changed limit of an API, a queue or a session allows one at least")
    func concurrent() {
        var limits = TrafficLimits(concurrent: 2, perHost: 2)
        limits.concurrent = 0
        limits.perHost = -1
        #expect(limits == TrafficLimits(concurrent: 1, perHost: 1))
        limits.concurrent = nil
        #expect(limits.concurrent == nil)
        var queue = QueueRules("one", concurrent: 2)
        queue.concurrent = 0
        #expect(queue.concurrent == 1)
        var session = TransportSession("files", connectionsPerHost: 2)
        session.connectionsPerHost = 0
        #expect(session.connectionsPerHost == 1)
        var throttle = Throttle(.seconds(1))
        throttle.interval = .seconds(-1)
        #expect(throttle.interval == .zero)
    }

    @Test("a changed limit of a call allows one attempt at least")
    func attempts() {
        var policy = RetryPolicy()
        policy.attempts = 0
        #expect(policy.attempts == 1)
    }

    @Test("a changed limit of a server's pause is at least zero")
    func pause() {
        var timeouts = Timeouts(pause: .seconds(-1))
        #expect(timeouts.pause == .zero)
        timeouts.pause = .seconds(1)
        timeouts.pause = .seconds(-1)
        #expect(timeouts.pause == .zero)
    }

    @Test(
        "a changed limit of a back-off gives a finite wait",
        arguments: [-1, Double.nan, 3, -Double.infinity, Double.infinity])
    func backoff(_ number: Double) {
        var backoff = Backoff()
        backoff.initial = .seconds(1)
        backoff.factor = number
        backoff.jitter = number
        #expect(backoff == Backoff(initial: .seconds(1), factor: number, jitter: number))
        #expect(backoff.factor >= 1 && (0...1).contains(backoff.jitter))
        for chance in [0, 0.5, 1] {
            #expect((.zero ... .seconds(20)).contains(backoff.delay(after: 3, chance: chance)))
        }
        backoff.initial = .seconds(-1)
        backoff.maximum = .seconds(-1)
        #expect(backoff.initial == .zero && backoff.maximum == .zero)
    }
}
