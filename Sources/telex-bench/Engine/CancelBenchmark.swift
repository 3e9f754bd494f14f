import TelexRuntime
import TelexTesting

/// Cancels a tree of groups, four deep, whose ten thousand leaves wait for bodies that never come.
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
        let tally = Tally(expecting: leaves)
        let root = group(manager, depth: 1, tally)
        root.start()
        await stalled.wait()
        let time = await Stopwatch.time {
            root.cancel()
            await tally.allEnded.wait()
        }
        never.open()
        let cancelled = tally.count(.cancelled)
        return [
            EngineBenchmark.Row(
                name: "cancel 10,000 stalled leaves, depth 4", goal: "all terminal ≤ 50 ms",
                result: "\(time.milliseconds), \(cancelled) cancelled",
                isReached: time <= .milliseconds(50) && cancelled == leaves)
        ]
    }

    private static func group(
        _ manager: APIManager<BenchAPI>, depth: Int, _ tally: Tally
    ) -> GroupOperation<Void> {
        manager.group { group in
            try await withThrowingTaskGroup(of: Void.self) { tasks in
                for branch in 0..<branches {
                    tasks.addTask {
                        guard depth == Self.depth else {
                            let inner = Self.group(manager, depth: depth + 1, tally)
                            return try await group.run(inner)
                        }
                        let leaf = manager.operation(BenchAPI.user(branch))
                        tally.follow(leaf)
                        _ = try await group.run(leaf)
                    }
                }
                try await tasks.waitForAll()
            }
        }
    }
}
