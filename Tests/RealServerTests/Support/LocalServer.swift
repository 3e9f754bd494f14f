import Foundation
import Testing

/// A server that a program of this machine runs at a free port, for one test.
struct LocalServer: Sendable {
    /// The name of the program.
    let program: String
    /// Its arguments. `{port}` is the port, and `{folder}` the folder of the server.
    let arguments: [String]
    /// Files in the folder by name, with the same places for the port and the folder.
    var files: [String: String] = [:]

    /// Runs the server as long as `body` runs, which gets its address.
    func run<Value: Sendable>(
        _ body: (_ address: String) async throws -> Value
    ) async throws -> Value {
        let folder = try TemporaryFolder()
        let port = try ServerProcess.freePort()
        let fill = { (text: String) in
            text.replacingOccurrences(of: "{port}", with: "\(port)")
                .replacingOccurrences(of: "{folder}", with: folder.path)
        }
        for (name, text) in files { try folder.write(name, Data(fill(text).utf8)) }
        let path = try #require(InstalledServers.program(program))
        return try await ServerProcess.run(
            [path] + arguments.map(fill), in: folder,
            until: { ServerProcess.isListening(port: port) }
        ) {
            try await body("http://127.0.0.1:\(port)/")
        }
    }
}
