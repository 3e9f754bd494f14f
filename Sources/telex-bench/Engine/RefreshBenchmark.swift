import HTTPTypes
import TelexRuntime
import TelexTesting

/// Runs ten thousand calls whose token has expired at the same time. Replies come only after all
/// calls have sent the token.
enum RefreshBenchmark {
    private static let calls = 10_000

    /// The result of the refresh.
    enum Scenario: String, CaseIterable, Sendable {
        case succeeds, fails, hangs
        case isRefused = "is itself refused: invalid_grant"
        case isUnauthorized = "is itself refused: 401"
        case isUseless = "brings a token that is refused"
        case isOrphaned = "succeeds, its first caller cancelled"
    }

    private struct NoToken: Error {}

    static func run() async throws -> [EngineBenchmark.Row] {
        var rows: [EngineBenchmark.Row] = []
        for scenario in Scenario.allCases { rows.append(await run(scenario)) }
        return rows
    }

    private static func run(_ scenario: Scenario) async -> EngineBenchmark.Row {
        let server = ExpiringServer(scenario, calls: calls)
        let listener = RefreshListener(expecting: calls)
        let clock = VirtualClock()
        let manager = APIManager<BenchAPI>(
            transport: server.transport,
            credentials: MemoryCredentialStore(Credential(token: "old", refreshToken: "again"))
        ) {
            $0.refresher = refresher(scenario, server)
            $0.settings.clock = scenario == .hangs ? clock.runtimeClock : .system
            $0.settings.refreshTimeout = .seconds(60)
            $0.listeners = [listener]
        }
        let operations = (0..<calls).map { manager.operation(BenchAPI.user($0)) }
        let tally = Tally(expecting: calls)
        let time = await Stopwatch.time {
            for operation in operations {
                tally.follow(operation)
                operation.start()
            }
            await server.refreshBegan.wait()
            // A call that receives its 401 later may start another refresh; one that is cancelled
            // earlier may never wait.
            await listener.allWait.wait()
            if scenario == .isOrphaned { operations[0].cancel() }
            clock.advance(by: .seconds(60))
            server.refreshMayEnd.open()
            await tally.allEnded.wait()
        }
        return row(
            scenario, tally: tally, server: server, listener: listener, operations: operations,
            time: time)
    }

    private static func refresher(
        _ scenario: Scenario, _ server: ExpiringServer
    ) -> any CredentialRefresher {
        if scenario == .isRefused || scenario == .isUnauthorized {
            return RequestCredentialRefresher(
                RefreshRequest("https://id.bench.test/token"), transport: server.transport)
        }
        return .app { _ in
            await server.beginRefresh()
            if scenario == .hangs { await Gate().wait() }
            try Task.checkCancellation()
            if scenario == .fails { throw NoToken() }
            return Credential(token: "new")
        }
    }

    private static func row(
        _ scenario: Scenario, tally: Tally, server: ExpiringServer, listener: RefreshListener,
        operations: [DataOperation<BenchUser>], time: Duration
    ) -> EngineBenchmark.Row {
        let expected = Expectation(scenario, calls)
        let lost =
            abs(tally.count(.succeeded) - expected.succeeded)
            + abs(tally.count(.failed) - expected.failed)
            + abs(tally.count(.cancelled) - expected.cancelled)
        // Each call sends one request with each token that it has.
        let (old, new) = (server.sentOld.value, server.sentNew.value)
        let doubled =
            abs(old - calls) + abs(new - expected.sentAgain) + tally.irregular
        let isTold = listener.failures.value == expected.failures
        let needLogin = operations.count { $0.needsLogin }
        let refreshes = server.refreshes.value
        return EngineBenchmark.Row(
            name: "10,000 expired tokens; the refresh \(scenario.rawValue)",
            goal: "1 refresh, 0 lost, 0 doubled, < 0.4 s",
            result: "\(refreshes) refresh, \(lost) lost, \(doubled) doubled, "
                + "\(time.milliseconds); \(old) with the old token, \(new) with a new one; "
                + "the app is told \(listener.failures.value) failures; \(needLogin) need a login",
            isReached: refreshes == 1 && lost == 0 && doubled == 0 && isTold
                && needLogin == expected.needLogin && time < .milliseconds(400))
    }

    /// The expected results of the calls.
    private struct Expectation {
        var (succeeded, failed, cancelled) = (0, 0, 0)
        /// The number of calls sent with a new token.
        var sentAgain = 0
        /// The number of `refreshFailed` events.
        var failures = 0
        /// The number of calls that need a login.
        var needLogin = 0

        init(_ scenario: Scenario, _ calls: Int) {
            switch scenario {
            case .succeeds: (succeeded, sentAgain) = (calls, calls)
            case .isOrphaned:
                (succeeded, sentAgain, cancelled) = (calls - 1, calls - 1, 1)
            case .fails, .hangs: (failed, failures) = (calls, 1)
            case .isRefused, .isUnauthorized:
                (failed, failures, needLogin) = (calls, 1, calls)
            case .isUseless: (failed, sentAgain, needLogin) = (calls, calls, calls)
            }
        }
    }
}

extension DataOperation {
    /// Whether the operation failed because a login is needed.
    fileprivate var needsLogin: Bool {
        guard case .failure(let error as APIError) = result else { return false }
        return error.needsLogin
    }
}

/// Counts events of refreshes.
private final class RefreshListener: APIEventListener {
    /// The number of `refreshFailed` events.
    let failures = Counter()
    /// Open when all calls wait for a new token.
    let allWait = Gate()

    private let waiting = Counter()
    private let calls: Int

    init(expecting calls: Int) { self.calls = calls }

    func handle(_ event: APIEvent) {
        switch event.kind {
        case .postponed: if waiting.next() == calls { allWait.open() }
        case .refreshFailed: failures.next()
        default: break
        }
    }
}
