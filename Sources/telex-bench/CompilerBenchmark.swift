import Foundation
import TelexCompiler

/// Measures the compiler and the compile time of its output.
enum CompilerBenchmark {
    /// Checks and emits specs of growing size. The time per method should stay constant.
    ///
    /// - Throws: If a spec does not compile.
    static func run() throws {
        print("methods   YAML KB   Swift KB   check ms   check + emit ms   µs per method")
        for count in [10, 150, 600, 1200] {
            let folder = SyntheticSpec.folder(methods: count)
            let input = folder.files.map(\.bytes.count).reduce(0, +)
            let output = TelexCompiler.compile(folder).files.map(\.text.utf8.count).reduce(0, +)
            guard output > 0 else { throw BenchmarkFailure("\(count) methods were not compiled") }
            let check = best { _ = TelexCompiler.check(folder) }
            let emit = best { _ = TelexCompiler.compile(folder) }
            print(
                String(
                    format: "%7d %9d %10d %10.1f %17.1f %15.0f", count, input / 1024,
                    output / 1024, check * 1e3, emit * 1e3, emit / Double(count) * 1e6))
        }
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
