import Synchronization
import TelexTesting
import Testing

@testable import TelexRuntime

/// Groups of two managers that run whatever there is, also each other and themselves, while many hands
/// meddle with all of it.
@Suite("A storm of groups")
struct GroupStormTests {
    /// What the bodies of groups may run, and have others run.
    private final class Pool: Sendable {
        private struct State {
            var random: SeededRandom
            var operations: [DataOperation<[User]>] = []
            var groups: [OperationGroup] = []
            var circles = 0
        }

        /// No group takes a step before it is open.
        let mayStep = Gate()
        private let state: Mutex<State>

        init(seed: UInt64) { state = Mutex(State(random: SeededRandom(seed: seed))) }

        func roll(_ sides: Int) -> Int {
            state.withLock { Int($0.random.next() % UInt64(sides)) }
        }

        var operations: [DataOperation<[User]>] { state.withLock { $0.operations } }
        /// How often a step was refused, since the group would have waited for itself.
        var circles: Int { state.withLock { $0.circles } }

        func add(_ operation: DataOperation<[User]>) {
            state.withLock { $0.operations.append(operation) }
        }

        /// Some of what there is.
        func some(_ most: Int) -> [DataOperation<[User]>] {
            let all = operations
            return all.isEmpty ? [] : (0..<roll(most + 1)).map { _ in all[roll(all.count)] }
        }

        /// What the body of a group does: a few steps, one after the other or at once.
        func play(_ group: OperationGroup) async throws -> [User] {
            state.withLock { $0.groups.append(group) }
            await mayStep.wait()
            let steps = some(4)
            guard roll(3) == 0 else {
                for step in steps { try await run(step, by: group) }
                return []
            }
            try await withThrowingTaskGroup { tasks in
                for step in steps { tasks.addTask { try await self.run(step, by: group) } }
                try await tasks.waitForAll()
            }
            return []
        }

        /// Mostly by the group itself, sometimes by any other.
        private func run(_ step: DataOperation<[User]>, by group: OperationGroup) async throws {
            let groups = state.withLock { $0.groups }
            let other = groups[roll(groups.count)]
            let result =
                roll(3) > 0 ? try await group.attempt(step) : try? await other.attempt(step)
            guard case .failure(let error as OperationError)? = result, error.reason == .circle
            else { return }
            state.withLock { $0.circles += 1 }
        }

        /// Lets everything go, which holds each other.
        func clear() {
            let old = state.withLock { state in
                defer { (state.operations, state.groups) = ([], []) }
                return (state.operations, state.groups)
            }
            withExtendedLifetime(old) {}
        }
    }

    private func manager(_ pool: Pool, _ clock: VirtualClock) -> APIManager<Tiny> {
        APIManager<Tiny>(
            transport: InMemoryTransport { _ throws(TransportError) in
                for _ in 0..<pool.roll(30) { await Task.yield() }
                switch pool.roll(10) {
                case 0: return .json(#"{"error":{"error_code":5,"error_msg":"expired"}}"#)
                case 1: throw TransportError(.connectionLost, "lost")
                default: return .json(#"{"response":[]}"#)
                }
            },
            credentials: .memory(Credential(token: secret)),
            refresher: .app { _ in Credential(token: "token \(pool.roll(1_000))") },
            settings: EngineSettings(clock: clock.runtimeClock, seed: 7))
    }

    private func operation(_ manager: APIManager<Tiny>, _ pool: Pool) -> DataOperation<[User]> {
        let after = pool.roll(2) == 0 ? pool.some(2) : []
        let limit: Duration? = pool.roll(15) == 0 ? .seconds(3) : nil
        guard pool.roll(3) == 0 else {
            return manager.group(timeout: limit, after: after) { try await pool.play($0) }
        }
        let retry = RetryPolicy(attempts: 2, backoff: Backoff(initial: .seconds(1)))
        return manager.operation(
            request(pool),
            options: CallOptions(timeouts: Timeouts(total: limit), retry: retry), after: after)
    }

    /// A call that is alone, shared, throttled, or both.
    private func request(_ pool: Pool) -> APIRequest<[User]> {
        switch pool.roll(6) {
        case 0: EngineRequests.shared(id: pool.roll(3))
        case 1: EngineRequests.throttled(id: pool.roll(3))
        case 2: EngineRequests.delayed()
        case 3: EngineRequests.delayedTogether(id: pool.roll(3))
        case 4: EngineRequests.latest(text: "\(pool.roll(3))")
        default: UsersRequests.get(ids: ["1"])
        }
    }

    /// Does with the operations what the dice say, and starts most of them.
    private func meddle(
        _ managers: [APIManager<Tiny>], _ pool: Pool, _ clock: VirtualClock
    ) async {
        for operation in pool.operations {
            if pool.roll(2) == 0 { operation.start() }
            for other in pool.some(2) {
                switch pool.roll(30) {
                case 0: other.cancel()
                case 1...5: other.suspend()
                case 6: other.toggle()
                case 7: clock.advance(by: .milliseconds(pool.roll(2_000)))
                default: other.resume()
                }
            }
            if pool.roll(200) == 0 {
                try? await managers[0].logOut()
                try? await managers[0].logIn(Credential(token: secret))
            }
            if pool.roll(4) == 0 { await Task.yield() }
        }
    }

    /// - Returns: How many circles were refused.
    private func storm(seed: UInt64) async -> Int {
        let (pool, clock) = (Pool(seed: seed), VirtualClock())
        let managers = [manager(pool, clock), manager(pool, clock)]
        for _ in 0..<100 { pool.add(operation(managers[pool.roll(2)], pool)) }
        for _ in 0..<2 {
            await withDiscardingTaskGroup { tasks in
                for _ in 0..<4 { tasks.addTask { await meddle(managers, pool, clock) } }
            }
            pool.mayStep.open()
        }
        let all = pool.operations
        for operation in all {
            operation.resume()
            operation.start()
        }
        await until {
            clock.advance(by: .milliseconds(100))
            return all.allSatisfy(\.state.isTerminal)
        }
        await until { managers.allSatisfy(\.engine.isIdle) }
        await until { all.allSatisfy(\.awaitsNothing) }
        #expect(managers.allSatisfy { $0.engine.state.withLock { $0.foreignGroups.isEmpty } })
        pool.clear()
        return pool.circles
    }

    @Test("refuses each circle, ends each of them, and leaves nothing behind")
    func storms() async {
        var circles = 0
        for seed in 1...30 as ClosedRange<UInt64> { circles += await storm(seed: seed) }
        #expect(circles > 0)
    }
}

extension OperationHandle {
    /// Whether nothing is left of what it has waited for, if it is a group.
    fileprivate var awaitsNothing: Bool { live.withLock { $0.coldState?.awaited.isEmpty ?? true } }
}
