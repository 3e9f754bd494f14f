/// What the command line asks for.
struct BenchmarkCommand: Sendable {
    /// Does it.
    ///
    /// - Returns: Whether what it holds us to was reached; true if that is nothing.
    /// - Throws: If it could not be measured.
    let run: @Sendable () async throws -> Bool

    static let usage = """
        usage: telex-bench json             map and write JSON, beside JSONDecoder and JSONEncoder
               telex-bench compile          check and emit specs of 10 to 1200 methods
               telex-bench emitted MODULES  compile 60 generated methods; MODULES is the folder of
                                            compiled modules, such as .build/debug/Modules
               telex-bench engine [NAME]    the numbers that the engine has to reach, or one of them;
                                            fail if one is missed
               telex-bench simulate A B     run the simulated engine with the seeds A to B; fail if
                                            one breaks a rule
               telex-bench soak [--minutes N]
                                            run everything at once against a server that misbehaves,
                                            for 3 minutes by default; fail if anything is left over

        Ends with 1 if something is missed or could not be measured, and with 64 if the command line
        makes no sense.
        """

    /// - Throws: If it makes no sense.
    init(_ arguments: [String]) throws(UsageError) {
        guard let name = arguments.first else { throw UsageError("which benchmark?") }
        let words = Array(arguments.dropFirst())
        switch name {
        case "json": self = try Self.measurement(name, words) { try JSONBenchmark.run() }
        case "compile": self = try Self.measurement(name, words) { try CompilerBenchmark.run() }
        case "emitted": self = try Self.emitted(words)
        case "engine": self = try Self.engine(words)
        case "simulate": self = try Self.simulate(words)
        case "soak": self = try Self.soak(words)
        case DownloadProcess.command where words.count == 2:
            self.init { await DownloadProcess.run(from: words[0], to: words[1]) }
        case "--help", "-h", "help":
            self.init {
                print(Self.usage); return true
            }
        default: throw UsageError("there is no benchmark `\(name)`")
        }
    }

    private init(run: @escaping @Sendable () async throws -> Bool) { self.run = run }

    /// One that prints and has no goal of its own.
    private static func measurement(
        _ name: String, _ words: [String], _ run: @escaping @Sendable () throws -> Void
    ) throws(UsageError) -> BenchmarkCommand {
        guard words.isEmpty else { throw UsageError("\(name): nothing may follow") }
        return BenchmarkCommand {
            try run()
            return true
        }
    }

    private static func emitted(_ words: [String]) throws(UsageError) -> BenchmarkCommand {
        guard words.count == 1 else {
            throw UsageError("emitted: give the folder of compiled modules, and nothing else")
        }
        return BenchmarkCommand {
            try CompilerBenchmark.emitted(methods: 60, modules: words[0])
            return true
        }
    }

    private static func engine(_ words: [String]) throws(UsageError) -> BenchmarkCommand {
        guard words.count <= 1 else { throw UsageError("engine: give one measurement, or none") }
        let all = EngineBenchmark.measurements
        let chosen = all.filter { words.isEmpty || $0.name == words[0] }
        guard !chosen.isEmpty else {
            let names = all.map(\.name).joined(separator: ", ")
            throw UsageError("engine: there is no measurement `\(words[0])`; there are \(names)")
        }
        return BenchmarkCommand { try await EngineBenchmark.run(chosen.map(\.run)) }
    }

    private static func simulate(_ words: [String]) throws(UsageError) -> BenchmarkCommand {
        guard words.count == 2, let first = UInt64(words[0]), let last = UInt64(words[1]),
            first < last
        else { throw UsageError("simulate: give two numbers, the lower one first") }
        return BenchmarkCommand { await SimulationBenchmark.run(seeds: first..<last) }
    }

    private static func soak(_ words: [String]) throws(UsageError) -> BenchmarkCommand {
        if words.isEmpty { return BenchmarkCommand { try await SoakBenchmark.run(minutes: 3) } }
        // A day is enough, and can be counted.
        guard words.count == 2, words[0] == "--minutes", let minutes = Double(words[1]),
            minutes > 0, minutes <= 1440
        else { throw UsageError("soak: give `--minutes` a number, at most 1440, or nothing") }
        return BenchmarkCommand { try await SoakBenchmark.run(minutes: minutes) }
    }
}

/// A command line that makes no sense.
struct UsageError: Error, CustomStringConvertible {
    let description: String

    init(_ description: String) { self.description = description }
}

/// A benchmark that could not be run.
struct BenchmarkFailure: Error, CustomStringConvertible {
    let description: String

    init(_ description: String) { self.description = description }
}
