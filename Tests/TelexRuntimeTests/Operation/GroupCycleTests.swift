import TelexJSON
import TelexTesting
import Testing

@testable import TelexRuntime

private let empty = TransportReply.json(#"{"response":[]}"#)

/// Groups whose body, or a step of it, would wait for the group itself. Without the refusal they
/// would never end.
@Suite("A cycle of groups")
struct GroupCycleTests {
    private let client = TestClient { _ in empty }
    private let arrived = Gate()

    /// A value that a body needs and that is made later.
    private final class Deferred<Value: Sendable>: Sendable {
        private let made = Lock<Value?>(nil)

        var value: Value {
            get throws { try #require(made.withLock { $0 }) }
        }

        func set(_ value: Value?) { made.withLock { $0 = value } }
    }

    /// Expects that a group is refused the step that it runs when the gate opens.
    private func expectRefusal<Output>(of group: GroupOperation<Output>) async {
        group.start()
        await arrived.wait()
        await until { group.state.isTerminal }
        let error = await #expect(throws: OperationError.self) { try await group.value }
        #expect(error?.reason == .circle)
    }

    /// Returns the error of a group that ends before an operation waits in it.
    private func refusal<Output>(
        of group: GroupOperation<Output>, waiting operation: OperationHandle
    ) async -> OperationError? {
        group.start()
        await until { group.state.isTerminal || operation.state == .queued }
        group.cancel()
        return await #expect(throws: OperationError.self) { try await group.value }
    }

    @Test("a cycle is refused when the body of a group makes an outer group run that group")
    func throughOuter() async {
        let own = Deferred<GroupOperation<Int>>()
        let (client, arrived) = (client, arrived)
        let outer = client.manager.group("outer") { outer in
            let inner = client.manager.group("inner") { _ in
                arrived.open()
                return try await outer.run(own.value)
            }
            own.set(inner)
            return try await outer.run(inner)
        }
        await expectRefusal(of: outer)
        own.set(nil)
    }

    @Test("a cycle is refused if a body makes an outer group run a dependent of the body's group")
    func afterAsking() async throws {
        let own = Deferred<NetworkOperation<Void>>()
        let client = client
        let named = Deferred<OperationGroup>()
        let inner = client.manager.group("inner") { _ in
            try await named.value.run(own.value)
        }
        let call = client.manager.operation(UsersRequests.ping(), after: [inner])
        own.set(call)
        let outer = client.manager.group("outer") { outer in
            named.set(outer)
            try await outer.run(inner)
        }
        let error = await refusal(of: outer, waiting: call)
        #expect(error?.reason == .circle && call.state == .ready)
        #expect(error?.description.contains("cannot run in inner ") == true)
        own.set(nil)
        named.set(nil)
    }

    @Test("a cycle is refused when a body makes an outer group run a third, which runs the first")
    func throughThird() async throws {
        let (client, arrived) = (client, arrived)
        let (own, named) = (Deferred<GroupOperation<Int>>(), Deferred<OperationGroup>())
        let third = client.manager.group("third") { third in
            arrived.open()
            return try await third.run(own.value)
        }
        let inner = client.manager.group("inner") { _ in try await named.value.run(third) }
        own.set(inner)
        let outer = client.manager.group("outer") { outer in
            named.set(outer)
            return try await outer.run(inner)
        }
        await expectRefusal(of: outer)
        own.set(nil)
        named.set(nil)
    }

    @Test("a cycle of groups is refused when a step depends on a dependent of its group")
    func afterAfter() async throws {
        let own = Deferred<NetworkOperation<Void>>()
        let group = client.manager.group("group") { try await $0.run(own.value) }
        let before = client.call(after: [group])
        let between = (0..<3).reduce(into: [before]) { calls, _ in
            calls.append(client.call(after: [calls[calls.count - 1]]))
        }
        let step = client.manager.operation(
            UsersRequests.ping(), after: [client.call(), between[3], before])
        own.set(step)
        before.start()
        let error = await refusal(of: group, waiting: step)
        #expect(error?.reason == .circle && step.state == .ready)
        own.set(nil)
        before.cancel()
    }

    @Test("a cycle is refused when one of its edges existed before, whichever group added that")
    func halfBefore() async throws {
        for asksOuter in [false, true] {
            let (client, arrived) = (client, arrived)
            let (own, named) = (Deferred<NetworkOperation<Void>>(), Deferred<OperationGroup>())
            let third = client.manager.group("third") { third in
                arrived.open()
                try await third.run(own.value)
            }
            let waiting = client.manager.operation(UsersRequests.ping(), after: [third])
            let inner = client.manager.group("inner") { inner in
                try await (asksOuter ? named.value : inner).run(waiting)
            }
            let outer = client.manager.group("outer") { outer in
                named.set(outer)
                try await outer.run(inner)
            }
            own.set(client.manager.operation(UsersRequests.ping(), after: [inner]))
            outer.start()
            await waiting.reach { $0 == .queued }
            await expectRefusal(of: third)
            await #expect(throws: OperationError.self) { try await outer.value }
            own.set(nil)
            named.set(nil)
        }
    }

    @Test("a cycle is refused though an equal step, which has ended since, closed no cycle")
    func laterStep() async throws {
        let (client, arrived, gate) = (client, arrived, Gate())
        let own = Deferred<NetworkOperation<Void>>()
        let first = client.manager.group("first") { try await $0.run(own.value) }
        let between = client.call(after: [first])
        let (lost, last) = (client.call(after: [between]), client.call(after: [between]))
        let second = client.manager.group("second") { second in
            _ = try await second.attempt(lost)
            await gate.wait()
            arrived.open()
            return try await second.run(last)
        }
        let step = client.manager.operation(UsersRequests.ping(), after: [second])
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

    @Test("a cycle of groups does not exist among sequential steps, or after an end")
    func rows() async throws {
        let (arrived, gate) = (arrived, Gate())
        let client = TestClient { _ in
            arrived.open()
            await gate.wait()
            return empty
        }
        let first = client.call()
        let row = (0..<500).reduce(into: [first]) { row, _ in
            row.append(client.call(after: [row[row.count - 1]]))
        }
        let group = client.manager.group { group in
            try await withThrowingTaskGroup { tasks in
                for call in row { tasks.addTask { try await group.run(call) } }
                try await tasks.waitForAll()
            }
        }
        group.start()
        await arrived.wait()
        gate.open()
        try await group.value
        let late = client.manager.group { group in
            let outer = group
            return try await group.run(
                client.manager.group("inner") { _ in
                    try await outer.run(client.call(after: [row[250], first]))
                })
        }
        #expect(try await late.value == [])
    }

    @Test("a cycle does not exist when a body outlives its group and runs a dependent of it")
    func leftBehind() async throws {
        let (client, gate) = (client, Gate())
        let task = Deferred<Task<[User], any Error>>()
        let own = Deferred<DataOperation<[User]>>()
        let outer = client.manager.group("outer") { outer in
            let inner = client.manager.group("inner") { _ in
                task.set(
                    Task {
                        await gate.wait()
                        return try await outer.run(own.value)
                    })
            }
            own.set(client.call(after: [inner]))
            try await outer.run(inner)
            gate.open()
            return try await task.value.value
        }
        #expect(try await outer.value == [])
        own.set(nil)
        task.set(nil)
    }
}
