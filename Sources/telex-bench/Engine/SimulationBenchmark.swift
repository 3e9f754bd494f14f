import EngineSimulation

/// Runs random schedules of the simulated engine. A schedule that breaks a rule is printed, so that
/// it can be repeated.
enum SimulationBenchmark {
    static func run(schedules: UInt64) async -> [EngineBenchmark.Row] {
        let start = ContinuousClock.now
        let report = await simulate(0..<schedules)
        let seconds = (ContinuousClock.now - start) / .seconds(1)
        if let failure = report.failure { print(failure) }
        let rate = Int(Double(report.schedules) / seconds)
        let events = Int(Double(report.events) / seconds)
        return [
            EngineBenchmark.Row(
                name: "random schedules of the simulated engine", goal: "≥ 10⁶, no rule broken",
                result: "\(report.schedules) (\(rate)/s, \(events) events/s)",
                isReached: report.failure == nil && report.schedules >= 1_000_000
                    && report.events >= report.schedules)
        ]
    }

    /// Runs the schedules of these seeds.
    ///
    /// - Returns: Whether all rules were kept.
    static func run(seeds: Range<UInt64>) async -> Bool {
        let report = await simulate(seeds)
        print(report.failure?.description ?? "no rule was broken")
        print("\(report.schedules) schedules, \(report.events) events")
        return report.failure == nil && report.schedules == seeds.count && report.events > 0
    }

    /// Runs the two halves of the seeds concurrently.
    private static func simulate(_ seeds: Range<UInt64>) async -> Simulation.Report {
        let middle = seeds.lowerBound + (seeds.upperBound - seeds.lowerBound) / 2
        async let first = Simulation.run(seeds: seeds.lowerBound..<middle)
        async let second = Simulation.run(seeds: middle..<seeds.upperBound)
        var report = await first
        let other = await second
        report.schedules += other.schedules
        report.events += other.events
        report.failure = report.failure ?? other.failure
        return report
    }
}
