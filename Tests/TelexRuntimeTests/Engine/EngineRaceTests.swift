import Foundation
import TelexJSON
import TelexTesting
import TestSupport
import Testing

@testable import TelexRuntime

@Suite("A chain of operations, each of which has the one before it as its prerequisite")
struct DependencyChainTests {
    private let length = 30_000

    private func chain(_ client: TestClient) -> [DataOperation<[User]>] {
        var chain = [client.call()]
        for _ in 1..<length { chain.append(client.call(after: [chain[chain.count - 1]])) }
        return chain
    }

    @Test("a chain of operations fails completely when the first is cancelled")
    func cancelled() async {
        await onThreadForLongTests {
            let client = TestClient { _ in
                await Gate().wait()
                return .json("{}")
            }
            let chain = chain(client)
            for operation in chain { operation.start() }
            let told = Gate()
            chain[length - 1].whenEnded { _ in told.open() }
            chain[0].cancel()
            #expect(chain.dropFirst().allSatisfy { $0.state == .failed })
            #expect(client.manager.engine.isIdle)
            await told.wait()
        }
    }

    @Test(
        "a chain of operations is released from last to first, started or not",
        arguments: [true, false])
    func released(isStarted: Bool) async {
        await onThreadForLongTests {
            let client = TestClient { _ in .json("{}") }
            weak var first: DataOperation<[User]>?
            do {
                let chain = chain(client)
                first = chain[0]
                for operation in chain.dropFirst() where isStarted { operation.start() }
                if isStarted { chain[0].cancel() }
            }
            #expect(first == nil)
        }
    }
}

@Suite("An operation whose end coincides with its start")
struct EarlyEndTests {
    /// An API whose listener acts on an operation as soon as a method's start is reported.
    private final class StartHook: Sendable {
        private let action = Lock<(@Sendable () -> Void)?>(nil)
        /// The server does not reply before it is open.
        let mayReply = Gate()

        func onStart(_ action: @escaping @Sendable () -> Void) {
            self.action.withLock { $0 = action }
        }

        func manager() -> APIManager<TinyAPI> {
            APIManager<TinyAPI>(
                transport: InMemoryTransport { [mayReply] _ in
                    await mayReply.wait()
                    return .json(#"{"response":[]}"#)
                },
                credentials: MemoryCredentialStore(Credential(token: secret))
            ) {
                $0.settings.clock = .stopped
                $0.onEvent = { event in
                    guard case .started = event.kind, event.method == "users.get" else { return }
                    self.action.withLock { $0 }?()
                }
            }
        }
    }

    @Test("an operation is cancelled by a listener of its own start")
    func cancelledByListener() async {
        let hook = StartHook()
        let call = hook.manager().operation(UsersRequests.get(ids: ["1"]))
        hook.onStart { call.cancel() }
        await #expect(throws: CancellationError.self) { try await call.value }
        #expect(call.state == .cancelled)
    }

    @Test("an operation is cancelled by one thread while another starts it")
    func cancelledMeanwhile() async {
        let client = TestClient { _ in
            await Gate().wait()
            return .json("{}")
        }
        for _ in 0..<5_000 {
            let call = client.call()
            await withTaskGroup(of: Void.self) { group in
                group.addTask { call.start() }
                group.addTask { call.cancel() }
            }
            #expect(call.state == .cancelled)
        }
        #expect(client.manager.engine.isIdle)
    }

    @Test("an operation is suspended if its group is suspended while it starts")
    func heldMeanwhile() async throws {
        let hook = StartHook()
        let manager = hook.manager()
        let child = manager.operation(UsersRequests.get(ids: ["1"]))
        let group = manager.group { group in try await group.run(child) }
        hook.onStart { group.suspend() }
        let states = child.states
        group.start()
        // A reply that has arrived would otherwise end it.
        #expect(await states.contains(.suspended))
        #expect(group.state == .suspended)
        hook.mayReply.open()
        group.resume()
        #expect(try await group.value == [])
    }
}

@Suite(
    "An operation that ends while another thread performs the engine's actions"
)
struct EngineRaceTests {
    @Test("an operation that ends as another thread runs the engine has no result until its own")
    func result() async throws {
        let (gate, sent) = (Gate(), Counter())
        let client = TestClient { _ in
            if sent.next() > 1 { await gate.wait() } else { await Gate().wait() }
            return .json(#"{"response":[]}"#)
        }
        let (first, second) = (client.call(), client.call())
        first.start()
        await until { client.transport.requests.count == 1 }
        second.start()
        await until { client.transport.requests.count == 2 }
        let (isBusy, mayGoOn) = (Gate(), DispatchSemaphore(value: 0))
        first.atEnd { _ in
            isBusy.open()
            mayGoOn.wait()
        }
        Thread { first.cancel() }.start()
        await isBusy.wait()
        gate.open()
        await until { second.state == .succeeded }
        #expect(second.result == nil)
        mayGoOn.signal()
        #expect(try await second.value == [])
        #expect(try second.result?.get() == [])
    }
}

@Suite("A group that runs its own outer group, which has just ended")
struct EndedOuterGroupTests {
    @Test("a group that runs its own outer group creates no cycle of their progress")
    func endedAround() async throws {
        let client = TestClient { _ in .json("{}") }
        let (arrived, isBusy, hasRun) = (Gate(), Gate(), Gate())
        let own = Lock<GroupOperation<Void>?>(nil)
        let inner = client.manager.group("inner") { inner in
            arrived.open()
            await isBusy.wait()
            guard let outer = own.withLock({ $0 }) else { return }
            _ = try? await inner.attempt(outer)
            hasRun.open()
            await Gate().wait()
            try Task.checkCancellation()
        }
        let outer = client.manager.group("outer") { try await $0.run(inner) }
        own.withLock { $0 = outer }
        // The outer group follows its progress.
        let around = client.manager.group("around") { try await $0.run(outer) }
        let mayGoOn = DispatchSemaphore(value: 0)
        // Its end is decided, but its steps are not cancelled yet.
        outer.atEnd { _ in
            isBusy.open()
            mayGoOn.wait()
        }
        around.start()
        await arrived.wait()
        Thread { outer.cancel() }.start()
        await hasRun.wait()
        mayGoOn.signal()
        for group in [around, outer, inner] {
            await #expect(throws: CancellationError.self) { try await group.value }
        }
        await until { client.manager.engine.isIdle }
        own.withLock { $0 = nil }
    }
}

@Suite("The attempts that an operation keeps")
struct KeptAttemptsTests {
    @Test("an operation's kept attempts are the first and newest of many, with the time of all")
    func attempts() throws {
        let history = OperationLife.AttemptHistory()
        for number in 1...250 {
            history.makeRoom()
            history.add(
                OperationAttempt(
                    number: number, start: .seconds(number), duration: .milliseconds(1),
                    status: nil, error: nil))
        }
        #expect(history.attempts.map(\.number) == [1] + Array(152...250))
        #expect(history.worked == .milliseconds(250))
    }
}
