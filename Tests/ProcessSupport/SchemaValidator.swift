public import Foundation

/// Python's `jsonschema` in a virtual environment of its own, as a second opinion.
public struct SchemaValidator: Sendable {
    /// The package in the build folder, installed when a test first needs it; nil if there is no
    /// Python, or no network.
    public static let installed = Task<SchemaValidator?, any Error> {
        try await SchemaValidator(in: SwiftToolchain.root.appendingPathComponent(".build"))
    }

    private let python: String

    private init?(in folder: URL) async throws {
        let environment = folder.appendingPathComponent("python")
        let made = try await Run.program(
            "/usr/bin/env", ["python3", "-m", "venv", environment.path])
        guard made.status == 0 else { return nil }
        python = environment.appendingPathComponent("bin/python").path
        let options = ["--quiet", "--disable-pip-version-check", "--retries", "1"]
        let installed = try await Run.program(
            python, ["-m", "pip", "install"] + options + ["jsonschema==4.26.0"])
        guard installed.status == 0 else { return nil }
    }

    /// Runs a program in Python in a folder.
    ///
    /// - Returns: The lines of its output.
    /// - Throws: A `SchemaValidatorError` if it fails.
    public func run(
        _ program: String, _ arguments: [String] = [], in folder: URL
    ) async throws -> [String] {
        try Data(program.utf8).write(to: folder.appendingPathComponent("check.py"))
        let run = try await Run.program(python, ["check.py"] + arguments, in: folder)
        guard run.status == 0 else { throw SchemaValidatorError(description: run.errors) }
        return run.output.split(separator: "\n", omittingEmptySubsequences: false).dropLast()
            .map(String.init)
    }
}

/// A program in Python that failed.
public struct SchemaValidatorError: Error, CustomStringConvertible {
    /// What it wrote to standard error.
    public let description: String
}
