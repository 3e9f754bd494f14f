import Foundation
import TelexTesting
import Testing

/// An nginx of one test, configured by `nginx.conf`.
struct Nginx: Sendable {
    /// One request in the access log.
    struct Line: Decodable, Sendable {
        /// The time of its end, in seconds since 1970.
        let time: Double
        let status: Int
        let method: String
        let target: String
        /// Fields of the request; empty without them.
        let range: String
        let ifRange: String
        let length: String
        let coding: String
        /// `Content-Encoding` of the reply; empty without it.
        let encoding: String
    }

    let folder: TemporaryFolder
    let address: String

    /// Runs nginx as long as `body` runs.
    static func run<Value: Sendable>(
        _ body: (Nginx) async throws -> Value
    ) async throws -> Value {
        var problem: (any Error)?
        // Another process may take the port before nginx.
        for _ in 0..<5 {
            let folder = try TemporaryFolder()
            let nginx = Nginx(folder: folder, address: try prepare(folder))
            var hasBegun = false
            do {
                let program = try #require(InstalledServers.nginx)
                return try await ServerProcess.run(
                    [program, "-p", folder.path, "-c", folder.place("nginx.conf")],
                    in: folder, until: { folder.size("nginx.pid") > 0 }
                ) {
                    hasBegun = true
                    return try await body(nginx)
                }
            } catch {
                if hasBegun { throw error }
                problem = error
            }
        }
        throw problem ?? ServerError(description: "nginx has not been started")
    }

    /// Writes the configuration.
    ///
    /// - Returns: The address at which nginx will listen.
    private static func prepare(_ folder: TemporaryFolder) throws -> String {
        let port = try ServerProcess.freePort()
        for name in ["data/files", "data/written", "temporary"] { try folder.makeFolder(name) }
        // Without `user`, workers that root starts run as another user, and cannot write.
        let user = geteuid() == 0 ? "user \(NSUserName());" : ""
        let text = try String(contentsOfFile: serverFile("nginx.conf"), encoding: .utf8)
            .replacingOccurrences(of: "{user}", with: user)
            .replacingOccurrences(of: "{port}", with: "\(port)")
        try folder.write("nginx.conf", Data(text.utf8))
        return "http://127.0.0.1:\(port)/"
    }

    /// Closes all connections, and continues to serve.
    func cut() throws {
        let text = String(decoding: try folder.read("nginx.pid"), as: UTF8.self)
        let process = try #require(Int32(text.trimmingCharacters(in: .whitespacesAndNewlines)))
        kill(process, SIGHUP)
    }

    /// The requests logged so far.
    var log: [Line] {
        get throws {
            let lines = try folder.read("access.log").split(separator: UInt8(ascii: "\n"))
            return try lines.map { try JSONDecoder().decode(Line.self, from: Data($0)) }
        }
    }

    /// The log once it has `count` lines. nginx writes a line shortly after it has sent the reply.
    func log(ofLength count: Int) async throws -> [Line] {
        try await waitUntil { try log.count >= count }
        return try log
    }
}
