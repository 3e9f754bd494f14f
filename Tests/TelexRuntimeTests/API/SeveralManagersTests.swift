import HTTPTypes
import TelexTesting
import Testing

@testable import TelexRuntime

private let empty = TransportReply.json(#"{"response":[]}"#)

@Suite("Logging out of one of several managers")
struct SeveralManagersTests {
    private let own = TestClient { _ in empty }
    private let other = TestClient { _ in empty }
    private let arrived = Gate()
    private let gate = Gate()

    /// A group of this manager that runs calls of the other one.
    private func group() -> GroupOperation<[User]> {
        let (other, arrived, gate) = (other, arrived, gate)
        return own.manager.group { group in
            _ = try await group.run(other.call())
            arrived.open()
            await gate.wait()
            return try await group.run(other.call())
        }
    }

    /// Expects that nothing continues with the token of the next user of the other manager.
    private func expectEnd(of groups: [GroupOperation<[User]>]) async throws {
        groups.last?.start()
        await arrived.wait()
        try await other.manager.logOut()
        try await other.manager.logIn(Credential(token: "successor"))
        gate.open()
        for group in groups {
            await #expect(throws: CancellationError.self) { try await group.value }
        }
        #expect(other.transport.requests.count == 1)
        #expect(other.manager.engine.state.withLock { $0.foreignGroups.isEmpty })
    }

    @Test("logging out of one of several managers cancels another's group that carried the token")
    func groups() async throws {
        try await expectEnd(of: [group()])
    }

    @Test("logging out of one of several managers cancels all groups around it, of any manager")
    func groupsAround() async throws {
        let (inner, other) = (group(), other)
        let middle = other.manager.group { try await $0.run(inner) }
        let outer = own.manager.group { group in
            // The group continues, however its step ends.
            _ = try? await group.run(middle)
            return try await group.run(other.call())
        }
        try await expectEnd(of: [inner, middle, outer])
    }

    @Test("logging out of one of several managers leaves nothing in a group of released managers")
    func gone() async throws {
        let manager = own.manager
        let group = manager.group { group in
            for _ in 0..<20 {
                let passing = TestClient { _ in empty }
                _ = try await group.run(passing.call())
            }
            return manager.engine.operations.first.map { group in
                let dependents = group.live.withLock { $0.coldState?.otherWaiters.dependents.count }
                return (group.existingLinks?.engines.count, dependents)
            }
        }
        let left = try await group.value
        #expect(left?.0 ?? .max <= 2 && left?.1 ?? .max <= 3)
    }

    @Test("logging out of one of several managers cancels a group that started to run it later")
    func laterGroup() async throws {
        let inner = group()
        inner.start()
        await arrived.wait()
        let begun = Gate()
        let outer = own.manager.group { group in
            begun.open()
            return try await group.run(inner)
        }
        outer.start()
        await begun.wait()
        await until { outer.tree.count == 2 }
        try await expectEnd(of: [inner, outer])
    }

    @Test("a log-out cancels no group with another manager's token, nor the one that logs out")
    func others() async throws {
        let (own, other, arrived, gate) = (own, other, arrived, gate)
        let apart = own.manager.group { group in
            _ = try await group.run(own.call())
            try await group.run(other.manager.operation(UsersRequests.ping()))
            arrived.open()
            await gate.wait()
            return try await group.run(own.call())
        }
        apart.start()
        await arrived.wait()
        let leaving = own.manager.group { group in
            _ = try await group.run(other.call())
            return try await other.manager.logOut(other.call())
        }
        let outer = own.manager.group { try await $0.run(leaving) }
        #expect(try await outer.value == [])
        gate.open()
        #expect(try await apart.value == [])
        #expect(other.transport.requests.count == 3)
    }

    @Test("logging out of one of several managers retains no manager and no event stream")
    func lettingGo() async throws {
        let own = own
        let group = own.manager.group { group in
            let manager = tiny { _ in empty }.manager
            let events = manager.events
            _ = try await group.run(manager.operation(UsersRequests.get(ids: ["1"])))
            return Task { for await _ in events {} }
        }
        let told = try await group.value
        await told.value
        #expect(group.state == .succeeded)
    }
}

@Suite("The events of a manager")
struct ManagerEventsTests {
    @Test("a manager's events end though a scope of it is left, which still cancels operations")
    func scope() async throws {
        let gate = Gate()
        let (scope, call, told) = {
            let (manager, _) = tiny { _ in
                await gate.wait()
                return empty
            }
            let scope = OperationScope(manager)
            let call = manager.operation(
                UsersRequests.get(ids: ["1"]), options: CallOptions(owner: scope.owner))
            let events = manager.events
            return (scope, Held(call), Task { for await _ in events {} })
        }()
        // The call retains what it needs.
        call.operation?.start()
        let inner = scope.child()
        scope.cancel()
        #expect(call.operation?.state == .cancelled)
        call.operation = nil
        await told.value
        withExtendedLifetime((scope, inner)) {}
    }

    private final class Held {
        var operation: DataOperation<[User]>?

        init(_ operation: DataOperation<[User]>) { self.operation = operation }
    }
}
