import TelexRuntime
import TelexTesting

/// Ten thousand calls that find out at once that their token has expired.
enum RefreshBenchmark {
    private static let calls = 10_000

    /// What becomes of the refresh.
    private enum Course: String, CaseIterable {
        case succeeds, fails, hangs
        case isRefused = "is itself refused"
        case isOrphaned = "succeeds, its first caller cancelled"
    }

    private struct NoToken: Error {}

    static func run() async throws -> [EngineBenchmark.Row] {
        var rows: [EngineBenchmark.Row] = []
        for course in Course.allCases { rows.append(try await run(course)) }
        return rows
    }

    private static func run(_ course: Course) async throws -> EngineBenchmark.Row {
        let (refreshes, accepted, began, allStarted) = (Counter(), Counter(), Gate(), Gate())
        let manager = APIManager<BenchAPI>(
            transport: server(good: course == .isRefused ? "none" : "Bearer new", accepted),
            credentials: MemoryCredentialStore(Credential(token: "old")),
            refresher: .app { _ in
                refreshes.next()
                began.open()
                if course == .hangs { await Gate().wait() }
                try Task.checkCancellation()
                await allStarted.wait()
                if course == .fails { throw NoToken() }
                return Credential(token: "new")
            },
            settings: EngineSettings(
                refreshTimeout: course == .hangs ? .milliseconds(200) : .seconds(60)))
        let operations = (0..<calls).map { manager.operation(BenchAPI.user($0)) }
        let tally = Tally(expecting: calls)
        let time = await Stopwatch.time {
            for operation in operations {
                tally.follow(operation)
                operation.start()
            }
            await began.wait()
            if course == .isOrphaned { operations[0].cancel() }
            allStarted.open()
            await tally.allEnded.wait()
        }
        return row(course, tally, refreshes.value, accepted.value, time)
    }

    private static func server(good: String, _ accepted: Counter) -> InstantTransport {
        InstantTransport { request in
            guard request.head.headerFields[.authorization] == good else {
                return .json("{}", status: .unauthorized)
            }
            accepted.next()
            return .json(BenchAPI.reply)
        }
    }

    private static func row(
        _ course: Course, _ tally: Tally, _ refreshes: Int, _ accepted: Int, _ time: Duration
    ) -> EngineBenchmark.Row {
        let expected: (succeeded: Int, failed: Int, cancelled: Int) =
            switch course {
            case .succeeds: (calls, 0, 0)
            case .fails, .hangs, .isRefused: (0, calls, 0)
            case .isOrphaned: (calls - 1, 0, 1)
            }
        let lost =
            abs(tally.count(.succeeded) - expected.succeeded)
            + abs(tally.count(.failed) - expected.failed)
            + abs(tally.count(.cancelled) - expected.cancelled)
        let doubled = accepted - expected.succeeded + tally.irregular
        return EngineBenchmark.Row(
            name: "10,000 expired tokens; the refresh \(course.rawValue)",
            goal: "1 refresh, 0 lost, 0 doubled, < 2 s",
            result: "\(refreshes) refresh, \(lost) lost, \(doubled) doubled, \(time.milliseconds)",
            isReached: refreshes == 1 && lost == 0 && doubled == 0 && time < .seconds(2))
    }
}
