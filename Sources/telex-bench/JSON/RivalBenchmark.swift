import Foundation

/// Compares the mapping of the documents with that by libraries of other languages.
enum RivalBenchmark {
    /// - Parameter files: The real files to read in place of generated documents, by name.
    /// - Throws: If a document could not be read, or a rival reads other values than Telex.
    static func run(files: [String: String]) throws {
        let documents = try Documents.all(files: files)
        let folder = FileManager.default.temporaryDirectory
            .appendingPathComponent("telex-bench-\(getpid())")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(at: folder) }
        for document in documents {
            try document.check()
            try Data(document.bytes).write(to: folder.appendingPathComponent(document.name))
        }
        print("CPU time as a multiple of Telex")
        let names = documents.map { column($0.name) }
        print(" ".padding(toLength: 12, withPad: " ", startingAt: 0), names.joined())
        for rival in Rival.all {
            let label = rival.name.padding(toLength: 12, withPad: " ", startingAt: 0)
            do {
                let command = try rival.build(folder)
                let ratios = try documents.map { document in
                    column(String(format: "%.2f", try ratio(of: document, command, folder)))
                }
                print(label, ratios.joined())
            } catch let reason as Rival.Missing {
                print(label, "skipped:", reason.description)
            }
        }
    }

    private static func column(_ text: String) -> String {
        String(repeating: " ", count: max(13 - text.count, 1)) + text
    }

    /// The time of a rival as a multiple of Telex: the best of rounds that alternate.
    private static func ratio(
        of document: any MeasuredDocument, _ command: [String], _ folder: URL
    ) throws -> Double {
        var best = (telex: Double.infinity, rival: Double.infinity)
        for _ in 0..<3 {
            for _ in 0..<5 { best.telex = min(best.telex, try document.readingTime()) }
            let path = folder.appendingPathComponent(document.name).path
            let printed = try Rival.output(of: command + [document.name, path])
            let numbers = printed.split(whereSeparator: \.isWhitespace).compactMap { Double($0) }
            let sum = try document.checksum()
            guard numbers.count == 2, abs(numbers[1] - sum) <= 1e-9 * abs(sum) else {
                throw BenchmarkFailure("\(command) \(document.name): \(printed) instead of \(sum)")
            }
            best.rival = min(best.rival, numbers[0])
        }
        return best.rival / best.telex
    }
}

/// A library of another language, and how a program with it is built.
private struct Rival {
    /// Why a rival is left out.
    struct Missing: Error {
        let description: String
    }

    let name: String
    /// Builds the program in a folder and returns how to start it.
    let build: (URL) throws -> [String]

    static var all: [Rival] {
        [
            Rival(name: "simdjson", build: simdjson), Rival(name: "serde_json", build: serde),
            Rival(name: "msgspec", build: msgspec),
        ]
    }

    private static func simdjson(in folder: URL) throws -> [String] {
        let source = folder.appendingPathComponent("simdjson.cpp")
        try Data(PackageResources.simdjson_cpp).write(to: source)
        let program = folder.appendingPathComponent("simdjson").path
        try make("a C++ compiler and libsimdjson-dev") {
            try output(of: [
                "c++", "-std=c++17", "-O3", "-march=native", "-o", program, source.path,
                "-lsimdjson",
            ])
        }
        return [program]
    }

    /// Takes the crates from Debian's packages, if those are installed, and from crates.io otherwise.
    private static func serde(in folder: URL) throws -> [String] {
        let manifest = """
            [package]
            name = "rival"
            version = "1.0.0"
            edition = "2021"
            [[bin]]
            name = "rival"
            path = "serde_json.rs"
            [dependencies]
            serde = { version = "1", features = ["derive"] }
            # Without it, some numbers are rounded to a neighbour of the nearest double.
            serde_json = { version = "1", features = ["float_roundtrip"] }
            [profile.release]
            lto = true
            codegen-units = 1
            """
        let package = folder.appendingPathComponent("serde")
        try FileManager.default.createDirectory(at: package, withIntermediateDirectories: true)
        try Data(manifest.utf8).write(to: package.appendingPathComponent("Cargo.toml"))
        try Data(PackageResources.serde_json_rs)
            .write(to: package.appendingPathComponent("serde_json.rs"))
        var command = ["cargo", "build", "--release", "--manifest-path"]
        command.append(package.appendingPathComponent("Cargo.toml").path)
        let crates = "/usr/share/cargo/registry"
        if FileManager.default.fileExists(atPath: crates) {
            command += ["--offline", "--config", "source.crates-io.replace-with=\"debian\""]
            command += ["--config", "source.debian.directory=\"\(crates)\""]
        }
        try make("cargo, and crates.io or librust-serde-json-dev and librust-serde-derive-dev") {
            try output(of: command)
        }
        return [package.appendingPathComponent("target/release/rival").path]
    }

    private static func msgspec(in folder: URL) throws -> [String] {
        let source = folder.appendingPathComponent("msgspec.py")
        try Data(PackageResources.msgspec_py).write(to: source)
        let environment = folder.appendingPathComponent("venv").path
        try make("Python 3.10 with venv, and msgspec from PyPI") {
            try output(of: ["python3", "-m", "venv", environment])
            return try output(of: ["\(environment)/bin/pip", "install", "--quiet", "msgspec"])
        }
        return ["\(environment)/bin/python", source.path]
    }

    private static func make(_ needed: String, _ body: () throws -> String) throws {
        do { _ = try body() } catch let failure as BenchmarkFailure {
            let lines = failure.description.split(separator: "\n")
            let cause = lines.first { $0.contains("error") } ?? lines.last ?? ""
            throw Missing(description: "needs \(needed) (\(cause.prefix(120)))")
        }
    }

    /// - Throws: What the command printed, if it did not succeed.
    @discardableResult
    static func output(of command: [String]) throws -> String {
        let process = Process()
        process.executableURL = URL(fileURLWithPath: "/usr/bin/env")
        process.arguments = command
        let pipe = Pipe()
        process.standardOutput = pipe
        process.standardError = pipe
        try process.run()
        let bytes = pipe.fileHandleForReading.readDataToEndOfFile()
        process.waitUntilExit()
        let text = String(decoding: bytes, as: UTF8.self)
        guard process.terminationStatus == 0 else { throw BenchmarkFailure(text) }
        return text
    }
}
