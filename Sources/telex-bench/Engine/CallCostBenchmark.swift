import CAllocations
import HTTPTypes
import TelexRuntime
import TelexTesting

/// Measures the cost of the engine per call, over a transport that takes no time. The baseline is
/// the same request without the engine.
enum CallCostBenchmark {
    private static let calls = 20_000

    static func run() async throws -> [EngineBenchmark.Row] {
        let reply = TransportReply.json(BenchAPI.reply)
        let transport = InstantTransport { _ in reply }
        let manager = manager(transport)
        _ = try await engine(manager)
        let engine = try await engine(manager)
        let bare = try await bare(transport, manager)
        let cost = engine.percentile(0.5) - bare.percentile(0.5)
        // Before the calls in flight, whose last steps may run after they are cancelled.
        let counts = try await counts(manager, reply)
        let held = try await bytesInFlight()
        return counts + [
            EngineBenchmark.Row(
                name: "engine per call, in memory, p50", goal: "≤ 10 µs",
                result: "\(cost.microseconds) (\(text(engine)); bare: \(text(bare)))",
                isReached: cost > .zero && cost <= .microseconds(10)),
            EngineBenchmark.Row(
                name: "memory of a call on its way", goal: "≤ 4096 bytes",
                result: "\(held) bytes", isReached: 1...4096 ~= held),
        ]
    }

    /// What a call does, which is the same on every machine.
    private static func counts(
        _ manager: APIManager<BenchAPI>, _ reply: TransportReply
    ) async throws -> [EngineBenchmark.Row] {
        // Over a network, a call waits for its reply.
        let waiting = InstantTransport { _ in
            await Task.yield()
            return reply
        }
        let waitingManager = Self.manager(waiting)
        let head = try await manager.httpRequest(for: BenchAPI.user(7))
        guard
            let call = try await counts({ id in
                _ = try await manager.operation(BenchAPI.user(id)).value
            }),
            let waitingCall = try await counts({ id in
                _ = try await waitingManager.operation(BenchAPI.user(id)).value
            }),
            let bare = try await counts({ _ in
                _ = try await waiting.send(TransportRequest(head: head))
            })
        else { return [] }
        func row(_ name: String, _ count: Int, atMost limit: Int) -> EngineBenchmark.Row {
            let each = (count + countedCalls / 2) / countedCalls
            return EngineBenchmark.Row(
                name: name, goal: "≤ \(limit)", result: "\(each)", isReached: each <= limit)
        }
        // Not counted on every system.
        let retains =
            call.retains == 0
            ? [] : [row("retains of a call, in memory", call.retains, atMost: 450)]
        return [row("allocations of a call, in memory", call.allocations, atMost: 32)] + retains + [
            row("task switches of a call, in memory", call.switches, atMost: 0),
            row(
                "added task switches of a call that waits",
                waitingCall.switches - bare.switches, atMost: 0),
        ]
    }

    private static let countedCalls = 1_000

    /// Counts what calls do; nil where nothing is counted.
    private static func counts(
        _ call: (_ id: Int) async throws -> Void
    ) async throws -> c_counts? {
        guard c_counts_begin() else { return nil }
        for id in 0..<countedCalls { try await call(id) }
        return c_counts_end()
    }

    private static func text(_ watch: Stopwatch) -> String {
        "p50 \(watch.percentile(0.5).microseconds), p99 \(watch.percentile(0.99).microseconds)"
    }

    private static func manager(_ transport: any Transport) -> APIManager<BenchAPI> {
        APIManager(
            transport: transport, credentials: MemoryCredentialStore(Credential(token: "token")))
    }

    private static func engine(_ manager: APIManager<BenchAPI>) async throws -> Stopwatch {
        var watch = Stopwatch()
        for id in 0..<calls {
            _ = try await watch.time { try await manager.operation(BenchAPI.user(id)).value }
        }
        return watch
    }

    private static func bare(
        _ transport: any Transport, _ manager: APIManager<BenchAPI>
    ) async throws -> Stopwatch {
        let head = try await manager.httpRequest(for: BenchAPI.user(7))
        var watch = Stopwatch()
        for _ in 0..<calls {
            _ = try await watch.time {
                try await transport.send(TransportRequest(head: head)).body.collect(upTo: 4096)
            }
        }
        return watch
    }

    /// The memory per call in flight, minus that of a bare request.
    private static func bytesInFlight() async throws -> Int {
        let bare = try await bytes { transport, head in
            { _ in
                let task = Task { _ = try await transport.send(TransportRequest(head: head)) }
                return {
                    task.cancel()
                    _ = await task.result
                }
            }
        }
        let engine = try await bytes { transport, _ in
            let manager = manager(transport)
            return { id in
                let operation = manager.operation(BenchAPI.user(id))
                operation.start()
                return {
                    operation.cancel()
                    _ = try? await operation.value
                }
            }
        }
        return engine - bare
    }

    /// Starts a call and returns a closure that ends it.
    private typealias Start = (_ id: Int) -> () async -> Void

    private static func bytes(
        _ prepare: (any Transport, HTTPRequest) -> Start
    ) async throws -> Int {
        let count = 1_000
        let arrived = Counter()
        let (allArrived, never) = (Gate(), Gate())
        let transport = InstantTransport { _ in
            if arrived.next() == count { allArrived.open() }
            await never.wait()
            return .json(BenchAPI.reply)
        }
        let head = try await manager(transport).httpRequest(for: BenchAPI.user(7))
        let start = prepare(transport, head)
        let before = Memory.allocated
        let ends = (0..<count).map(start)
        await allArrived.wait()
        let held = Memory.allocated - before
        never.open()
        for end in ends { await end() }
        return held / count
    }
}
