import TelexTesting
import Testing

@testable import TelexRuntime
@testable import TelexScheduling

/// What is set later obeys the bounds of the initialisers.
@Suite("A limit that is changed")
struct BoundTests {
    @Test("of a rate lets one request pass, in some time")
    func rate() {
        var rate = RequestRate(2, per: .seconds(1))
        rate.requests = 0
        rate.interval = .zero
        #expect(rate == RequestRate(0, per: .zero))
        #expect(rate.requests == 1 && rate.interval == .microseconds(1))
        var window = RateWindow(rate)
        window.record(at: .seconds(1))
        #expect(window.opening == .seconds(1) + .microseconds(1))
    }

    @Test("of an API, a queue or a session leaves room for one")
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

    @Test("of a call lets it be made once")
    func attempts() {
        var policy = RetryPolicy()
        policy.attempts = 0
        #expect(policy.attempts == 1)
    }

    @Test("of a server's pause is no time at the least")
    func pause() {
        var timeouts = Timeouts(pause: .seconds(-1))
        #expect(timeouts.pause == .zero)
        timeouts.pause = .seconds(1)
        timeouts.pause = .seconds(-1)
        #expect(timeouts.pause == .zero)
    }

    @Test(
        "of a backoff gives a wait that there is",
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
