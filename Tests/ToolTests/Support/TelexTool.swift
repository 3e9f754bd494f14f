import Foundation
import TestSupport

/// The executable that was built with these tests.
enum TelexTool {
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
        try await run(arguments, in: folder, environment: environment)
    }

    /// Runs `telex` with arguments.
    static func run(
        _ arguments: [String], in folder: Sandbox, environment: [String: String] = [:]
    ) async throws -> Run {
        guard let path else { throw Missing() }
        return try await Run.program(
            path, arguments, in: folder.url, environment: environment)
    }
}
