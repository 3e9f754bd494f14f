/// A Kinto server with everything in memory.
enum KintoServer {
    /// Runs a server while `body` runs, which gets the address of its API.
    static func run<Value: Sendable>(
        _ body: @Sendable (String) async throws -> Value
    ) async throws -> Value {
        let python = await InstalledServers.kintoPython
        return try await PythonServer.run("kinto_server.py", with: python) { address, _ in
            try await body("\(address)v1/")
        }
    }
}
