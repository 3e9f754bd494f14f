import EngineSimulation

/// Random schedules of the simulated engine; one that breaks a rule is printed, to be repeated.
enum SimulationBenchmark {
    /// Runs the seeds between two numbers.
    static func run(from first: String, to last: String) {
        guard let first = UInt64(first), let last = UInt64(last), first < last else {
            return print("simulate: two numbers are needed, the lower one first")
        }
        let clock = ContinuousClock()
        let start = clock.now
        let report = Simulation.run(seeds: first..<last)
        let seconds = (clock.now - start) / .seconds(1)
        print(report.failure?.description ?? "no rule was broken")
        print(
            report.schedules, "schedules,", report.events, "events,",
            Int(Double(report.schedules) / seconds), "schedules/s,",
            Int(Double(report.events) / seconds), "events/s")
    }
}
