import TelexRuntime
import TelexTesting

/// Measures a hundred thousand queued operations.
enum QueueBenchmark {
    private static let calls = 100_000

    static func run() async throws -> [EngineBenchmark.Row] {
        let gate = Gate()
        let manager = APIManager<NarrowBenchAPI>(
            transport: InstantTransport { _ in
                await gate.wait()
                return .json(BenchAPI.reply)
            }, credentials: MemoryCredentialStore(Credential(token: "token")))
        let tally = Tally(expecting: calls)
        var operations: [DataOperation<BenchUser>] = []
        operations.reserveCapacity(calls)
        let before = Memory.allocated
        for id in 0..<calls {
            let operation = manager.operation(BenchAPI.user(id))
            operation.start()
            operations.append(operation)
        }
        let each = (Memory.allocated - before) / calls
        for operation in operations { tally.follow(operation) }
        let waiting = operations.count { $0.state == .queued }
        let time = await Stopwatch.time {
            manager.cancelAll()
            await tally.allEnded.wait()
        }
        gate.open()
        return [
            EngineBenchmark.Row(
                name: "100,000 queued operations", goal: "≤ 1024 bytes each",
                result:
                    "\(each) bytes each; \(waiting) queued, \(tally.count(.cancelled)) cancelled in "
                    + "\(time.milliseconds)",
                isReached: 1...1024 ~= each && waiting == calls - 1
                    && tally.count(.cancelled) == calls && tally.irregular == 0)
        ]
    }
}
