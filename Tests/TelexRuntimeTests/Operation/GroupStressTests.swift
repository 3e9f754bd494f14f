import TelexJSON
import TelexTesting
import Testing

@testable import TelexRuntime

/// Groups of two managers that run any operations, each other and themselves included, while
/// several tasks act on all of them.
@Suite("Concurrent random groups")
struct GroupStressTests {
    /// The operations that the bodies of groups may run, and make others run.
    private final class OperationPool: Sendable {
        private struct State {
            var random: SeededRandom
            var operations: [DataOperation<[User]>] = []
            var groups: [OperationGroup] = []
            var cycles = 0
        }

        /// No group takes a step before it is open.
        let mayStep = Gate()
        private let state: Lock<State>

        init(seed: UInt64) { state = Lock(State(random: SeededRandom(seed: seed))) }

        func roll(_ sides: Int) -> Int {
            state.withLock { Int($0.random.next() % UInt64(sides)) }
        }

        var operations: [DataOperation<[User]>] { state.withLock { $0.operations } }
        /// How many steps were refused because the group would have waited for itself.
        var cycles: Int { state.withLock { $0.cycles } }

        func add(_ operation: DataOperation<[User]>) {
            state.withLock { $0.operations.append(operation) }
        }

        /// Some of the operations.
        func some(_ most: Int) -> [DataOperation<[User]>] {
            let all = operations
            return all.isEmpty ? [] : (0..<roll(most + 1)).map { _ in all[roll(all.count)] }
        }

        /// The body of a group: a few steps, sequential or concurrent.
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

        /// Runs a step, mostly in the group itself, sometimes in any other.
        private func run(_ step: DataOperation<[User]>, by group: OperationGroup) async throws {
            let groups = state.withLock { $0.groups }
            // The body of a cancelled group may outlive the pool.
            guard !groups.isEmpty else { return }
            let other = groups[roll(groups.count)]
            let result =
                roll(3) > 0 ? try await group.attempt(step) : try? await other.attempt(step)
            guard case .failure(let error as OperationError)? = result, error.reason == .circle
            else { return }
            state.withLock { $0.cycles += 1 }
        }

        /// Releases all operations, which hold each other.
        func clear() {
            let old = state.withLock { state in
                defer { (state.operations, state.groups) = ([], []) }
                return (state.operations, state.groups)
            }
            withExtendedLifetime(old) {}
        }
    }

    private func manager(_ pool: OperationPool, _ clock: VirtualClock) -> APIManager<TinyAPI> {
        APIManager<TinyAPI>(
            transport: InMemoryTransport { _ throws(TransportError) in
                for _ in 0..<pool.roll(30) { await Task.yield() }
                switch pool.roll(10) {
                case 0: return .json(#"{"error":{"error_code":5,"error_msg":"expired"}}"#)
                case 1: throw TransportError(.connectionLost, "lost")
                default: return .json(#"{"response":[]}"#)
                }
            },
            credentials: .memory(Credential(token: secret))
        ) {
            $0.refresher = .app { _ in Credential(token: "token \(pool.roll(1_000))") }
            $0.settings.clock = clock.runtimeClock
            $0.settings.seed = 7
        }
    }

    private func operation(_ manager: APIManager<TinyAPI>, _ pool: OperationPool) -> DataOperation<
        [User]
    > {
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
    private func request(_ pool: OperationPool) -> APIRequest<[User]> {
        switch pool.roll(6) {
        case 0: EngineRequests.shared(id: pool.roll(3))
        case 1: EngineRequests.throttled(id: pool.roll(3))
        case 2: EngineRequests.delayed()
        case 3: EngineRequests.delayedTogether(id: pool.roll(3))
        case 4: EngineRequests.latest(text: "\(pool.roll(3))")
        default: UsersRequests.get(ids: ["1"])
        }
    }

    /// Performs random actions on the operations, and starts most of them.
    private func perturb(
        _ managers: [APIManager<TinyAPI>], _ pool: OperationPool, _ clock: VirtualClock
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

    /// - Returns: How many cycles were refused.
    private func run(seed: UInt64) async -> Int {
        let (pool, clock) = (OperationPool(seed: seed), VirtualClock())
        let managers = [manager(pool, clock), manager(pool, clock)]
        for _ in 0..<100 { pool.add(operation(managers[pool.roll(2)], pool)) }
        for _ in 0..<2 {
            await withDiscardingTaskGroup { tasks in
                for _ in 0..<4 { tasks.addTask { await perturb(managers, pool, clock) } }
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
        return pool.cycles
    }

    @Test("concurrent random groups are refused each cycle, all end, and nothing is left")
    func cycles() async {
        var cycles = 0
        for seed in 1...30 as ClosedRange<UInt64> { cycles += await run(seed: seed) }
        #expect(cycles > 0)
    }
}

extension OperationHandle {
    /// Whether nothing is left of its waits, if it is a group.
    fileprivate var awaitsNothing: Bool { existingLinks?.awaited.isEmpty ?? true }
}
