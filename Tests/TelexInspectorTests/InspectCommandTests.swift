import Foundation
import ProcessSupport
import TelexTesting
import Testing

@Suite("telex inspect")
struct InspectCommandTests {
    private static let root = URL(filePath: #filePath)
        .deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()

    private static func run(_ arguments: String...) async throws -> Run {
        let tool = try #require(BuiltProgram.path(named: "telex"))
        return try await Run.program(tool, ["inspect"] + arguments, in: root)
    }

    private struct Session: Decodable {
        let shown: String
        let code: String?
        let without: Int
        let page: Bool
        let sent: Int
        let large: Int
        let call: String
    }

    private static func session(_ arguments: String...) async throws -> Session {
        let tool = try #require(BuiltProgram.path(named: "telex"))
        let script = "Tests/TelexInspectorTests/Browser/command.py"
        let run = try await Run.program(
            "/usr/bin/env", ["python3", "-B", script, tool] + arguments, in: root)
        try #require(run.status == 0, "\(run.output) \(run.errors)")
        return try JSONDecoder().decode(Session.self, from: Data(run.output.utf8))
    }

    @Test(
        "telex inspect prints its address, takes calls, and names the lines of a spec", .withPython)
    func session() async throws {
        let session = try await Self.session("--spec", "specs/gallery")
        #expect(session.shown.wholeMatch(of: /http:\/\/127\.0\.0\.1:\d+\//) != nil)
        #expect(session.without == 200 && session.page && session.sent == 204)
        // A body that is declared as 1 GiB, of which no byte is sent.
        #expect(session.large == 413)
        let yaml = try String(
            contentsOf: Self.root.appending(path: "specs/gallery/pictures.yaml"), encoding: .utf8)
        let lines = yaml.components(separatedBy: "\n")
        let line = try #require(lines.lastIndex { $0.hasPrefix("      title: ") }) + 1
        #expect(session.call.contains("\"place\":\"specs/gallery/pictures.yaml:\(line):7\""))
    }

    @Test(
        "telex inspect with a host prints a pairing code, and answers nothing without it",
        .withPython)
    func pairing() async throws {
        let session = try await Self.session("--host", "127.0.0.1")
        let code = try #require(session.code)
        #expect(session.shown.hasSuffix("/?code=\(code)"))
        #expect(session.without == 401 && session.page && session.sent == 204)
    }

    @Test("telex inspect says that its port is in use, and what to do")
    func port() async throws {
        let server = try LoopbackServer { _ in .text("") }
        defer { server.stop() }
        let run = try await Self.run("--port", "\(server.port)")
        #expect(run.status == 1)
        #expect(run.errors.contains("127.0.0.1:\(server.port) cannot be used"))
        #expect(run.errors.contains("choose another: --port"))
    }

    @Test("telex inspect refuses ports, addresses and specs that are none")
    func invalid() async throws {
        let port = try await Self.run("--port", "70000")
        #expect(port.status == 64 && port.errors.contains("70000 is not between 0 and 65535"))
        let host = try await Self.run("--host", "the Mac")
        #expect(host.status == 64 && host.errors.contains("--host is an IPv4 address"))
        let spec = try await Self.run("--spec", "specs/none")
        #expect(spec.status == 1 && spec.errors.contains("no such folder"))
        let empty = try await Self.run("--spec", "")
        #expect(empty.status == 64 && empty.errors.contains("--spec is empty"))
    }
}

extension Trait where Self == ConditionTrait {
    /// Skips tests without Python.
    static var withPython: Self {
        .enabled("python3 is not installed") {
            let run = try? await Run.program("/usr/bin/env", ["python3", "--version"])
            return run?.status == 0
        }
    }
}
