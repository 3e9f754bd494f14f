import EngineSimulation

/// Random schedules of the simulated engine; one that breaks a rule is printed, to be repeated.
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
                isReached: report.failure == nil && report.schedules >= 1_000_000)
        ]
    }

    /// Runs the seeds between two numbers.
    static func run(from first: String, to last: String) async {
        guard let first = UInt64(first), let last = UInt64(last), first < last else {
            return print("simulate: two numbers are needed, the lower one first")
        }
        let report = await simulate(first..<last)
        print(report.failure?.description ?? "no rule was broken")
        print("\(report.schedules) schedules, \(report.events) events")
    }

    /// Runs seeds in two halves at the same time.
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
