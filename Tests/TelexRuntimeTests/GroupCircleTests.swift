import Synchronization
import TelexTesting
import Testing

@testable import TelexRuntime

private let empty = TransportReply.json(#"{"response":[]}"#)

/// A group whose body, or what runs in it, would wait for itself. Should it not be refused, it waits
/// for ever, so the tests end it.
@Suite("A circle of groups")
struct GroupCircleTests {
    private let desk = Desk { _ in empty }
    private let arrived = Gate()

    /// What a body has to know that is made later.
    private final class Later<Value: Sendable>: Sendable {
        private let made = Mutex<Value?>(nil)

        var value: Value {
            get throws { try #require(made.withLock { $0 }) }
        }

        func set(_ value: Value?) { made.withLock { $0 = value } }
    }

    /// Expects that a group is refused the step that it is about to run when the gate opens.
    private func expectRefusal<Output>(of group: GroupOperation<Output>) async {
        group.start()
        await arrived.wait()
        await until { group.state.isTerminal }
        let error = await #expect(throws: OperationError.self) { try await group.value }
        #expect(error?.reason == .circle)
    }

    /// Why a group ended, if it ends while an operation is not yet about to wait in it.
    private func refusal<Output>(
        of group: GroupOperation<Output>, waiting operation: OperationHandle
    ) async -> OperationError? {
        group.start()
        await until { group.state.isTerminal || operation.state == .queued }
        group.cancel()
        return await #expect(throws: OperationError.self) { try await group.value }
    }

    @Test("is refused when the body of a group has one around it run that group")
    func throughOuter() async {
        let own = Later<GroupOperation<Int>>()
        let (desk, arrived) = (desk, arrived)
        let outer = desk.manager.group("outer") { outer in
            let inner = desk.manager.group("inner") { _ in
                arrived.open()
                return try await outer.run(own.value)
            }
            own.set(inner)
            return try await outer.run(inner)
        }
        await expectRefusal(of: outer)
        own.set(nil)
    }

    @Test("is refused when the body of a group has one around it run what comes after that group")
    func afterAsking() async throws {
        let own = Later<NetworkOperation<Void>>()
        let desk = desk
        let named = Later<OperationGroup>()
        let inner = desk.manager.group("inner") { _ in
            try await named.value.run(own.value)
        }
        let call = desk.manager.operation(UsersRequests.ping(), after: [inner])
        own.set(call)
        let outer = desk.manager.group("outer") { outer in
            named.set(outer)
            try await outer.run(inner)
        }
        let error = await refusal(of: outer, waiting: call)
        #expect(error?.reason == .circle && call.state == .ready)
        #expect(error?.description.contains("cannot run in inner ") == true)
        own.set(nil)
        named.set(nil)
    }

    @Test("is refused when a body has a group around it run a third, which runs the asking one")
    func throughThird() async throws {
        let (desk, arrived) = (desk, arrived)
        let (own, named) = (Later<GroupOperation<Int>>(), Later<OperationGroup>())
        let third = desk.manager.group("third") { third in
            arrived.open()
            return try await third.run(own.value)
        }
        let inner = desk.manager.group("inner") { _ in try await named.value.run(third) }
        own.set(inner)
        let outer = desk.manager.group("outer") { outer in
            named.set(outer)
            return try await outer.run(inner)
        }
        await expectRefusal(of: outer)
        own.set(nil)
        named.set(nil)
    }

    @Test("is refused when a step comes after what comes after its group")
    func afterAfter() async throws {
        let own = Later<NetworkOperation<Void>>()
        let group = desk.manager.group("group") { try await $0.run(own.value) }
        let before = desk.call(after: [group])
        let between = (0..<3).reduce(into: [before]) { calls, _ in
            calls.append(desk.call(after: [calls[calls.count - 1]]))
        }
        let step = desk.manager.operation(
            UsersRequests.ping(), after: [desk.call(), between[3], before])
        own.set(step)
        before.start()
        let error = await refusal(of: group, waiting: step)
        #expect(error?.reason == .circle && step.state == .ready)
        own.set(nil)
        before.cancel()
    }

    @Test("is refused when the first half of it was there before, whoever asked for that")
    func halfBefore() async throws {
        for asksOuter in [false, true] {
            let (desk, arrived) = (desk, arrived)
            let (own, named) = (Later<NetworkOperation<Void>>(), Later<OperationGroup>())
            let third = desk.manager.group("third") { third in
                arrived.open()
                try await third.run(own.value)
            }
            let waiting = desk.manager.operation(UsersRequests.ping(), after: [third])
            let inner = desk.manager.group("inner") { inner in
                try await (asksOuter ? named.value : inner).run(waiting)
            }
            let outer = desk.manager.group("outer") { outer in
                named.set(outer)
                try await outer.run(inner)
            }
            own.set(desk.manager.operation(UsersRequests.ping(), after: [inner]))
            outer.start()
            await waiting.reach { $0 == .queued }
            await expectRefusal(of: third)
            await #expect(throws: OperationError.self) { try await outer.value }
            own.set(nil)
            named.set(nil)
        }
    }

    @Test("is refused though the same was none before, for a step that has ended since")
    func laterStep() async throws {
        let (desk, arrived, gate) = (desk, arrived, Gate())
        let own = Later<NetworkOperation<Void>>()
        let first = desk.manager.group("first") { try await $0.run(own.value) }
        let between = desk.call(after: [first])
        let (lost, last) = (desk.call(after: [between]), desk.call(after: [between]))
        let second = desk.manager.group("second") { second in
            _ = try await second.attempt(lost)
            await gate.wait()
            arrived.open()
            return try await second.run(last)
        }
        let step = desk.manager.operation(UsersRequests.ping(), after: [second])
        own.set(step)
        second.start()
        await lost.reach { $0 == .queued }
        lost.cancel()
        first.start()
        await step.reach { $0 == .queued }
        gate.open()
        await expectRefusal(of: second)
        await #expect(throws: OperationError.self) { try await first.value }
        own.set(nil)
    }

    @Test("is none among steps that come one after another, or after what has ended")
    func rows() async throws {
        let (arrived, gate) = (arrived, Gate())
        let desk = Desk { _ in
            arrived.open()
            await gate.wait()
            return empty
        }
        let first = desk.call()
        let row = (0..<500).reduce(into: [first]) { row, _ in
            row.append(desk.call(after: [row[row.count - 1]]))
        }
        let group = desk.manager.group { group in
            try await withThrowingTaskGroup { tasks in
                for call in row { tasks.addTask { try await group.run(call) } }
                try await tasks.waitForAll()
            }
        }
        group.start()
        await arrived.wait()
        gate.open()
        try await group.value
        let late = desk.manager.group { group in
            let outer = group
            return try await group.run(
                desk.manager.group("inner") { _ in
                    try await outer.run(desk.call(after: [row[250], first]))
                })
        }
        #expect(try await late.value == [])
    }

    @Test("is none when a body left behind by a group that has ended runs what comes after it")
    func leftBehind() async throws {
        let (desk, gate) = (desk, Gate())
        let task = Later<Task<[User], any Error>>()
        let own = Later<DataOperation<[User]>>()
        let outer = desk.manager.group("outer") { outer in
            let inner = desk.manager.group("inner") { _ in
                task.set(
                    Task {
                        await gate.wait()
                        return try await outer.run(own.value)
                    })
            }
            own.set(desk.call(after: [inner]))
            try await outer.run(inner)
            gate.open()
            return try await task.value.value
        }
        #expect(try await outer.value == [])
        own.set(nil)
        task.set(nil)
    }
}
