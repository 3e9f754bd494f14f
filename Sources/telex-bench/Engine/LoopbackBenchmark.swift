import TelexRuntime
import TelexTesting
import TelexURLSession

/// Calls over a real connection to this machine, with and without the engine, by turns.
enum LoopbackBenchmark {
    private static let rounds = 20
    private static let calls = 100

    static func run() async throws -> [EngineBenchmark.Row] {
        let server = try LoopbackServer { _ in
            .bytes(Array(BenchAPI.reply.utf8), fields: [.contentType: "application/json"])
        }
        defer { server.stop() }
        let transport = URLSessionTransport()
        let manager = APIManager<BenchAPI>(
            transport: transport, credentials: MemoryCredentialStore(Credential(token: "token")),
            server: .url("http://\(server.authority)/v1/"))
        let head = try await manager.httpRequest(for: BenchAPI.user(7))
        var (engine, bare) = (Stopwatch(), Stopwatch())
        for _ in 0..<rounds {
            for id in 0..<calls {
                _ = try await engine.time { try await manager.operation(BenchAPI.user(id)).value }
            }
            for _ in 0..<calls {
                _ = try await bare.time {
                    try await transport.send(TransportRequest(head: head)).body.collect(upTo: 4096)
                }
            }
        }
        return [row(engine.percentile(0.5), bare.percentile(0.5))]
    }

    private static func row(_ engine: Duration, _ bare: Duration) -> EngineBenchmark.Row {
        let share = (engine / bare - 1) * 100
        let text = "\((share * 10).rounded() / 10) %"
        return EngineBenchmark.Row(
            name: "engine over URLSession on loopback, p50", goal: "≤ 5 % more",
            result: "\(text) (\(engine.microseconds); bare: \(bare.microseconds))",
            isReached: share <= 5)
    }
}
