public import Foundation
import Subprocess

#if canImport(System)
    import System
#else
    import SystemPackage
#endif

/// What a process did.
public struct Run: Sendable {
    /// What it exited with; minus the signal's number when a signal ended it.
    public let status: Int32
    /// What it wrote to its standard output.
    public let output: String
    /// What it wrote to its standard error output.
    public let errors: String

    /// Runs a program to its end.
    ///
    /// - Parameters:
    ///   - program: Its path.
    ///   - arguments: What it is called with.
    ///   - folder: Where it runs.
    ///   - environment: Variables it has besides those of this process.
    /// - Throws: When it cannot be started, or writes more than 64 MiB.
    public static func program(
        _ program: String, _ arguments: [String],
        in folder: URL = FileManager.default.temporaryDirectory,
        environment: [String: String] = [:]
    ) async throws -> Run {
        let variables = environment.map { (Environment.Key(stringLiteral: $0), $1 as String?) }
        let result = try await run(
            .path(FilePath(program)), arguments: Arguments(arguments),
            environment: .inherit.updating(Dictionary(uniqueKeysWithValues: variables)),
            workingDirectory: FilePath(folder.path),
            output: .string(limit: mostOutput), error: .string(limit: mostOutput))
        let status =
            switch result.terminationStatus {
            case .exited(let code): code
            case .signaled(let signal): -signal
            }
        return Run(
            status: status, output: result.standardOutput, errors: result.standardError)
    }

    private static let mostOutput = 64 << 20
}
