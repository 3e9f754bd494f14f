import Foundation
import TelexRuntime
import TelexTesting

/// Cancels a tree of groups of depth four, whose ten thousand leaves wait for bodies that never
/// arrive.
enum CancelBenchmark {
    private static let (branches, depth) = (10, 4)
    private static let leaves = 10_000

    static func run() async throws -> [EngineBenchmark.Row] {
        let (arrived, stalled, never) = (Counter(), Gate(), Gate())
        let body = Array(BenchAPI.reply.utf8)
        let manager = APIManager<BenchAPI>(
            transport: InstantTransport { _ in
                if arrived.next() == leaves { stalled.open() }
                return .chunks([Array(body.prefix(9))], length: body.count, after: never)
            }, credentials: MemoryCredentialStore(Credential(token: "token")))
        let root = group(manager, depth: 1)
        root.start()
        await stalled.wait()
        let operations = manager.operations
        let (ends, watcher) = AsyncStream<ContinuousClock.Instant>.makeStream()
        Thread { watcher.yield(lastEnd(of: operations)) }.start()
        let start = ContinuousClock.now
        root.cancel()
        let end = await ends.first { _ in true }
        never.open()
        let time = end.map { $0 - start } ?? .zero
        let cancelled = operations.count { $0.state == .cancelled && $0.kind != nil }
        return [
            EngineBenchmark.Row(
                name: "cancel 10,000 stalled leaves, depth 4", goal: "all terminal ≤ 50 ms",
                result: "\(time.milliseconds), \(cancelled) cancelled",
                isReached: time <= .milliseconds(50) && cancelled == leaves)
        ]
    }

    /// Blocks its thread until all operations have ended. A task would run only after the ten
    /// thousand cancelled ones.
    private static func lastEnd(of operations: [OperationHandle]) -> ContinuousClock.Instant {
        for operation in operations {
            while !operation.state.isTerminal { usleep(100) }
        }
        return .now
    }

    private static func group(
        _ manager: APIManager<BenchAPI>, depth: Int
    ) -> GroupOperation<Void> {
        manager.group { group in
            try await withThrowingTaskGroup(of: Void.self) { tasks in
                for branch in 0..<branches {
                    tasks.addTask {
                        guard depth == Self.depth else {
                            let inner = Self.group(manager, depth: depth + 1)
                            return try await group.run(inner)
                        }
                        let leaf = manager.operation(BenchAPI.user(branch))
                        _ = try await group.run(leaf)
                    }
                }
                try await tasks.waitForAll()
            }
        }
    }
}
