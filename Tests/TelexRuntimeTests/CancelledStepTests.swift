import TelexTesting
import Testing

@testable import TelexRuntime

private let empty = TransportReply.json(#"{"response":[]}"#)

/// Whether something ends as cancelled; nil if it has another error, or none.
private func isCancelled<Output>(_ operation: NetworkOperation<Output>) async -> Bool {
    await #expect(throws: CancellationError.self) { try await operation.value } != nil
}

@Suite("A group whose step is cancelled", .timeLimit(.minutes(5)))
struct CancelledStepTests {
    private let desk = Desk { _ in
        await Gate().wait()
        return empty
    }

    @Test("by somebody else fails, and says which step it was")
    func byOthers() async throws {
        let step = desk.call()
        let group = desk.manager.group("screen") { try await $0.run(step) }
        group.start()
        await step.reach { $0 == .running(attempt: 1) }
        step.cancel()
        let error = await #expect(throws: OperationError.self) { try await group.value }
        #expect(group.state == .failed)
        #expect(error?.reason == .dependency && error?.cause is CancellationError)
        #expect(
            error?.description == "a step of screen was cancelled: users.get \(step.id)")
        let late = desk.manager.group { try await $0.run(step) }
        await #expect(throws: OperationError.self) { try await late.value }
    }

    @Test("with another group that runs it fails, and is not cancelled with that one")
    func withAnother() async throws {
        let step = desk.call()
        let (one, other) = (
            desk.manager.group("one") { try await $0.run(step) },
            desk.manager.group("other") { try await $0.run(step) }
        )
        one.start()
        other.start()
        #expect(await eventually { [one, other].allSatisfy { $0.tree.count == 2 } })
        one.cancel()
        #expect(await isCancelled(one))
        await #expect(throws: OperationError.self) { try await other.value }
        #expect(other.state == .failed)
    }

    @Test("goes on if its body wants to, which may have cancelled the step itself")
    func onPurpose() async throws {
        let desk = desk
        let group = desk.manager.group { group in
            let step = desk.call()
            step.start()
            step.cancel()
            _ = try? await group.run(step)
            let result = try await group.attempt(step)
            return result.failure is CancellationError
        }
        #expect(try await group.value)
    }

    @Test("is cancelled if it is cancelled with the step, in whatever order", arguments: 0..<20)
    func together(_ round: Int) async throws {
        let other = Desk { _ in
            await Gate().wait()
            return empty
        }
        let desk = desk
        let owner = OperationOwner()
        // Each runs in another engine than what runs it.
        let step = desk.call(CallOptions(owner: owner))
        let inner = other.manager.group("inner", owner: owner) { try await $0.run(step) }
        let outer = desk.manager.group("outer", owner: owner) { try await $0.run(inner) }
        outer.start()
        await step.reach { $0 == .running(attempt: 1) }
        switch round % 4 {
        case 0: outer.cancel()
        case 1: desk.manager.cancel(owner: owner)
        case 2: desk.manager.cancelAll()
        default: Task { try await outer.value }.cancel()
        }
        #expect(await isCancelled(outer))
        #expect(await isCancelled(inner))
        #expect(await isCancelled(step))
    }

    @Test("is cancelled with the scope of both, whose managers are named in whatever order")
    func scopes() async throws {
        for isFirst in [true, false] {
            let other = Desk { _ in empty }
            let managers = (desk.manager, other.manager)
            let scope =
                isFirst
                ? OperationScope(managers.0, managers.1) : OperationScope(managers.1, managers.0)
            let step = desk.call(CallOptions(owner: scope.owner))
            let group = other.manager.group(owner: scope.owner) { try await $0.run(step) }
            group.start()
            await step.reach { $0 == .running(attempt: 1) }
            scope.cancel()
            #expect(await isCancelled(group))
        }
    }
}

extension Result {
    fileprivate var failure: Failure? {
        if case .failure(let error) = self { error } else { nil }
    }
}
