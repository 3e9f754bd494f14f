import Foundation
import HTTPTypes
import TelexRuntime
import TelexTesting
import TelexURLSession

/// Measures calls over a loopback connection, alternately with and without the engine.
///
/// The third variant is hand-written code without a client: it builds the request, checks the
/// status, and decodes the reply with Foundation.
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
            transport: transport, credentials: MemoryCredentialStore(Credential(token: "token"))
        ) { $0.server = .url("http://\(server.authority)/v1/") }
        let head = try await manager.httpRequest(for: BenchAPI.user(7))
        var (engine, hand, bare) = (Stopwatch(), Stopwatch(), Stopwatch())
        for _ in 0..<rounds {
            for id in 0..<calls {
                _ = try await engine.time { try await manager.operation(BenchAPI.user(id)).value }
            }
            for id in 0..<calls {
                _ = try await hand.time {
                    try await userByHand(id, from: server.authority, with: transport)
                }
            }
            for _ in 0..<calls {
                _ = try await bare.time {
                    try await transport.send(TransportRequest(head: head)).body.collect(upTo: 4096)
                }
            }
        }
        return [
            row(
                engine: engine.percentile(0.5), hand: hand.percentile(0.5),
                bare: bare.percentile(0.5))
        ]
    }

    private static func row(
        engine: Duration, hand: Duration, bare: Duration
    ) -> EngineBenchmark.Row {
        func more(_ time: Duration) -> String {
            "\(((time / bare - 1) * 1000).rounded() / 10) %"
        }
        return EngineBenchmark.Row(
            name: "engine over URLSession on loopback, p50", goal: "≤ 5 % more",
            result: "\(more(engine)) (\(engine.microseconds); bare: \(bare.microseconds); "
                + "by hand: \(more(hand)))",
            isReached: engine <= bare * 1.05)
    }

    private struct Answer: Decodable {
        struct User: Decodable {
            let id: Int
            let name: String
        }
        let response: User
    }

    private static func userByHand(
        _ id: Int, from authority: String, with transport: URLSessionTransport
    ) async throws -> Answer.User {
        let head = HTTPRequest(
            method: .get, scheme: "http", authority: authority, path: "/v1/users?id=\(id)",
            headerFields: [.authorization: "Bearer token"])
        let reply = try await transport.send(TransportRequest(head: head))
        guard reply.head.status == .ok else { throw URLError(.badServerResponse) }
        let body = try await reply.body.collect(upTo: 4096)
        return try JSONDecoder().decode(Answer.self, from: Data(body)).response
    }
}
