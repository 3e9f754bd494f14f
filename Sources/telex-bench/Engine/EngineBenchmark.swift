/// The measurements of the engine, each with its goal.
enum EngineBenchmark {
    /// One line of the table.
    struct Row: Sendable {
        var name: String
        var goal: String
        var result: String
        var isReached: Bool

        var text: String {
            let mark = isReached ? "✓" : "✗"
            return "\(mark) \(padded(name, 46)) \(padded(goal, 30)) \(result)"
        }

        private func padded(_ text: String, _ width: Int) -> String {
            text + String(repeating: " ", count: max(0, width - text.count))
        }
    }

    /// A measurement of one or more rows.
    typealias Measurement = @Sendable () async throws -> [Row]

    /// All measurements, by name.
    static let measurements: [(name: String, run: Measurement)] = [
        ("cost", CallCostBenchmark.run),
        ("loopback", LoopbackBenchmark.run),
        ("refresh", RefreshBenchmark.run),
        ("queue", QueueBenchmark.run),
        ("cancel", CancelBenchmark.run),
        ("failing", FailingServerBenchmark.run),
        ("download", DownloadBenchmark.run),
        ("redirect", RedirectBenchmark.run),
        ("secrets", SecretsBenchmark.run),
        ("simulation", { await SimulationBenchmark.run(schedules: 1_000_000) }),
    ]

    /// Runs measurements.
    ///
    /// - Returns: Whether all goals are reached.
    static func run(_ measurements: [Measurement]) async throws -> Bool {
        var isReached = true
        for measurement in measurements {
            for row in try await measurement() {
                print(row.text)
                isReached = isReached && row.isReached
            }
        }
        return isReached
    }
}
