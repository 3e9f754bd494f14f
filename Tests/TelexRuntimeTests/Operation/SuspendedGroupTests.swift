import TelexTesting
import Testing

@testable import TelexRuntime

private let empty = TransportReply.json(#"{"response":[]}"#)

@Suite("A group that is suspended")
struct SuspendedGroupTests {
    @Test("a suspended group has its value when it resumes, though its body has ended meanwhile")
    func ending() async throws {
        let client = TestClient { _ in empty }
        let (arrived, gate, left) = (Gate(), Gate(), Gate())
        let group = client.manager.group { _ in
            defer { left.open() }
            arrived.open()
            await gate.wait()
            return 1
        }
        let states = Task { await group.states.reduce(into: []) { $0.append($1) } }
        group.start()
        await arrived.wait()
        group.suspend()
        await group.reach { $0 == .suspended }
        gate.open()
        await left.wait()
        // It would end now if it were not suspended.
        await until { group.state.isTerminal || group.waitsAtGate }
        #expect(group.state == .suspended)
        group.resume()
        #expect(try await group.value == 1)
        #expect(await states.value.suffix(2) == [.running(attempt: 1), .succeeded])
    }

    @Test("a group that is suspended can be cancelled when its body has ended")
    func cancelling() async throws {
        let client = TestClient { _ in empty }
        let (arrived, gate) = (Gate(), Gate())
        let group = client.manager.group { _ in
            arrived.open()
            await gate.wait()
        }
        group.start()
        await arrived.wait()
        group.suspend()
        await group.reach { $0 == .suspended }
        gate.open()
        group.cancel()
        await #expect(throws: CancellationError.self) { try await group.value }
        await until { client.manager.engine.isIdle }
    }

    @Test("a suspended group keeps a step suspended that is started with a completion closure")
    func startedStep() async throws {
        let (arrived, gate) = (Gate(), Gate())
        let client = TestClient { _ in
            arrived.open()
            await gate.wait()
            return empty
        }
        let step = client.call()
        let group = client.manager.group { try await $0.run(step) }
        group.start()
        await arrived.wait()
        group.suspend()
        await step.reach { $0 == .suspended }
        let told = Gate()
        step.start { _ in told.open() }
        step.start()
        #expect(step.state == .suspended && group.state == .suspended)
        // The app's `resume` takes back its own suspension.
        step.suspend()
        step.start()
        #expect(step.state == .suspended)
        group.resume()
        await step.reach { $0 == .running(attempt: 1) }
        // No suspension is left.
        step.suspend()
        await step.reach { $0 == .suspended }
        step.start()
        await step.reach { $0 == .running(attempt: 1) }
        gate.open()
        #expect(try await group.value == [])
        await told.wait()
    }
}

extension OperationHandle {
    /// Whether its attempt waits to resume.
    fileprivate var waitsAtGate: Bool {
        live.withLock { $0.coldState?.heldAttempts.isEmpty == false }
    }
}
