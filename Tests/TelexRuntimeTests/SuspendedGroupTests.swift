import TelexTesting
import Testing

@testable import TelexRuntime

private let empty = TransportReply.json(#"{"response":[]}"#)

@Suite("A group that is suspended")
struct SuspendedGroupTests {
    @Test("has its value when it goes on, though its body came to its end meanwhile")
    func ending() async throws {
        let desk = Desk { _ in empty }
        let (arrived, gate, left) = (Gate(), Gate(), Gate())
        let group = desk.manager.group { _ in
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
        // It could end now, were it not held.
        await until { group.state.isTerminal || group.waitsAtGate }
        #expect(group.state == .suspended)
        group.resume()
        #expect(try await group.value == 1)
        #expect(await states.value.suffix(2) == [.running(attempt: 1), .succeeded])
    }

    @Test("can be cancelled when its body has come to its end")
    func cancelling() async throws {
        let desk = Desk { _ in empty }
        let (arrived, gate) = (Gate(), Gate())
        let group = desk.manager.group { _ in
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
        await until { desk.manager.engine.isIdle }
    }

    @Test("keeps a step that somebody starts who wants to be told of its end")
    func startedStep() async throws {
        let (arrived, gate) = (Gate(), Gate())
        let desk = Desk { _ in
            arrived.open()
            await gate.wait()
            return empty
        }
        let step = desk.call()
        let group = desk.manager.group { try await $0.run(step) }
        group.start()
        await arrived.wait()
        group.suspend()
        await step.reach { $0 == .suspended }
        let told = Gate()
        step.start { _ in told.open() }
        step.start()
        #expect(step.state == .suspended && group.state == .suspended)
        // Who has suspended it as well takes that back so.
        step.suspend()
        step.start()
        #expect(step.state == .suspended)
        group.resume()
        await step.reach { $0 == .running(attempt: 1) }
        // Nobody holds it any more.
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
    /// Whether its attempt waits to go on.
    fileprivate var waitsAtGate: Bool {
        live.withLock { $0.coldState?.heldAttempts.isEmpty == false }
    }
}
