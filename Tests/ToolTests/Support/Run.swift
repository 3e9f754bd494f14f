import Foundation
import GoldenSupport

/// What a process did.
struct Run: Sendable {
    let status: Int32
    let output: String
    let errors: String

    /// Runs a program to its end; what it prints goes through files, so nothing can block.
    static func program(
        _ program: String, _ arguments: [String], in folder: URL,
        environment: [String: String] = [:]
    ) async throws -> Run {
        let streams = try ["out", "err"].map { _ in try Stream() }
        let process = Process()
        process.executableURL = URL(fileURLWithPath: program)
        process.arguments = arguments
        process.currentDirectoryURL = folder
        process.environment = ProcessInfo.processInfo.environment.merging(environment) { $1 }
        process.standardInput = FileHandle.nullDevice
        process.standardOutput = streams[0].handle
        process.standardError = streams[1].handle
        try await withCheckedThrowingContinuation { (done: CheckedContinuation<Void, any Error>) in
            process.terminationHandler = { _ in done.resume() }
            do {
                try process.runAlone()
            } catch {
                process.terminationHandler = nil
                done.resume(throwing: error)
            }
        }
        return Run(
            status: process.terminationStatus, output: try streams[0].text(),
            errors: try streams[1].text())
    }

    /// A file that a process writes to.
    private struct Stream {
        let url = FileManager.default.temporaryDirectory
            .appendingPathComponent("telex-\(UUID().uuidString)")
        let handle: FileHandle

        init() throws {
            try Data().write(to: url)
            handle = try FileHandle(forWritingTo: url)
        }

        func text() throws -> String {
            try handle.close()
            defer { try? FileManager.default.removeItem(at: url) }
            return String(decoding: try Data(contentsOf: url), as: UTF8.self)
        }
    }
}

/// The executable that was built with these tests.
enum Tool {
    /// Its path: it lies in a folder around the test bundle, which is the process itself on Linux,
    /// and on a Mac an argument of the process or loaded into it.
    static let path: String? = {
        let starts = CommandLine.arguments.filter { $0.contains(".xctest") }
        let bundles = Bundle.allBundles.map(\.bundlePath).filter { $0.hasSuffix(".xctest") }
        return (starts + bundles).lazy.compactMap { find(around: $0) }.first
    }()

    private static func find(around path: String) -> String? {
        var folder = URL(fileURLWithPath: path)
        for _ in 0..<5 {
            folder.deleteLastPathComponent()
            let tool = folder.appendingPathComponent("telex").path
            var isFolder: ObjCBool = false
            let exists = FileManager.default.fileExists(atPath: tool, isDirectory: &isFolder)
            if exists, !isFolder.boolValue { return tool }
        }
        return nil
    }

    struct Missing: Error {}

    /// Runs `telex` with arguments.
    static func run(
        _ arguments: String..., in folder: Sandbox, environment: [String: String] = [:]
    ) async throws -> Run {
        guard let path else { throw Missing() }
        return try await Run.program(
            path, arguments, in: folder.url, environment: environment)
    }
}
