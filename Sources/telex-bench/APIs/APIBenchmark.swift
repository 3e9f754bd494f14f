import Foundation
import SpecImport

/// Imports whole APIs, compiles their specs and the Swift that becomes of them, and measures each
/// step as a process of its own.
struct APIBenchmark {
    /// The folder of the runtime's compiled modules.
    let modules: String
    /// How the generated code is compiled.
    let modes: [GeneratedClient.Mode]
    /// Further options of the Swift compiler.
    let options: [String]

    /// - Returns: Whether every step of every API has succeeded, without a warning.
    func run(_ paths: [String]) throws -> Bool {
        var isSuccess = true
        for path in paths {
            do {
                try run(path)
            } catch let failure as BenchmarkFailure {
                Self.progress("")
                print("\(path): \(failure)")
                isSuccess = false
            }
        }
        return isSuccess
    }

    private func run(_ path: String) throws {
        let folder = FileManager.default.temporaryDirectory
            .appendingPathComponent("telex-bench-\(UUID().uuidString)").path
        defer { try? FileManager.default.removeItem(atPath: folder) }
        let (specs, code) = ("\(folder)/specs", "\(folder)/code")
        for name in [specs, code] {
            try FileManager.default.createDirectory(
                atPath: name, withIntermediateDirectories: true)
        }
        let name = URL(fileURLWithPath: path).lastPathComponent
        Self.progress("\(name): import, check, emit…")
        let input = URL(fileURLWithPath: path).path
        let imported = try Self.step(.import, input, specs)
        let numbers = imported.output.split(whereSeparator: \.isWhitespace).compactMap { Int($0) }
        let effects = ImportReport.Effect.allCases
        guard numbers.count == 3 + effects.count, numbers[0] > 0 else {
            throw BenchmarkFailure("no method was imported")
        }
        var rows = [("import", imported.usage)]
        rows.append(("check", try Self.step(.check, specs, code).usage))
        rows.append(("check + emit", try Self.step(.emit, specs, code).usage))
        var sizes: [String] = []
        let client = GeneratedClient(folder: code, modules: modules, options: options)
        for mode in modes {
            Self.progress("\(name): \(mode.rawValue)…")
            rows.append((mode.rawValue, try client.compile(mode)))
            if mode == .typecheck { continue }
            sizes.append("\(try client.codeSize() / numbers[0]) of code (\(mode.rawValue))")
        }
        let source = try client.files.map { file in
            let facts = try FileManager.default.attributesOfItem(atPath: "\(code)/\(file)")
            return facts[.size] as? Int ?? 0
        }.reduce(0, +)
        Self.progress("")
        print("\(name): \(numbers[0]) methods, \(numbers[1]) models")
        let losses = zip(effects, numbers.dropFirst(2)).map { "\($1) \($0.rawValue.lowercased())" }
        print(
            "  losses: \(losses.joined(separator: ", ")); \(numbers.last ?? 0) found by the audit")
        Self.show(rows)
        let bytes = (["\(source / numbers[0]) of source"] + sizes).joined(separator: ", ")
        print("  bytes per method: \(bytes)")
    }

    private static func show(_ rows: [(String, Usage)]) {
        print("                 CPU s  peak MiB")
        for (title, usage) in rows {
            let title = title.padding(toLength: 13, withPad: " ", startingAt: 0)
            let peak = Double(usage.peak) / 1_048_576
            print("  \(title)" + String(format: "%7.2f %9.0f", usage.seconds, peak))
        }
    }

    private static func step(
        _ step: APIStep, _ input: String, _ output: String
    ) throws -> (output: String, usage: Usage) {
        let program = Bundle.main.executablePath ?? CommandLine.arguments[0]
        do {
            return try Usage.of([program, APIStep.command, step.rawValue, input, output], in: "/")
        } catch is BenchmarkFailure {
            throw BenchmarkFailure("\(step.rawValue) failed")
        }
    }

    /// Replaces the line of progress, if there is a terminal.
    private static func progress(_ text: String) {
        guard isatty(2) != 0 else { return }
        FileHandle.standardError.write(Data("\r\u{1B}[K\(text)".utf8))
    }
}
