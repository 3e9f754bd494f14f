import Foundation
import Testing

/// A server that is a file of `Servers` in Python, and writes the port that it gets.
enum PythonServer {
    /// Runs a server while `body` runs, which gets its address and its folder.
    static func run<Value: Sendable>(
        _ file: String, with python: String?,
        _ body: (_ address: String, _ folder: TemporaryFolder) async throws -> Value
    ) async throws -> Value {
        let folder = try TemporaryFolder()
        // Without `-B`, Python would write into the source folder.
        return try await ServerProcess.run(
            [try #require(python), "-B", serverFile(file), folder.place("port")], in: folder,
            until: { folder.size("port") > 0 }
        ) {
            let port = String(decoding: try folder.read("port"), as: UTF8.self)
            return try await body("http://127.0.0.1:\(port)/", folder)
        }
    }
}
