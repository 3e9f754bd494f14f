import TelexScheduling

/// Runs the engine's machine through worlds made of seeds, and reports the first that breaks a rule.
package enum Simulation {
    /// How large a world may be.
    package struct Size: Sendable, CustomStringConvertible {
        /// How many operations at most.
        package var operations: Int
        /// How often people meddle with each of them at most.
        package var controls: Int

        package init(operations: Int = 12, controls: Int = 4) {
            self.operations = operations
            self.controls = controls
        }

        package var description: String { "\(operations) operations, \(controls) controls" }
    }

    /// What came of a number of seeds.
    package struct Report: Sendable {
        package var schedules = 0
        package var events = 0
        package var failure: Failure?
    }

    /// A world that broke a rule; its seed and size make it again.
    package struct Failure: Sendable, CustomStringConvertible {
        package var seed: UInt64
        package var size: Size
        package var rule: String
        /// What happened, line by line.
        package var trace: [String]

        package var description: String {
            "seed \(seed) with at most \(size): \(rule)\n" + trace.joined(separator: "\n")
        }
    }

    /// Runs one world for each seed, until one fails; that one is made as small as it can be.
    package static func run(seeds: Range<UInt64>, size: Size = Size()) -> Report {
        var report = Report()
        for seed in seeds {
            var world = World(seed: seed, size: size, isTraced: false)
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

    /// The smallest world of a seed that fails.
    private static func shrink(_ seed: UInt64, _ size: Size) -> Failure? {
        for operations in 1...size.operations {
            for controls in 0...size.controls {
                let smaller = Size(operations: operations, controls: controls)
                if let failure = failure(seed, smaller) { return failure }
            }
        }
        return nil
    }

    /// How a world fails; nil if it does not.
    package static func failure(_ seed: UInt64, _ size: Size) -> Failure? {
        var world = World(seed: seed, size: size, isTraced: true)
        world.run()
        guard let rule = world.violation else { return nil }
        return Failure(seed: seed, size: size, rule: rule, trace: world.trace)
    }
}
