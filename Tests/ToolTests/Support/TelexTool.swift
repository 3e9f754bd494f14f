import Foundation
import ProcessSupport

/// The executable that was built with these tests.
enum TelexTool {
    /// Its path.
    static let path = BuiltProgram.path(named: "telex")

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
            path, arguments, in: folder.url,
            // Otherwise the form of diagnostics would depend on where the tests run.
            environment: ["GITHUB_ACTIONS": ""].merging(environment) { $1 })
    }
}
