import HTTPTypes
import Synchronization
import TelexRuntime
import TelexTesting

/// Redirects to another origin, by each status that redirects.
enum RedirectBenchmark {
    private static let token = "t0k3n-of-the-bench"
    private static let statuses = [301, 302, 303, 307, 308]

    static func run() async throws -> [EngineBenchmark.Row] {
        let seen = Mutex<[String]>([])
        let transport = InstantTransport { request in
            guard request.head.authority == "elsewhere.test" else {
                let status = Int(request.head.path?.split(separator: "=").last ?? "") ?? 302
                return .bytes(
                    status: .init(code: status),
                    fields: [.location: "https://elsewhere.test/users"])
            }
            seen.withLock { $0.append("\(request.head.path ?? "") \(request.head.headerFields)") }
            return .json(BenchAPI.reply)
        }
        let manager = APIManager<BenchAPI>(
            transport: transport, credentials: MemoryCredentialStore(Credential(token: token)))
        for status in statuses { _ = try await manager.operation(BenchAPI.user(status)).value }
        let requests = seen.withLock { $0 }
        let leaked = requests.count { $0.contains(token) || $0.contains("Authorization") }
        return [
            EngineBenchmark.Row(
                name: "redirects to another origin", goal: "0 credentials leaked",
                result: "\(leaked) leaked in \(requests.count) requests",
                isReached: leaked == 0 && requests.count == statuses.count)
        ]
    }
}
