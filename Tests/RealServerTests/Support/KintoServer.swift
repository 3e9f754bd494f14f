import Testing

/// A Kinto server with everything in memory.
enum KintoServer {
    /// Runs a server while `body` runs, which gets the address of its API.
    static func run<Value: Sendable>(
        _ body: @Sendable (String) async throws -> Value
    ) async throws -> Value {
        let folder = try TemporaryFolder()
        let python = try #require(await InstalledServers.kintoPython)
        return try await ServerProcess.run(
            [python, "-B", serverFile("kinto_server.py"), folder.place("port")], in: folder,
            until: { folder.size("port") > 0 }
        ) {
            let port = String(decoding: try folder.read("port"), as: UTF8.self)
            return try await body("http://127.0.0.1:\(port)/v1/")
        }
    }
}
