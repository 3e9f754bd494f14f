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
        for mode in ["-Onone", "-O"] {
            for name in try FileManager.default.contentsOfDirectory(atPath: folder.path)
            where name.hasSuffix(".o") {
                try FileManager.default.removeItem(at: folder.appendingPathComponent(name))
            }
            let absolute = URL(fileURLWithPath: modules).path
            let cost = try compile(files.map(\.name), mode: mode, in: folder, modules: absolute)
            let text = try textSize(of: files.map(\.name), in: folder)
            guard text > 0 else { throw BenchmarkFailure("no machine code was found") }
            print(
                String(
                    format: "%@ %d methods: %.2f CPU s, %.4f s and %.1f KB of text per method",
                    mode, count, cost, cost / Double(count),
                    Double(text) / 1024 / Double(count)))
        }
    }

    private static func compile(
        _ files: [String], mode: String, in folder: URL, modules: String
    ) throws -> Double {
        let before = childTime()
        var arguments = ["swiftc", mode, "-swift-version", "6", "-module-name", "BigClient"]
        arguments += mode == "-O" ? ["-wmo"] : ["-enable-batch-mode", "-j2"]
        arguments += ["-c", "-I", modules, "-warnings-as-errors"] + files
        try run(arguments, in: folder)
        return childTime() - before
    }

    /// The size of the machine code in bytes: all sections whose names begin with `.text`, or with
    /// `__text` on Apple's platforms.
    private static func textSize(of files: [String], in folder: URL) throws -> Int {
        let names = try FileManager.default.contentsOfDirectory(atPath: folder.path)
            .filter { $0.hasSuffix(".o") }
        let sections = try run(["size", "-A"] + names, in: folder).split(separator: "\n")
        return sections.filter { $0.hasPrefix(".text") || $0.hasPrefix("__text") }
            .compactMap { line in
                line.split(whereSeparator: \.isWhitespace).dropFirst().first.flatMap { Int($0) }
            }
            .reduce(0, +)
    }

    @discardableResult
    private static func run(_ arguments: [String], in folder: URL) throws -> String {
        let process = Process()
        process.executableURL = URL(fileURLWithPath: "/usr/bin/env")
        process.arguments = arguments
        process.currentDirectoryURL = folder
        let pipe = Pipe()
        process.standardOutput = pipe
        try process.run()
        let output = pipe.fileHandleForReading.readDataToEndOfFile()
        process.waitUntilExit()
        guard process.terminationStatus == 0 else {
            throw BenchmarkFailure("\(arguments[0]) failed")
        }
        return String(decoding: output, as: UTF8.self)
    }

    private static func childTime() -> Double {
        var usage = rusage()
        getrusage(children, &usage)
        return seconds(usage.ru_utime) + seconds(usage.ru_stime)
    }

    #if canImport(Glibc)
        private static let children = RUSAGE_CHILDREN.rawValue
    #else
        private static let children = RUSAGE_CHILDREN
    #endif

    private static func seconds(_ time: timeval) -> Double {
        Double(time.tv_sec) + Double(time.tv_usec) / 1e6
    }
}
