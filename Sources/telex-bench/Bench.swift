import ArgumentParser
import Foundation

/// Benchmarks, each compared with a baseline or a goal: `swift run -c release telex-bench NAME`.
struct Bench: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "telex-bench", abstract: "Measure Telex against a baseline or a goal.",
        discussion: """
            Ends with 1 if a goal is missed or something could not be measured, and with 64 if the \
            command line is invalid.
            """,
        subcommands: [
            JSON.self, Rivals.self, Compile.self, Emitted.self, APIs.self, APIStepProcess.self,
            Engine.self, Simulate.self, Soak.self, DownloadUntilKilled.self,
        ])

    func run() throws { throw ValidationError("Which benchmark?") }

    /// Fails the run unless all goals are reached.
    static func require(_ isReached: Bool) throws {
        if !isReached { throw ExitCode.failure }
    }
}

extension Bench {
    struct JSON: ParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "json",
            abstract: "Read and write JSON, compared with JSONDecoder and JSONEncoder.")

        @OptionGroup var documents: DocumentOptions

        func run() throws { try JSONBenchmark.run(files: documents.files) }
    }

    struct Rivals: ParsableCommand {
        static let configuration = CommandConfiguration(
            abstract: "Read JSON, compared with libraries of other languages.",
            discussion: "Builds a program for each library that this machine has.")

        @OptionGroup var documents: DocumentOptions

        func run() throws { try RivalBenchmark.run(files: documents.files) }
    }

    struct DocumentOptions: ParsableArguments {
        @Option(
            name: .customLong("file"),
            help: ArgumentHelp(
                "A real file in place of a generated document: twitter, citm or canada.",
                valueName: "name=path"))
        var list: [String] = []

        func validate() throws {
            for entry in list where Self.parts(entry) == nil {
                throw ValidationError(
                    "--file is twitter=PATH, citm=PATH or canada=PATH, not \(entry).")
            }
        }

        /// The paths by name.
        var files: [String: String] {
            Dictionary(list.compactMap(Self.parts), uniquingKeysWith: { $1 })
        }

        private static func parts(_ entry: String) -> (String, String)? {
            let parts = entry.split(separator: "=", maxSplits: 1).map(String.init)
            guard parts.count == 2, ["twitter", "citm", "canada"].contains(parts[0]) else {
                return nil
            }
            return (parts[0], parts[1])
        }
    }

    struct Compile: ParsableCommand {
        static let configuration = CommandConfiguration(
            abstract: "Check and emit specs of 10 to 1200 methods.")

        func run() throws { try CompilerBenchmark.run() }
    }

    struct Emitted: ParsableCommand {
        static let configuration = CommandConfiguration(
            abstract: "Compile 60 generated methods.")

        @Argument(help: "The folder of compiled modules, such as .build/debug/Modules.")
        var modules: String

        func run() throws { try CompilerBenchmark.emitted(methods: 60, modules: modules) }
    }

    struct APIs: ParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "apis", abstract: "Import, check, emit and compile whole APIs.",
            discussion: """
                Fails after an error or a warning of any step. Each step is measured as a process of \
                its own, whose start takes some 0.02 s and 20 MiB.

                  telex-bench apis openapi.yaml vk-api-schema --main-actor
                """)

        @Argument(
            help: ArgumentHelp(
                "Files in OpenAPI, and folders with the schema of the VK API.", valueName: "path"))
        var paths: [String]

        @Option(help: "The folder of compiled modules; those of this build by default.")
        var modules: String?

        @Flag(help: "Compile with optimization, too.")
        var release = false

        @Flag(help: "Compile for the main actor, with the upcoming features of Swift.")
        var mainActor = false

        func run() throws {
            let built = Bundle.main.bundleURL.appendingPathComponent("Modules").path
            let benchmark = APIBenchmark(
                modules: modules ?? built,
                modes: GeneratedClient.Mode.allCases.filter { $0 != .release || release },
                options: mainActor ? GeneratedClient.mainActor : [])
            try Bench.require(try benchmark.run(paths))
        }
    }

    /// A process of the benchmark of whole APIs.
    struct APIStepProcess: ParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: APIStep.command, shouldDisplay: false)

        @Argument var step: APIStep
        @Argument var input: String
        @Argument var output: String

        func run() throws { try step.run(from: input, to: output) }
    }

    struct Engine: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            abstract: "Measure the engine; fail if a goal is missed.")

        @Argument(
            help: ArgumentHelp(
                "One measurement instead of all: "
                    + EngineBenchmark.measurements.map(\.name).joined(separator: ", ") + "."))
        var name: String?

        func validate() throws {
            guard chosen.isEmpty else { return }
            let names = EngineBenchmark.measurements.map(\.name).joined(separator: ", ")
            throw ValidationError("There is no such measurement; there are \(names).")
        }

        func run() async throws { try Bench.require(await EngineBenchmark.run(chosen)) }

        private var chosen: [EngineBenchmark.Measurement] {
            EngineBenchmark.measurements.filter { name == nil || $0.name == name }.map(\.run)
        }
    }

    struct Simulate: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            abstract: "Run the simulated engine; fail if a schedule breaks a rule.")

        @Argument(help: "The seed of the first schedule.")
        var first: UInt64

        @Argument(help: "The seed after that of the last schedule.")
        var last: UInt64

        func validate() throws {
            if first >= last { throw ValidationError("Give the lower seed first.") }
        }

        func run() async throws {
            try Bench.require(await SimulationBenchmark.run(seeds: first..<last))
        }
    }

    struct Soak: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            abstract: "Run all kinds of operations at once against faulty servers.",
            discussion: "Fails if anything is left over, or a kind of operation did not run.")

        @Option(help: "How long, at most a day (1440).")
        var minutes = 3.0

        func validate() throws {
            guard minutes > 0, minutes <= 1440 else {
                throw ValidationError("--minutes is more than 0, and at most 1440.")
            }
        }

        func run() async throws { try Bench.require(await SoakBenchmark.run(minutes: minutes)) }
    }

    /// The process that the download benchmark kills.
    struct DownloadUntilKilled: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: DownloadProcess.command, shouldDisplay: false)

        @Argument var authority: String
        @Argument var path: String

        func run() async throws {
            try Bench.require(await DownloadProcess.run(from: authority, to: path))
        }
    }
}

@main
enum Main {
    /// Runs commands that are not `async` on the main thread. An `async` main would leave it on Linux.
    static func main() {
        do {
            var command = try Bench.parseAsRoot()
            guard command is any AsyncParsableCommand else { return try command.run() }
        } catch {
            Bench.exit(withError: error)
        }
        Task {
            await Bench.main()
            Bench.exit()
        }
        dispatchMain()
    }
}

/// A benchmark that could not be run.
struct BenchmarkFailure: Error, CustomStringConvertible {
    let description: String

    init(_ description: String) { self.description = description }
}
