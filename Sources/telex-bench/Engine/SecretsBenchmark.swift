import Synchronization
import TelexRuntime
import TelexTesting

/// A thousand tokens that the server repeats wherever it can; none may be told to anybody.
enum SecretsBenchmark {
    private static let secrets = 1_000

    static func run() async throws -> [EngineBenchmark.Row] {
        var (leaked, texts) = (0, 0)
        for number in 0..<secrets {
            let told = await call("taint-\(number)/&\(number)")
            texts += told.count
            leaked += told.contains { $0.contains("taint-") } ? 1 : 0
        }
        return [
            EngineBenchmark.Row(
                name: "1,000 secrets in events, errors, descriptions", goal: "0 found",
                result: "\(leaked) found in \(texts) texts",
                isReached: leaked == 0 && texts > secrets)
        ]
    }

    /// Everything that is told about a call whose server repeats the token.
    private static func call(_ token: String) async -> [String] {
        let log = TextLog()
        let manager = APIManager<BenchAPI>(
            transport: InstantTransport { request in
                let seen = request.head.headerFields[.authorization] ?? ""
                let text = #"{"error":{"code":"\#(seen)","message":"no: \#(seen)"}}"#
                return .json(text, status: .badRequest)
            }, credentials: MemoryCredentialStore(Credential(token: token, refreshToken: token)),
            onEvent: { log.add($0) })
        let operation = manager.operation(BenchAPI.user(1))
        do { _ = try await operation.value } catch { log.add(error) }
        log.add(operation)
        log.add(operation.attempts)
        return log.texts
    }
}

/// Keeps all that can be printed about values.
private final class TextLog: Sendable {
    private let lines = Mutex<[String]>([])

    var texts: [String] { lines.withLock { $0 } }

    func add(_ value: Any) {
        var dumped = ""
        dump(value, to: &dumped)
        let texts = ["\(value)", String(reflecting: value), dumped]
        lines.withLock { $0 += texts }
    }
}
