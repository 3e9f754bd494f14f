import TelexTesting
import Testing

@testable import TelexRuntime

private let empty = TransportReply.json(#"{"response":[]}"#)

@Suite("How far a group is", .timeLimit(.minutes(5)))
struct GroupProgressTests {
    typealias Step = OperationProgress.Step

    private let arrived = Gate()
    private let gate = Gate()
    private let desk: Desk

    init() {
        // The second reply never comes by itself.
        let sent = Counter()
        desk = Desk { [arrived, gate] _ in
            guard sent.next() == 2 else { return empty }
            arrived.open()
            await gate.wait()
            return empty
        }
    }

    /// What is shown first that is so.
    private func first(
        of progress: AsyncStream<OperationProgress>, _ isIt: (OperationProgress) -> Bool
    ) async -> OperationProgress? {
        for await progress in progress where isIt(progress) { return progress }
        return nil
    }

    @Test("is told at once when a step begins that was not planned, though it falls")
    func unplanned() async {
        let group = desk.manager.group { [desk] group in
            _ = try await group.run(desk.call(), step: "one")
            return try await group.run(desk.call(), step: "two")
        }
        let progress = group.progress
        group.start()
        let shown = await first(of: progress) { $0.steps.count == 2 }
        #expect(shown?.steps.map(\.label) == ["one", "two"] && shown?.fraction == 0.5)
        gate.open()
        #expect(await first(of: progress) { $0.fraction == 1 } != nil)
    }

    @Test("is told at once when a step ends that was planned")
    func planned() async {
        let steps = [Step("one"), Step("two")]
        let group = desk.manager.group(steps: steps) { [desk] group in
            _ = try await group.run(desk.call(), step: "one")
            return try await group.run(desk.call(), step: "two")
        }
        let progress = group.progress
        group.start()
        #expect(await first(of: progress) { $0.steps.last?.fraction == 0 }?.fraction == 0.5)
        group.cancel()
    }

    @Test("does not count a group in it as done before it has ended")
    func inner() async throws {
        let inner = desk.manager.group { [desk] group in
            _ = try await group.run(desk.call(), step: "one")
            return try await group.run(desk.call(), step: "two")
        }
        let group = desk.manager.group { try await $0.run(inner, step: "both") }
        let progress = group.progress
        group.start()
        await arrived.wait()
        desk.clock.advance(by: .seconds(1))
        let shown = await first(of: progress) { $0.steps.first?.steps.count == 2 }
        #expect(shown?.fraction == 0.5)
        gate.open()
        #expect(await first(of: progress) { $0.fraction == 1 } != nil)
    }

    @Test("is waited for in its steps only while somebody sees it in the end")
    func seen() async {
        let (call, began) = (desk.call(), Gate())
        _ = try? await desk.call().value
        let inner = desk.manager.group { group in
            began.open()
            return try await group.run(call)
        }
        let group = desk.manager.group { try await $0.run(inner) }
        group.start()
        await began.wait()
        #expect(await eventually { call.isFollowed })
        #expect(!call.isSeen)
        let progress = group.progress
        #expect(call.isSeen)
        group.cancel()
        for await _ in progress {}
    }

    @Test("counts nothing of a plan as done, whatever its fractions say")
    func plan() async throws {
        let group = desk.manager.group(steps: [Step("one", fraction: 0)]) { [desk] group in
            try await group.run(desk.call(), step: "one")
        }
        let progress = group.progress
        _ = try await group.value
        let shown = await first(of: progress) { $0.fraction == 1 }
        #expect(shown?.steps.map(\.label) == ["one"])
    }

    @Test("includes what had ended before it became a step")
    func ended() async throws {
        let call = desk.call()
        let before = call.progress
        _ = try await call.value
        let group = desk.manager.group { try await $0.run(call) }
        let progress = group.progress
        _ = try await group.value
        let shown = await first(of: progress) { $0.fraction == 1 }
        #expect(shown?.received == #"{"response":[]}"#.utf8.count)
        for await _ in before {}
    }
}

@Suite("A group that goes on", .timeLimit(.minutes(5)))
struct GroupHoldTests {
    @Test("leaves a step as it is that somebody else has suspended")
    func suspendedByOthers() async throws {
        let (gate, arrived) = (Gate(), Gate())
        let desk = Desk { _ in
            arrived.open()
            await gate.wait()
            return empty
        }
        let (paused, other) = (desk.call(), desk.call())
        let group = desk.manager.group { group in
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
        #expect(paused.state == .suspended && other.state == .suspended)
        group.resume()
        #expect(paused.state == .suspended && other.state == .running(attempt: 1))
        paused.resume()
        gate.open()
        #expect(try await group.value == [])
    }
}
