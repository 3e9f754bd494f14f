import Foundation
import Synchronization
import TelexTesting
import Testing

@testable import TelexRuntime

private let empty = TransportReply.json(#"{"response":[]}"#)

@Suite("Operations that are cancelled together")
struct CancelTogetherTests {
    @Test("do not begin because others of them have made room")
    func queued() async {
        let arrived = Gate()
        let desk = Desk { _ in
            arrived.open()
            await Gate().wait()
            return empty
        }
        let owner = OperationOwner("screen")
        let calls = (0..<100).map { _ in desk.call(CallOptions(queue: "one", owner: owner)) }
        for call in calls { call.start() }
        await arrived.wait()
        desk.manager.cancel(owner: owner)
        #expect(calls.allSatisfy { $0.state == .cancelled })
        #expect(calls.dropFirst().allSatisfy { $0.attempts.isEmpty })
        #expect(await eventually { desk.manager.engine.isIdle })
        #expect(desk.transport.requests.count == 1)
    }

    @Test("leave room for the next one of somebody else")
    func others() async throws {
        let (arrived, gate) = (Gate(), Gate())
        let desk = Desk { _ in
            arrived.open()
            await gate.wait()
            return empty
        }
        let owner = OperationOwner("screen")
        let mine = (0..<3).map { _ in desk.call(CallOptions(queue: "one", owner: owner)) }
        for call in mine { call.start() }
        let other = desk.call(CallOptions(queue: "one"))
        other.start()
        await arrived.wait()
        desk.manager.cancel(owner: owner)
        gate.open()
        #expect(try await other.value == [])
    }

    @Test("as a group begin no step that comes after")
    func laterSteps() async {
        let (began, gate, tried) = (Gate(), Gate(), Gate())
        let desk = Desk { _ in empty }
        let late = desk.call()
        let group = desk.manager.group { group in
            began.open()
            await gate.wait()
            defer { tried.open() }
            return try await group.run(late)
        }
        group.start()
        await began.wait()
        group.cancel()
        gate.open()
        await tried.wait()
        #expect(late.state == .ready)
        #expect(desk.transport.requests.isEmpty)
    }

    @Test("as a group include what the body runs in a task of its own")
    func ownTasks() async {
        let (arrived, never) = (Gate(), Gate())
        let desk = Desk { _ in
            arrived.open()
            await never.wait()
            return empty
        }
        let call = desk.call()
        let group = desk.manager.group { group in
            let task = Task { try await group.run(call) }
            await never.wait()
            return try await task.value
        }
        group.start()
        await arrived.wait()
        group.cancel()
        #expect(call.state == .cancelled)
        never.open()
        #expect(await eventually { desk.manager.engine.isIdle })
    }
}

@Suite("The progress of a group")
struct LateFollowerTests {
    @Test("is whole for whoever follows only after some steps")
    func late() async throws {
        let (half, rest) = (Gate(), Gate())
        let desk = Desk { _ in empty }
        let steps = ["one", "two", "three"].map { OperationProgress.Step($0) }
        let group = desk.manager.group(steps: steps) { group in
            _ = try await group.run(desk.call(), step: "one")
            _ = try await group.run(desk.call(), step: "two")
            half.open()
            await rest.wait()
            desk.clock.advance(by: .seconds(1))
            _ = try await group.run(desk.call(), step: "three")
            await Gate().wait()
        }
        group.start()
        await half.wait()
        var progress = group.progress.makeAsyncIterator()
        rest.open()
        var last: OperationProgress?
        while last?.steps.last?.fraction != 1 { last = await progress.next() }
        #expect(last?.fraction == 1)
        group.cancel()
    }
}
