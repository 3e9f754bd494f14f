import TelexScheduling

/// Runs the engine machine through random worlds, and reports the first violation.
package enum Simulation {
    /// The size of a world.
    package struct Size: Sendable, CustomStringConvertible {
        /// The maximum number of operations.
        package var operations: Int
        /// The maximum number of user actions on each of them.
        package var controls: Int

        package init(operations: Int = 12, controls: Int = 4) {
            self.operations = operations
            self.controls = controls
        }

        package var description: String { "\(operations) operations, \(controls) controls" }
    }

    /// The result of a number of seeds.
    package struct Report: Sendable {
        package var schedules = 0
        package var events = 0
        package var failure: Failure?
    }

    /// A world with a violation. Its seed and size reproduce it.
    package struct Failure: Sendable, CustomStringConvertible {
        package var seed: UInt64
        package var size: Size
        package var rule: String
        /// The trace, line by line.
        package var trace: [String]

        package var description: String {
            "seed \(seed) with at most \(size): \(rule)\n" + trace.joined(separator: "\n")
        }
    }

    /// Runs one world for each seed until one fails, and minimises that one.
    package static func run(seeds: Range<UInt64>, size: Size = Size()) -> Report {
        var report = Report()
        for seed in seeds {
            var world = SimulatedWorld(seed: seed, size: size, isTraced: false)
            world.run()
            report.schedules += 1
            report.events += world.events
            if world.violation != nil {
                report.failure = shrink(seed, size)
                break
            }
        }
        return report
    }

    /// The smallest failing world of a seed.
    private static func shrink(_ seed: UInt64, _ size: Size) -> Failure? {
        for operations in 1...size.operations {
            for controls in 0...size.controls {
                let smaller = Size(operations: operations, controls: controls)
                if let failure = failure(seed, smaller) { return failure }
            }
        }
        return nil
    }

    /// The violation of a world; nil if there is none.
    package static func failure(_ seed: UInt64, _ size: Size) -> Failure? {
        var world = SimulatedWorld(seed: seed, size: size, isTraced: true)
        world.run()
        guard let rule = world.violation else { return nil }
        return Failure(seed: seed, size: size, rule: rule, trace: world.trace)
    }
}
