import Foundation
import TelexCompiler

/// Measures the compiler and the compile time of its output.
enum CompilerBenchmark {
    /// Checks and emits specs of growing size, and one in which a line of documentation was edited. The
    /// time per method should stay constant.
    ///
    /// - Throws: If a spec does not compile.
    static func run() throws {
        print("methods   YAML KB   Swift KB   check ms   check + emit ms   µs per method   edit ms")
        for count in [10, 150, 600, 1200] {
            let folder = SyntheticSpec.folder(methods: count)
            let input = folder.files.map(\.bytes.count).reduce(0, +)
            let files = TelexCompiler.compile(folder).files
            let output = files.map(\.text.utf8.count).reduce(0, +)
            guard output > 0 else { throw BenchmarkFailure("\(count) methods were not compiled") }
            let outputs = files.map {
                OutputChanges.Existing(name: $0.name, bytes: Array($0.text.utf8))
            }
            let edit = edit(of: folder, outputs)
            guard edit()?.changes.count == 1 else {
                throw BenchmarkFailure("after an edit, all \(count) methods were compiled")
            }
            let check = best { _ = TelexCompiler.check(folder) }
            let emit = best { _ = TelexCompiler.compile(folder) }
            let edited = best { _ = edit() }
            print(
                String(
                    format: "%7d %9d %10d %10.1f %17.1f %15.0f %9.1f", count, input / 1024,
                    output / 1024, check * 1e3, emit * 1e3, emit / Double(count) * 1e6, edited * 1e3
                ))
        }
    }

    /// Changes a line of documentation, and makes the files of it.
    private static func edit(
        of folder: SpecFolder, _ outputs: [OutputChanges.Existing]
    ) -> () -> EditedOutputs? {
        var files = folder.files
        let text = String(decoding: files[1].bytes, as: UTF8.self)
        let new = text.replacing("newest first", with: "oldest first", maxReplacements: 1)
        files[1].bytes = Array(new.utf8)
        return { EditedOutputs(of: outputs, from: folder.files, to: files, parts: nil) }
    }

    private static func best(_ body: () -> Void) -> Double {
        var best = Double.infinity
        for _ in 0..<5 {
            let start = ContinuousClock.now
            body()
            let time = ContinuousClock.now - start
            best = min(best, time / .seconds(1))
        }
        return best
    }

    // MARK: Emitted code

    /// Compiles generated code, unoptimized and optimized. Prints CPU seconds and bytes of machine
    /// code per method. `modules` is the folder with the runtime's compiled modules.
    static func emitted(methods count: Int, modules: String) throws {
        let folder = FileManager.default.temporaryDirectory
            .appendingPathComponent("telex-bench-\(UUID().uuidString)")
        defer { try? FileManager.default.removeItem(at: folder) }
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        let files = TelexCompiler.compile(SyntheticSpec.folder(methods: count)).files
        for file in files {
            let url = folder.appendingPathComponent(file.name)
            try file.text.write(to: url, atomically: true, encoding: .utf8)
        }
        let client = GeneratedClient(folder: folder.path, modules: modules)
        for mode in [GeneratedClient.Mode.debug, .release] {
            let cost = try client.compile(mode).seconds
            print(
                String(
                    format: "%@ %d methods: %.2f CPU s, %.4f s and %.1f KB of text per method",
                    mode.rawValue, count, cost, cost / Double(count),
                    Double(try client.codeSize()) / 1024 / Double(count)))
        }
    }
}
