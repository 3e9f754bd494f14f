import Foundation
import TelexRuntime
import TelexTesting

/// Puts secrets in every place of a request, which the server repeats wherever it can. No output
/// may contain them.
enum SecretsBenchmark {
    private static let placements: [AuthRules.Placement] = [
        .query("access_token"), .bearer, .header("X-Key", prefix: "Key"), .cookie("sid"),
        .body("token"), .form("token"), .json("token"),
    ]

    /// The results of the calls.
    private struct Sum {
        var secrets: Set<String> = []
        var leaks: [TextLog.Channel: Int] = [:]
        var texts: [TextLog.Channel: Int] = [:]
        /// Calls whose output has no redacted value, so they prove nothing.
        var unredactedCalls = 0
        /// Calls that did not end as expected, with their actual end.
        var unexpectedEnds: [String] = []
        var calls = 0

        /// Runs a call against a server, with the token in this place, and adds its results.
        mutating func add(
            _ server: EchoServer, at placement: AuthRules.Placement,
            _ play: (EchoServer) async -> (TextLog, problem: String?)
        ) async {
            let (log, problem) = await VaultBenchAPI.$placement.withValue(placement) {
                await play(server)
            }
            add(log, secrets: server.testSecrets, problem: problem)
        }

        private mutating func add(
            _ log: TextLog, secrets testSecrets: BenchSecrets, problem: String?
        ) {
            if let problem { unexpectedEnds.append(problem) }
            let spellings = SecretEncodings(testSecrets.all)
            secrets.formUnion(testSecrets.all)
            calls += 1
            var marks = 0
            for (channel, told) in log.texts {
                texts[channel, default: 0] += told.count
                // Most lines are repeated many times.
                let lines = Set(told.flatMap { $0.split(separator: "\n") })
                marks += lines.count { $0.contains(Redacted.text) }
                leaks[channel, default: 0] += lines.count { spellings.isIn(String($0)) }
            }
            unredactedCalls += marks == 0 ? 1 : 0
        }
    }

    static func run() async throws -> [EngineBenchmark.Row] {
        var sum = Sum()
        var random = SeededRandom(seed: 1000)
        for (index, behaviour) in EchoServer.Behaviour.allCases.enumerated() {
            func server(_ round: Int) -> EchoServer {
                EchoServer(
                    behaviour: behaviour, testSecrets: BenchSecrets(&random, round), round: round)
            }
            for (place, placement) in placements.enumerated() {
                for kind in 0..<BenchSecrets.kinds where fits(placement, kind) {
                    await sum.add(server(index + place * 3 + kind), at: placement) {
                        await play($0, kind)
                    }
                }
                for kind in EchoServer.Transfer.allCases where fits(placement, 0) {
                    await sum.add(server(index + place * 3), at: placement) { await play($0, kind) }
                }
            }
            for round in 0..<6 {
                await sum.add(server(index + round), at: .bearer) { await playRefresh($0) }
            }
        }
        return [row(sum)]
    }

    /// Whether a request can contain the token in this place. A form, for example, has no JSON
    /// members.
    private static func fits(_ placement: AuthRules.Placement, _ kind: Int) -> Bool {
        switch placement {
        case .form: kind > 2
        case .json: kind == 2
        default: true
        }
    }

    private static func row(_ sum: Sum) -> EngineBenchmark.Row {
        let channels = TextLog.Channel.allCases
        let counts = channels.map { "\(sum.texts[$0] ?? 0) \($0.rawValue)" }
        let found = sum.leaks.filter { $0.value > 0 }
        let places = found.map { "\($0.value) in \($0.key.rawValue)" }.sorted()
        let leaked = found.values.reduce(0, +)
        return EngineBenchmark.Row(
            name: "1,000 secrets in logs, errors, HARs, descriptions", goal: "0 found",
            result: """
                \(leaked) found; looked for \(sum.secrets.count) secrets of \(sum.calls) calls in \
                \(counts.joined(separator: ", "))\(places.isEmpty ? "" : ": ")\
                \(places.joined(separator: ", "))\
                \(sum.unredactedCalls == 0 ? "" : "; \(sum.unredactedCalls) calls without output")\
                \(sum.unexpectedEnds.isEmpty ? "" : "; \(sum.unexpectedEnds.count) inconclusive calls: ")\
                \(sum.unexpectedEnds.prefix(3).joined(separator: ", "))
                """,
            isReached: leaked == 0 && sum.secrets.count >= 1_000 && sum.unredactedCalls == 0
                && sum.unexpectedEnds.isEmpty
                && channels.allSatisfy { sum.texts[$0] ?? 0 > 0 })
    }

    /// Makes a call and collects all its output.
    ///
    /// - Returns: The output, and the deviation from the expected end.
    private static func play(
        _ server: EchoServer, _ kind: Int
    ) async -> (TextLog, problem: String?) {
        let scene = Scene(server)
        let request = server.testSecrets.request(
            kind, breakingRules: server.behaviour == .breaksRequestRules)
        let end = await watch(request, of: scene.manager, log: scene.log)
        scene.log.add(scene.recorder)
        return (scene.log, server.problem(of: end, after: scene.requests))
    }

    /// Makes a call whose reply is not collected in memory.
    private static func play(
        _ server: EchoServer, _ kind: EchoServer.Transfer
    ) async -> (TextLog, problem: String?) {
        let scene = Scene(server)
        let breaksRules = server.behaviour == .breaksRequestRules
        let end: (any Error)?
        switch kind {
        case .download:
            let file = FileManager.default.temporaryDirectory
                .appendingPathComponent("telex-bench-\(UUID().uuidString)")
            defer { try? FileManager.default.removeItem(at: file) }
            end = await watch(
                server.testSecrets.download(to: file.path, breakingRules: breaksRules),
                of: scene.manager, log: scene.log)
        case .stream:
            end = await watch(
                server.testSecrets.stream(breakingRules: breaksRules), of: scene.manager,
                log: scene.log)
        }
        scene.log.add(scene.recorder)
        return (scene.log, server.problem(of: end, of: kind, after: scene.requests))
    }

    /// An app whose refresher and interceptor reveal secrets, and its listeners.
    private struct Scene {
        let log = TextLog()
        let recorder = HARRecorder()
        let manager: APIManager<VaultBenchAPI>
        private let transport: InMemoryTransport

        var requests: Int { transport.requests.count }

        init(_ server: EchoServer) {
            let count = Counter()
            transport = InMemoryTransport { _ throws(TransportError) in
                try server.reply(count.next())
            }
            manager = APIManager<VaultBenchAPI>(
                transport: transport, credentials: .memory(server.testSecrets.credential)
            ) { [log, recorder] in
                $0.refresher = .app { _ in
                    throw EchoServer.LeakyError(description: server.credentialSecrets)
                }
                $0.interceptors = [LeakyInterceptor(server: server)]
                $0.settings.diagnosis = DiagnosisRules(probe: closedPort)
                $0.listeners = [log, recorder]
            }
            log.add(server.testSecrets.credential, to: .value)
        }
    }

    /// Makes a call whose token is replaced by a token server, which repeats what it receives.
    private static func playRefresh(
        _ server: EchoServer
    ) async -> (TextLog, problem: String?) {
        let (log, recorder) = (TextLog(), HARRecorder())
        let transport = InMemoryTransport { request throws(TransportError) in
            if request.head.authority == "id.bench.test" { return try server.tokenReply() }
            let isNew = request.head.headerFields[.authorization] == server.newAuthorization
            return isNew ? server.replyToNew() : .bytes(status: .unauthorized)
        }
        let refresh = server.testSecrets.refresh(asJSON: server.round % 2 == 1)
        let manager = APIManager<VaultBenchAPI>(
            transport: transport, credentials: .memory(server.testSecrets.credential)
        ) {
            $0.refresher = RequestCredentialRefresher(refresh, transport: transport)
            $0.listeners = [log, recorder]
        }
        log.add(refresh, to: .value)
        let end = await watch(VaultBenchAPI.call(.get) { _ in }, of: manager, log: log)
        log.add(recorder)
        return (log, server.problem(ofRefreshing: end, after: transport.requests.count))
    }

    /// Makes a call and collects all the output that its caller can see.
    ///
    /// - Returns: The error of the call, or nil for a value.
    private static func watch<Output>(
        _ request: APIRequest<Output>, of manager: APIManager<VaultBenchAPI>, log: TextLog
    ) async -> (any Error)? {
        let operation = manager.operation(request)
        log.add(request, to: .value)
        log.add(request.violations, to: .value)
        log.add(manager, to: .value)
        log.add(operation, to: .value)
        let progress = Task {
            for await step in operation.progress { log.add(step, to: .value) }
        }
        var failure: (any Error)?
        do {
            log.add(try await operation.response, to: .value)
            log.add(try await operation.value, to: .value)
        } catch {
            log.add(error)
            failure = error
        }
        await progress.value
        log.add(operation, to: .value)
        log.add(operation.attempts, to: .value)
        return failure
    }

    private static let closedPort = ReachabilityProbe(
        hasLink: { true }, resolves: { _ in true }, connects: { _, _ in false })
}
