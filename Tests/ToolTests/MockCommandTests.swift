import Foundation
import ProcessSupport
import TelexTesting
import Testing

@Suite("telex mock")
struct MockCommandTests {
    private static let api = "telex: 1\napi: Shop\nservers: { a: https://a.example/ }\n"

    private func sandbox() throws -> Sandbox {
        let sandbox = try Sandbox()
        try sandbox.write("spec/api.yaml", Self.api)
        try sandbox.write(
            "spec/things.yaml", "methods:\n  things.get: { get: things, returns: int }\n")
        return sandbox
    }

    @Test("telex mock says which port is in use, and which other one to choose")
    func port() async throws {
        let other = try LoopbackServer { _ in .text("ok") }
        defer { other.stop() }
        let run = try await TelexTool.run(
            "mock", "spec", "--port", "\(other.port)", in: try sandbox())
        #expect(run.status == 1)
        #expect(run.errors.contains("127.0.0.1:\(other.port) cannot be used"), "\(run.errors)")
        #expect(run.errors.contains("--port 0"))
    }

    @Test("telex mock serves no spec with errors, and reports them")
    func errors() async throws {
        let sandbox = try sandbox()
        try sandbox.write(
            "spec/things.yaml", "methods:\n  things.get: { get: things, returns: Nix }\n")
        let run = try await TelexTool.run("mock", "spec", in: sandbox)
        #expect(run.status == 1)
        #expect(run.errors.contains("Nix"), "\(run.errors)")
        let missing = try await TelexTool.run("mock", "nowhere", in: sandbox)
        #expect(missing.status == 1 && missing.errors.contains("no such folder"))
    }

    @Test(
        "telex mock refuses options that it cannot read",
        arguments: [
            ["--port", "70000"], ["--host", "a.example"], ["--delay", "soon"], ["--limit", "3"],
            ["--fault", "nothing:5%"], ["--token-life", "60"], ["--record", "out"],
            ["--upstream", "a.example"],
        ])
    func options(arguments: [String]) async throws {
        let run = try await TelexTool.run(["mock", "spec"] + arguments, in: try sandbox())
        #expect(run.status == 64, "\(run.errors)")
    }

    @Test("telex mock lists the faults by their names")
    func faults() async throws {
        let run = try await TelexTool.run("mock", "spec", "--fault", "list", in: try sandbox())
        #expect(run.status == 0)
        #expect(run.output.split(separator: "\n").contains("reset in the body at byte 4"))
    }

    @Test(
        "telex mock serves, reads a changed spec, keeps the last good one, and ends with a summary",
        .enabled("curl is not installed") {
            try await Run.program("/usr/bin/env", ["curl", "--version"]).status == 0
        })
    func serves() async throws {
        let sandbox = try sandbox()
        let tool = try #require(TelexTool.path)
        // Each step of the script waits for the line that the step before brings about.
        let script = """
            "$TOOL" mock spec --port 0 > out 2> err & P=$!
            await() { until grep -q "$1" "$2" 2>/dev/null; do kill -0 $P || exit 1; done; }
            await "methods\\? at" out
            U=$(sed -n 's/.* at //p' out)
            curl -s $U/things > first
            printf 'methods: {' > spec/things.yaml
            await "is still served" err
            curl -s $U/things > second
            printf 'methods:\\n  things.get: { get: things, returns: bool }\\n' > spec/things.yaml
            await "from now on" err
            curl -s $U/things > third
            kill -INT $P; wait $P; cat out
            """
        let run = try await Run.program(
            "/bin/bash", ["-c", script], in: sandbox.url, environment: ["TOOL": tool])
        #expect(run.output.contains("3 requests (200: 3)"), "\(run.output) \(run.errors)")
        let replies = try ["first", "second", "third"].map { try sandbox.read($0) }
        #expect(replies[0] == replies[1] && Int(replies[0]) != nil)
        #expect(replies[2] == "true" || replies[2] == "false")
    }
}
