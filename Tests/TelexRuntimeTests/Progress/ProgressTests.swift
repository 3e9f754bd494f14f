import Foundation
import TelexJSON
import TelexScheduling
import TelexTesting
import Testing

@testable import TelexRuntime

@Suite("The progress of an operation")
struct ProgressTests {
    typealias Step = OperationProgress.Step

    @Test("an operation's progress has no fraction as long as the total of a transfer is unknown")
    func unknown() {
        #expect(OperationProgress().fraction == nil)
        #expect(OperationProgress(expectedToSend: 0).fraction == nil)
        #expect(OperationProgress(received: 5).fraction == nil)
        #expect(OperationProgress(sent: 5, expectedToReceive: 10).fraction == nil)
        #expect(OperationProgress(sent: 5, expectedToSend: 10, received: 1).fraction == nil)
        #expect(OperationProgress(received: 5, throughput: 9).remaining == nil)
        #expect(OperationProgress(received: 5, expectedToReceive: 10).remaining == nil)
    }

    @Test("the progress says at once that its operation has not been started, and starts nothing")
    func notStarted() async throws {
        let client = TestClient { _ in .json(#"{"response":[]}"#) }
        let call = client.call()
        var values = call.progress.makeAsyncIterator()
        let first = await values.next()
        #expect(first?.hasStarted == false && first?.fraction == nil)
        #expect(call.state == .ready && client.transport.requests.isEmpty)
        _ = try await call.value
        while let next = await values.next() { #expect(next.hasStarted) }
    }

    /// An upload of five bytes.
    private func upload() -> DataOperation<Data> {
        tiny { _ in .bytes([1]) }.manager.operation(
            .post, address: "https://pictures.test/",
            body: UploadFile(bytes: [1, 2, 3, 4, 5], name: "a", type: "text/plain"))
    }

    @Test("the progress goes to a closure, with nothing before the start, up to the last value")
    func closure() async throws {
        let values = Lock<[OperationProgress]>([])
        let call = upload().onProgress { value in values.withLock { $0.append(value) } }
        #expect(call.state == .ready && values.withLock { $0.isEmpty })
        _ = try await call.start().value
        let all = values.withLock { $0 }
        #expect(all.first?.expectedToSend == 5 && all.allSatisfy(\.hasStarted))
        #expect(all.last?.sent == 5 && all.last?.received == 1)
    }

    @Test("the progress of an operation goes to a closure on the main actor")
    @MainActor
    func mainActor() async throws {
        let done = Gate()
        var last: OperationProgress?
        let call = upload().onProgress(on: MainActor.shared) {
            last = $0
            if $0.received == 1 { done.open() }
        }
        _ = try await call.start().value
        await done.wait()
        #expect(last?.sent == 5)
    }

    @Test("the progress releases its closures at the end, because they may retain the operation")
    func released() {
        let tracker = ProgressTracker(clock: VirtualClock().runtimeClock)
        weak var retained: Counter?
        do {
            let counter = Counter()
            retained = counter
            tracker.forward { _ in _ = counter.next() }
        }
        tracker.report(OperationProgress(received: 1))
        #expect(retained?.value == 1)
        tracker.finish()
        #expect(retained == nil)
    }

    @Test("the progress of an operation is the share of the known bytes")
    func bytes() {
        #expect(OperationProgress(received: 5, expectedToReceive: 10).fraction == 0.5)
        #expect(OperationProgress(sent: 5, expectedToSend: 10).fraction == 0.5)
        let both = OperationProgress(
            sent: 10, expectedToSend: 10, received: 0, expectedToReceive: 30, throughput: 10)
        #expect(both.fraction == 0.25)
        #expect(both.remaining == .seconds(3))
        #expect(OperationProgress(expectedToReceive: 0).fraction == 1)
    }

    @Test("the progress of an operation stays within its bounds, for any counts")
    func hostile() {
        let numbers: [Int?] = [nil, .min, -1, 0, 1, .max]
        let rates: [Double?] = [nil, .nan, .infinity, -.infinity, -1, 0, 1e-300, 1]
        for sent in numbers {
            for received in numbers {
                for expected in numbers {
                    for rate in rates {
                        let progress = OperationProgress(
                            sent: sent ?? 0, expectedToSend: expected, received: received ?? 0,
                            expectedToReceive: sent, throughput: rate)
                        if let fraction = progress.fraction { #expect((0...1).contains(fraction)) }
                        if let remaining = progress.remaining { #expect(remaining >= .zero) }
                    }
                }
            }
        }
        #expect(OperationProgress(received: 20, expectedToReceive: 10).fraction == 1)
    }

    @Test("the progress of a group is the weighted mean of its steps")
    func steps() throws {
        func fraction(_ steps: Step...) -> Double? { OperationProgress(steps: steps).fraction }
        #expect(fraction(Step("a", fraction: 1), Step("b")) == 0.5)
        #expect(fraction(Step("a", weight: 3, fraction: 0.5), Step("b", fraction: 0.5)) == 0.5)
        #expect(fraction(Step("a", weight: 3, fraction: 1), Step("b", weight: 1)) == 0.75)
        #expect(fraction(Step("a", weight: 0)) == nil)
        #expect(fraction(Step("a", weight: -.infinity), Step("b", weight: .nan)) == nil)
        #expect(fraction(Step("a", weight: -1, fraction: 0), Step("b", fraction: 7)) == 1)
        #expect(fraction(Step("a", fraction: .nan), Step("b", fraction: -1)) == 0)
        let huge = Double.greatestFiniteMagnitude
        #expect(
            fraction(Step("a", weight: huge, fraction: 1), Step("b", weight: huge)) == 0.5)
        let group = OperationProgress(
            sent: 1, received: 1, steps: [Step("a", fraction: 1), Step("b", fraction: 1)])
        #expect(group.fraction == 1)
    }
}

@Suite("A progress meter")
struct ProgressMeterTests {
    private func received(_ count: Int, of total: Int? = 1000) -> OperationProgress {
        OperationProgress(received: count, expectedToReceive: total)
    }

    @Test("a progress meter publishes the first, at most ten a second, 100 % and the last")
    func throttles() {
        var meter = ProgressMeter()
        #expect(meter.feed(received(0), at: .zero)?.received == 0)
        var values: [Int] = []
        for millisecond in 1..<1000 {
            let value = meter.feed(received(millisecond), at: .milliseconds(millisecond))
            if let value { values.append(value.received) }
        }
        #expect(values == [100, 200, 300, 400, 500, 600, 700, 800, 900])
        #expect(meter.feed(received(1000), at: .milliseconds(999))?.fraction == 1)
        #expect(meter.feed(received(1000), at: .milliseconds(999)) == nil)
        #expect(meter.finish(at: .milliseconds(999)) == nil)
        var other = ProgressMeter()
        _ = other.feed(received(1, of: nil), at: .zero)
        #expect(other.feed(received(2, of: nil), at: .milliseconds(1)) == nil)
        #expect(other.finish(at: .milliseconds(2))?.received == 2)
        #expect(other.finish(at: .milliseconds(2)) == nil)
    }

    @Test("a progress meter publishes no unchanged value")
    func unchanged() {
        var meter = ProgressMeter()
        _ = meter.feed(received(0), at: .zero)
        _ = meter.feed(received(0), at: .seconds(1))
        #expect(meter.feed(received(0), at: .seconds(2)) == nil)
    }

    @Test("a meter never falls when a transfer restarts; throughput falls until it has caught up")
    func restarts() throws {
        var meter = ProgressMeter()
        var values: [OperationProgress] = []
        for second in 0...5 {
            let value = meter.feed(received(second * 100), at: .seconds(second))
            values += [value].compactMap { $0 }
        }
        let before = try #require(values.last?.throughput)
        #expect(abs(before - 100) < 0.001)
        for second in 6...10 {
            let value = meter.feed(received((second - 6) * 100), at: .seconds(second))
            values += [value].compactMap { $0 }
        }
        #expect(try #require(values.last?.throughput) < before / 2)
        for second in 11...20 {
            let value = meter.feed(received((second - 6) * 100), at: .seconds(second))
            values += [value].compactMap { $0 }
        }
        #expect(values.last?.fraction == 1)
        #expect(zip(values, values.dropFirst()).allSatisfy { $0.received <= $1.received })
    }

    @Test("a progress meter has no total for a transfer that restarts without one")
    func restartsWithoutLength() throws {
        var meter = ProgressMeter(interval: .zero)
        #expect(meter.feed(received(5_000, of: 10_000), at: .zero)?.fraction == 0.5)
        for count in [100, 10_000, 20_000] {
            let shown = meter.feed(received(count, of: nil), at: .seconds(count))
            #expect(meter.feed(received(count, of: nil), at: .seconds(count)) == nil)
            #expect(shown?.fraction == nil && shown?.expectedToReceive == nil)
        }
        #expect(meter.feed(received(30_000, of: 30_000), at: .seconds(30_000))?.fraction == 1)
        var sending = ProgressMeter(interval: .zero)
        _ = sending.feed(OperationProgress(sent: 5, expectedToSend: 10), at: .zero)
        #expect(
            sending.feed(OperationProgress(sent: 6), at: .seconds(1))?.expectedToSend == nil)
        // A report of one direction contains nothing of the other.
        let reply = sending.feed(received(1, of: 2), at: .seconds(2))
        #expect(reply?.expectedToReceive == 2)
        let again = sending.feed(OperationProgress(sent: 7, expectedToSend: 10), at: .seconds(3))
        #expect(again?.expectedToReceive == 2 && again?.expectedToSend == 10)
    }

    @Test("a progress meter follows a rate change within seconds, and is robust against one burst")
    func smooths() throws {
        var meter = ProgressMeter()
        var count = 0
        var last: Double?
        func run(_ seconds: ClosedRange<Int>, _ rate: Int) {
            for tenth in seconds.lowerBound * 10..<seconds.upperBound * 10 {
                count += rate / 10
                let value = meter.feed(received(count, of: nil), at: .milliseconds(tenth * 100))
                last = value?.throughput ?? last
            }
        }
        run(0...10, 1000)
        #expect(abs(try #require(last) - 1000) < 1)
        run(10...13, 2000)
        #expect((1500...1800).contains(try #require(last)))
        run(13...30, 2000)
        #expect(abs(try #require(last) - 2000) < 10)
        count += 2000
        run(30...31, 2000)
        #expect(try #require(last) < 3000)
    }

    @Test("a progress meter keeps half of the rate through a time without bytes, of any length")
    func stalls() throws {
        var meter = ProgressMeter()
        for second in 0...50 { _ = meter.feed(received(second * 1_000), at: .seconds(second)) }
        let shown = meter.feed(received(51_000), at: .seconds(3_600))
        #expect((500...1_000).contains(try #require(shown?.throughput)))
    }

    @Test("a progress meter does not complete a transfer that restarts with fewer bytes")
    func shorter() {
        var meter = ProgressMeter(interval: .zero)
        func shown(_ count: Int, of total: Int?) -> [Double?] {
            let progress = meter.feed(received(count, of: total), at: .zero)
            return [progress?.received].map { $0.map(Double.init) } + [progress?.fraction]
        }
        #expect(shown(800, of: 1_000) == [800, 0.8])
        for count in [100, 499] {
            // Nothing is published if nothing has changed.
            #expect(shown(count, of: 500) == [nil, nil])
        }
        #expect(shown(500, of: 500) == [800, 1])
        var unknown = ProgressMeter(interval: .zero)
        _ = unknown.feed(received(800, of: nil), at: .zero)
        #expect(unknown.feed(received(100, of: 500), at: .zero) == nil)
        #expect(unknown.feed(received(500, of: 500), at: .zero)?.fraction == 1)
    }

    @Test("a meter accepts a clock that stands still or goes back, and counts of any size")
    func hostile() {
        var meter = ProgressMeter()
        #expect(meter.feed(received(.max), at: .seconds(5))?.received == .max)
        _ = meter.feed(OperationProgress(sent: .max, received: .max), at: .seconds(5))
        #expect(meter.feed(received(0, of: .max), at: .seconds(1)) == nil)
        #expect(meter.feed(received(.min, of: .min), at: .seconds(9))?.received == .max)
    }

    @Test("a progress meter publishes nothing at an end without reports")
    func nothing() {
        var meter = ProgressMeter()
        #expect(meter.finish(at: .seconds(1)) == nil)
    }

    @Test("a meter publishes at once when a step begins or ends, but not for inner groups")
    func turns() {
        typealias Step = OperationProgress.Step
        var meter = ProgressMeter()
        var now = Duration.zero
        func fraction(_ steps: Step...) -> Double? {
            now += .milliseconds(1)
            return meter.feed(OperationProgress(steps: steps), at: now)?.fraction
        }
        #expect(fraction(Step("a"), Step("b")) == 0)
        #expect(fraction(Step("a", fraction: 0), Step("b")) == 0)
        #expect(fraction(Step("a", fraction: 0.5), Step("b")) == nil)
        #expect(fraction(Step("a", fraction: 1), Step("b")) == 0.5)
        #expect(fraction(Step("a", fraction: 1), Step("b", fraction: 0)) == 0.5)
        let inner = [Step("x", fraction: 0)]
        #expect(fraction(Step("a", fraction: 1), Step("b", fraction: 0, steps: inner)) == nil)
        #expect(fraction(Step("a", fraction: 1), Step("b", fraction: 1)) == 1)
    }

    @Test("a progress meter returns when a value that came too soon is due")
    func due() {
        var meter = ProgressMeter()
        #expect(meter.due == nil)
        _ = meter.feed(received(1), at: .milliseconds(20))
        #expect(meter.due == nil)
        _ = meter.feed(received(2), at: .milliseconds(30))
        #expect(meter.due == .milliseconds(120))
        #expect(meter.finish(at: .milliseconds(120))?.received == 2)
        #expect(meter.due == nil)
    }

    @Test("a progress meter passes the steps of a group on")
    func steps() {
        var meter = ProgressMeter(interval: .zero)
        let steps = [OperationProgress.Step("a", fraction: 0.5)]
        #expect(meter.feed(OperationProgress(steps: steps), at: .zero)?.fraction == 0.5)
        let more = [OperationProgress.Step("a", fraction: 1)]
        #expect(meter.feed(OperationProgress(steps: more), at: .zero)?.fraction == 1)
    }

    @Test("a progress meter ignores an outdated report of a step")
    func late() {
        var meter = ProgressMeter(interval: .zero)
        typealias Step = OperationProgress.Step
        let newer = [Step("a", fraction: 1), Step("b", fraction: 0.5), Step("c")]
        let older = [Step("a", fraction: 1), Step("b")]
        _ = meter.feed(OperationProgress(steps: newer), at: .zero)
        #expect(meter.feed(OperationProgress(steps: older), at: .seconds(1))?.steps == newer)
        let other = [Step("a"), Step("b", fraction: 0.2), Step("c", fraction: 0.1)]
        let shown = meter.feed(OperationProgress(steps: other), at: .seconds(2))
        #expect(shown?.steps.map(\.fraction) == [1, 0.5, 0.1])
    }

    @Test("a progress meter ignores an outdated report of an inner group, but not a changed plan")
    func lateWithin() {
        var meter = ProgressMeter(interval: .zero)
        typealias Step = OperationProgress.Step
        func inner(_ outer: [Step]) -> [Step]? {
            meter.feed(OperationProgress(steps: outer), at: .zero)?.steps.first?.steps
        }
        let plan = Step("a", steps: [Step("x"), Step("y")])
        let newer = [Step("r", fraction: 1), Step("s", fraction: 0.5)]
        let older = Step("a", fraction: 0.5, steps: [Step("r", fraction: 0.5)])
        #expect(inner([plan]) == plan.steps)
        #expect(inner([Step("a", fraction: 0.5, steps: newer), Step("b", fraction: 0)]) == newer)
        #expect(inner([older, Step("b", fraction: 0.2)]) == newer)
        // Nothing is published if nothing has changed.
        #expect(inner([older]) == nil)
    }
}

@Suite("A progress tracker")
struct ProgressTrackerTests {
    private static func received(_ count: Int) -> OperationProgress {
        OperationProgress(received: count, expectedToReceive: 3)
    }

    @Test("a progress tracker delivers concurrent reports after the current one, and then the end")
    func order() async {
        let clock = VirtualClock()
        let tracker = ProgressTracker(clock: clock.runtimeClock)
        let log = Log()
        let stream = tracker.stream(startingWith: nil)
        // The observer reports more, as another thread might at that moment.
        tracker.forward { [weak tracker] progress in
            guard progress.received == 1 else { return }
            clock.advance(by: .seconds(1))
            tracker?.report(Self.received(2))
            tracker?.report(Self.received(3))
            tracker?.finish()
        }
        tracker.forward { log.add("\($0.received)") }
        tracker.report(Self.received(1))
        #expect(log.text == "1\n3")
        var last = 0
        for await progress in stream { last = progress.received }
        #expect(last == 3)
    }

    @Test("a progress tracker publishes a value that came too soon when it is due")
    func due() async {
        let clock = VirtualClock()
        let tracker = ProgressTracker(clock: clock.runtimeClock)
        var shown = tracker.stream(startingWith: nil).makeAsyncIterator()
        tracker.report(Self.received(1))
        #expect(await shown.next()?.received == 1)
        tracker.report(Self.received(2))
        await clock.waitForSleepers(1)
        clock.advance(by: .milliseconds(100))
        #expect(await shown.next()?.received == 2)
        tracker.report(Self.received(1))
        tracker.finish()
        await until { clock.sleeperCount == 0 }
    }

    @Test("a progress tracker publishes it to an observer that arrives meanwhile, too")
    func dueToNewcomers() async {
        let clock = VirtualClock()
        let tracker = ProgressTracker(clock: clock.runtimeClock)
        for count in 1...2 { tracker.report(Self.received(count)) }
        var shown = tracker.stream(startingWith: nil).makeAsyncIterator()
        #expect(await shown.next()?.received == 1)
        await clock.waitForSleepers(1)
        clock.advance(by: .milliseconds(100))
        #expect(await shown.next()?.received == 2)
    }

    @Test("a progress tracker sets no alarm without an observer")
    func unseen() async {
        let (sleeps, slept) = (Counter(), Gate())
        var clock = VirtualClock().runtimeClock
        clock.sleep = { _ in
            _ = sleeps.next()
            slept.open()
            await Gate().wait()
        }
        let trackers = (0...100).map { [clock] _ in ProgressTracker(clock: clock) }
        let stream = trackers[100].stream(startingWith: nil)
        for tracker in trackers {
            tracker.forward(hasReader: { false }, to: { _ in })
            for count in 1...2 { tracker.report(Self.received(count)) }
        }
        await slept.wait()
        #expect(sleeps.value == 1)
        for tracker in trackers { tracker.finish() }
        for await progress in stream { #expect(progress.received == 2) }
    }

    @Test("a progress tracker gives a new observer the last published value")
    func startedOperation() {
        let tracker = ProgressTracker(clock: VirtualClock().runtimeClock)
        let log = Log()
        tracker.forward { [weak tracker] progress in
            log.add("first: \(progress.received)")
            guard progress.received == 1 else { return }
            tracker?.forward { log.add("second: \($0.received)") }
        }
        tracker.report(Self.received(1))
        tracker.report(Self.received(3))
        tracker.finish()
        tracker.forward { log.add("last: \($0.received)") }
        #expect(
            log.text == "first: 1\nsecond: 1\nfirst: 3\nsecond: 3\nlast: 3")
    }

    @Test("a progress tracker gives the last value to an observer that arrives at the end")
    func race() async {
        let trackers = (0..<10_000).map { _ in
            let tracker = ProgressTracker(clock: VirtualClock().runtimeClock)
            for count in 1...2 { tracker.report(Self.received(count)) }
            return tracker
        }
        // Two threads meet at each of them; neither belongs to the cooperative pool.
        let asked = ThreadRendezvous()
        let ended = ThreadRendezvous()
        DispatchQueue(label: "ends").async {
            for (number, tracker) in trackers.enumerated() {
                asked.wait(for: number)
                tracker.finish()
                ended.come(to: number)
            }
        }
        let streams = await withCheckedContinuation { done in
            DispatchQueue(label: "asks").async {
                let streams = trackers.enumerated().map { number, tracker in
                    ended.wait(for: number - 1)
                    asked.come(to: number)
                    return tracker.stream(startingWith: nil)
                }
                done.resume(returning: streams)
            }
        }
        for stream in streams {
            var last = 0
            for await progress in stream { last = progress.received }
            #expect(last == 2)
        }
    }
}

/// The position of a thread, for another one that waits for it.
private final class ThreadRendezvous: Sendable {
    /// The numbers that it has come to.
    private let count = AtomicCount()

    func come(to number: Int) { count.value = UInt64(number + 1) }

    /// Spins, because a sleeping thread would wake too late.
    func wait(for number: Int) {
        while count.value < number + 1 { sched_yield() }
    }
}
