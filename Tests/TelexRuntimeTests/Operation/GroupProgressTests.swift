import TelexJSON
import TelexTesting
import Testing

@testable import TelexRuntime
@testable import TelexScheduling

private let empty = TransportReply.json(#"{"response":[]}"#)

@Suite("The progress of a group")
struct GroupProgressTests {
    typealias Step = OperationProgress.Step

    private let arrived = Gate()
    private let gate = Gate()
    private let client: TestClient

    init() {
        // The second reply never comes by itself.
        let sent = Counter()
        client = TestClient { [arrived, gate] _ in
            guard sent.next() == 2 else { return empty }
            arrived.open()
            await gate.wait()
            return empty
        }
    }

    /// The first progress that contains the step.
    private func first(
        of progress: AsyncStream<OperationProgress>, _ isIt: (OperationProgress) -> Bool
    ) async -> OperationProgress? {
        for await progress in progress where isIt(progress) { return progress }
        return nil
    }

    @Test("a group's progress is published at once when an unplanned step begins, though it falls")
    func unplanned() async {
        let group = client.manager.group { [client] group in
            _ = try await group.run(client.call(), step: "one")
            return try await group.run(client.call(), step: "two")
        }
        let progress = group.progress
        group.start()
        let shown = await first(of: progress) { $0.steps.count == 2 }
        #expect(shown?.steps.map(\.label) == ["one", "two"] && shown?.fraction == 0.5)
        gate.open()
        #expect(await first(of: progress) { $0.fraction == 1 } != nil)
    }

    @Test("the progress of a group is published at once when a planned step ends")
    func planned() async {
        let steps = [Step("one"), Step("two")]
        let group = client.manager.group(steps: steps) { [client] group in
            _ = try await group.run(client.call(), step: "one")
            return try await group.run(client.call(), step: "two")
        }
        let progress = group.progress
        group.start()
        #expect(await first(of: progress) { $0.steps.last?.fraction == 0 }?.fraction == 0.5)
        group.cancel()
    }

    @Test("the progress of a group does not count an inner group as done before it has ended")
    func inner() async throws {
        let inner = client.manager.group { [client] group in
            _ = try await group.run(client.call(), step: "one")
            return try await group.run(client.call(), step: "two")
        }
        let group = client.manager.group { try await $0.run(inner, step: "both") }
        let progress = group.progress
        group.start()
        await arrived.wait()
        client.clock.advance(by: .seconds(1))
        let shown = await first(of: progress) { $0.steps.first?.steps.count == 2 }
        #expect(shown?.fraction == 0.5)
        gate.open()
        #expect(await first(of: progress) { $0.fraction == 1 } != nil)
    }

    @Test("a group's progress observes its steps only while the outermost group has an observer")
    func seen() async {
        let (call, began) = (client.call(), Gate())
        _ = try? await client.call().value
        let inner = client.manager.group { group in
            began.open()
            return try await group.run(call)
        }
        let group = client.manager.group { try await $0.run(inner) }
        group.start()
        await began.wait()
        await until { call.listeners.hasTracker }
        let isReadBefore = call.listeners.hasReader
        let progress = group.progress
        let isRead = call.listeners.hasReader
        #expect(!isReadBefore && isRead)
        group.cancel()
        for await _ in progress {}
    }

    @Test("the progress of a group counts nothing of a plan as done, whatever its fractions are")
    func plan() async throws {
        let group = client.manager.group(steps: [Step("one", fraction: 0)]) { [client] group in
            try await group.run(client.call(), step: "one")
        }
        let progress = group.progress
        _ = try await group.value
        let shown = await first(of: progress) { $0.fraction == 1 }
        #expect(shown?.steps.map(\.label) == ["one"])
    }

    @Test("a group's progress is published once when all that was planned and not needed ends")
    func unneeded() async throws {
        let steps = (1...100).map { Step("\($0)") }
        let group = client.manager.group(steps: steps) { [client] group in
            _ = try await group.run(client.call(), step: "1")
        }
        let told = Counter()
        let log = Lock<[Double?]>([])
        group.tracker.forward { progress in
            _ = told.next()
            log.withLock { $0.append(progress.fraction) }
        }
        try await group.value
        await until { log.withLock { $0.last } == 1 }
        // At first, when the step begins and ends, and at the end; and the bytes of that step.
        #expect(told.value <= 5)
    }

    @Test("the progress of a group is that of all its steps, planned or not, in any order")
    func many() async throws {
        let count = 1_000
        let labels = (0..<count).map { $0.isMultiple(of: 3) ? "third" : "\($0)" }
        let group = client.manager.group(steps: labels.map { Step($0) }) { group in
            for label in labels.reversed() {
                _ = try await group.run(NetworkOperation<Int> { 1 }, step: label)
                _ = try await group.run(NetworkOperation<Int> { 1 }, step: "more")
            }
        }
        // An inner group publishes only complete lists of its steps.
        let told = Counter()
        let shown = Lock<(middle: OperationProgress?, last: OperationProgress?)>((nil, nil))
        group.tracker.forward { progress in
            _ = told.next()
            shown.withLock { shown in
                if shown.middle == nil, progress.steps.count == count + count / 2 {
                    shown.middle = progress
                }
                shown.last = progress
            }
        }
        try await group.value
        let last = try #require(shown.withLock { $0.last })
        #expect(last.steps.map(\.label) == labels + Array(repeating: "more", count: count))
        #expect(last.fraction == 1 && last.steps.allSatisfy { $0.fraction == 1 })
        // Each step begins and ends once: the planned ones in reverse, but equal names in their
        // order.
        #expect(told.value >= 4 * count)
        let middle = try #require(shown.withLock { $0.middle })
        let begun = middle.steps.prefix(count).indices.filter { middle.steps[$0].fraction != nil }
        #expect(begun.filter { !$0.isMultiple(of: 3) }.allSatisfy { $0 >= count / 2 - 1 })
        #expect(begun.filter { $0.isMultiple(of: 3) }.allSatisfy { $0 < count / 2 + 3 })
    }

    @Test("the progress of a group contains all steps for late subscribers too, and what follows")
    func late() async throws {
        let (first, arrived, later) = (Gate(), Gate(), Gate())
        let group = client.manager.group(steps: [Step("a"), Step("b"), Step("c")]) { group in
            for (label, gate) in [("a", first), ("b", nil), ("c", later)] {
                _ = try await group.run(
                    NetworkOperation<Int> {
                        if label == "c" { arrived.open() }
                        await gate?.wait()
                        return 1
                    }, step: label)
            }
            return try await group.run(NetworkOperation<Int> { 1 }, step: "d")
        }
        group.start()
        first.open()
        await arrived.wait()
        let shown = Lock<[OperationProgress]>([])
        group.tracker.forward { progress in
            shown.withLock { $0.append(progress) }
        }
        later.open()
        _ = try await group.value
        let all = shown.withLock { $0 }
        #expect(all.first?.steps.map(\.fraction) == [1, 1, 1])
        #expect(all.last?.steps.map(\.label) == ["a", "b", "c", "d"] && all.last?.fraction == 1)
        // The end of one step, the beginning and the end of the next.
        #expect(all.count == 3)
    }

    @Test("group progress is shown at once to late subscribers, though nothing changes any more")
    func lateAndStalled() async throws {
        let steps = [Step("one"), Step("two")]
        let group = client.manager.group(steps: steps) { [client] group in
            _ = try await group.run(client.call(), step: "one")
            return try await group.run(client.call(), step: "two")
        }
        group.start()
        await arrived.wait()
        let progress = group.progress
        group.cancel()
        #expect(await first(of: progress) { _ in true }?.steps.map(\.fraction) == [1, 0])
    }

    @Test("the progress of a group counts a failed step as done if the group continues")
    func failed() async throws {
        let client = TestClient { _ in .bytes(status: .notFound) }
        let group = client.manager.group(steps: [Step("one"), Step("two")]) { group in
            _ = try await group.attempt(client.call(), step: "one")
            return try await group.attempt(client.call(), step: "two")
        }
        let shown = Lock<[[Double?]]>([])
        group.tracker.forward { progress in
            shown.withLock { $0.append(progress.steps.map(\.fraction)) }
        }
        _ = try await group.value
        #expect(shown.withLock { $0 }.contains([1, nil]))
    }

    @Test("the progress of a group does not count a step as done whose failure ends the group")
    func failedAtEnd() async throws {
        let client = TestClient { _ in .bytes(status: .notFound) }
        let group = client.manager.group { try await $0.run(client.call()) }
        let progress = group.progress
        await #expect(throws: APIError.self) { try await group.value }
        for await step in progress { #expect(step.fraction == 0) }
    }

    @Test("a group's progress has its steps' throughput, without bytes from before they joined")
    func throughput() async throws {
        let clock = VirtualClock()
        let (ticks, source) = AsyncStream<Int>.makeStream()
        let (told, teller) = AsyncStream<Int>.makeStream()
        let (there, engine) = (Gate(), Engine(EngineMachine(seed: 0), clock: clock.runtimeClock))
        let step = NetworkOperation<Int>(engine: engine) { context in
            context.report(OperationProgress(received: 1_000_000))
            there.open()
            for await tick in ticks {
                context.report(OperationProgress(received: 1_000_000 + tick * 100))
                teller.yield(tick)
            }
            return .stopped
        }
        step.start()
        await there.wait()
        let manager = APIManager<TinyAPI>(transport: InMemoryTransport { _ in empty }) {
            $0.settings.clock = clock.runtimeClock
        }
        let inner = manager.group { group in
            _ = try await group.run(NetworkOperation<Int> { 1 })
            clock.advance(by: .seconds(1))
            return try await group.run(step)
        }
        let group = manager.group { try await $0.run(inner) }
        let rates = Lock<[Double]>([])
        group.tracker.forward { progress in
            rates.withLock { $0 += [progress.throughput].compactMap { $0 } }
        }
        group.start()
        await until { inner.tree.contains { $0 === step } && step.listeners.hasTracker }
        var reports = told.makeAsyncIterator()
        for tick in 1...20 {
            clock.advance(by: .milliseconds(100))
            source.yield(tick)
            #expect(await reports.next() == tick)
        }
        let all = rates.withLock { $0 }
        #expect(!all.isEmpty && all.allSatisfy { (0...1_000).contains($0) })
        group.cancel()
    }

    @Test("the progress of a group includes what had ended before it became a step")
    func ended() async throws {
        let call = client.call()
        let before = call.progress
        _ = try await call.value
        let group = client.manager.group { try await $0.run(call) }
        let progress = group.progress
        _ = try await group.value
        let shown = await first(of: progress) { $0.fraction == 1 }
        #expect(shown?.received == #"{"response":[]}"#.utf8.count)
        for await _ in before {}
    }
}

@Suite("A group that resumes")
struct SuspendedStepTests {
    @Test("a group that resumes leaves a step suspended that the app has suspended")
    func suspendedByOthers() async throws {
        let (gate, arrived) = (Gate(), Gate())
        let client = TestClient { _ in
            arrived.open()
            await gate.wait()
            return empty
        }
        let (paused, other) = (client.call(), client.call())
        let group = client.manager.group { group in
            async let first = group.run(paused, step: "first")
            async let second = group.run(other, step: "second")
            return try await first + second
        }
        paused.start()
        await arrived.wait()
        paused.suspend()
        let progress = group.progress
        group.start()
        for await progress in progress where progress.steps.count == 2 { break }
        await other.reach { $0 == .running(attempt: 1) }
        group.suspend()
        // The task of the body may not have observed yet that the group runs.
        await other.reach { $0 == .suspended }
        #expect(paused.state == .suspended && other.state == .suspended)
        group.resume()
        await other.reach { $0 == .running(attempt: 1) }
        #expect(paused.state == .suspended && other.state == .running(attempt: 1))
        paused.resume()
        gate.open()
        #expect(try await group.value == [])
    }

    @Test("a resumed group leaves a step suspended that the app suspended during the suspension")
    func suspendedMeanwhile() async throws {
        let gate = Gate()
        let client = TestClient { _ in
            await gate.wait()
            return empty
        }
        let (paused, resumed, other) = (client.call(), client.call(), client.call())
        // An operation that does not run is not suspended by its group.
        other.suspend()
        let inner = client.manager.group { try await $0.run(other, step: "third") }
        let group = client.manager.group { group in
            async let first = group.run(paused, step: "first")
            async let second = group.run(resumed, step: "second")
            async let third = group.run(inner, step: "inner")
            return try await first + second + third
        }
        group.start()
        for call in [paused, resumed, other] { await call.reach { $0 == .running(attempt: 1) } }
        group.suspend()
        for call in [paused, resumed, other] { await call.reach { $0 == .suspended } }
        #expect([paused, resumed, other].allSatisfy { $0.state == .suspended })
        paused.suspend()
        inner.suspend()
        resumed.suspend()
        resumed.resume()
        group.resume()
        #expect(paused.state == .suspended && resumed.state == .running(attempt: 1))
        #expect(inner.state == .suspended && other.state == .suspended)
        inner.start()
        #expect(other.state == .running(attempt: 1))
        paused.toggle()
        #expect(paused.state == .running(attempt: 1))
        // The app's `resume` takes back its own suspension.
        group.suspend()
        group.resume()
        #expect([paused, resumed, other].allSatisfy { $0.state == .running(attempt: 1) })
        gate.open()
        #expect(try await group.value == [])
    }
}

@Suite("A step of several groups")
struct SharedStepTests {
    @Test("a step of several groups is suspended as long as one of them is, whichever was first")
    func holds() async throws {
        let (gate, arrived) = (Gate(), Gate())
        let client = TestClient { _ in
            arrived.open()
            await gate.wait()
            return empty
        }
        let call = client.call()
        let groups = (1...2).map { _ in client.manager.group { try await $0.run(call) } }
        for group in groups { group.start() }
        await arrived.wait()
        await until { groups.allSatisfy { $0.tree.count == 2 } }
        for order in [groups, groups.reversed()] {
            for group in groups { group.suspend() }
            await call.reach { $0 == .suspended }
            #expect(call.state == .suspended)
            order[0].resume()
            #expect(call.state == .suspended)
            order[1].resume()
            #expect(call.state == .running(attempt: 1))
        }
        // The app's `resume` overrides the groups until one of them is suspended again.
        groups[0].suspend()
        call.resume()
        #expect(call.state == .running(attempt: 1))
        groups[1].suspend()
        #expect(call.state == .suspended)
        for group in groups { group.resume() }
        gate.open()
        for group in groups { #expect(try await group.value == []) }
    }
}

@Suite("The steps of a group")
struct GroupStepsTests {
    @Test("a group's steps are published all at first and after a gap in observation, then singly")
    func news() {
        var steps = GroupSteps(planned: [.init("a"), .init("b"), .init("a")])
        #expect(["a", "a", "a", "b"].map { steps.begin($0, weight: 1) } == [0, 2, 3, 1])
        #expect(steps.news(of: 1, isTold: false) == nil)
        #expect(steps.news(of: 1, isTold: true)?.step == .some(nil))
        #expect(steps.news(of: 1, isTold: true)?.step == 1)
        #expect(steps.news(of: 2, isTold: false) == nil)
        steps.update(3, fraction: 0.5, progress: OperationProgress(sent: 1, received: 2))
        let all = steps.news(of: 3, isTold: true)
        #expect(all?.step == .some(nil) && all?.progress.received == 2)
        #expect(all?.progress.steps.map(\.fraction) == [0, 0, 0, 0.5])
        steps.finish()
        #expect(steps.news(of: nil, isTold: true)?.progress.fraction == 1)
        #expect(steps.begin("b", weight: 1) == 4)
    }

    @Test("the steps of a group are not published if there are none")
    func none() {
        var steps = GroupSteps(planned: [])
        #expect(steps.news(of: nil, isTold: true) == nil)
    }
}
