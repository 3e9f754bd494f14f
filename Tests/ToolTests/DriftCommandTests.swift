import Foundation
import ProcessSupport
import Testing

@Suite("telex drift")
struct DriftCommandTests {
    private static let users = """
        methods:
          users.get: { get: users, returns: User }

        models:
          User: { id: int, age: int } # people

        """

    private func sandbox(_ reply: String) throws -> Sandbox {
        let sandbox = try Sandbox()
        try sandbox.write(
            "spec/api.yaml", "telex: 1\napi: Shop\nservers: { a: https://shop.example/v1/ }\n")
        try sandbox.write("spec/users.yaml", Self.users)
        let text = reply.replacing("\"", with: "\\\"")
        try sandbox.write(
            "a.har",
            """
            {"log": {"entries": [{"request": {"method": "GET", "url": "https://shop.example/v1/users"},
            "response": {"status": 200, "content": {"mimeType": "application/json", "text": "\(text)"}}}]}}
            """)
        return sandbox
    }

    private func run(_ arguments: String..., in sandbox: Sandbox) async throws -> Run {
        try await TelexTool.run(["drift"] + arguments + ["--spec", "spec"], in: sandbox)
    }

    @Test(
        "telex drift exits with 0 without drift, with 1 after drift, and with 2 for what it cannot read"
    )
    func exitCodes() async throws {
        let good = try sandbox(#"{"id": 1, "age": 2}"#)
        let run = try await run("a.har", in: good)
        #expect(run.output == "1 reply of 1 method: no drift\n")
        #expect(run.status == 0 && run.errors == "")
        let bad = try sandbox(#"{"id": 1, "age": null}"#)
        #expect(try await self.run("a.har", in: bad).status == 1)
        try bad.write("b.har", "{")
        for file in ["b.har", "none.har", "spec"] {
            let run = try await self.run(file, in: bad)
            #expect(run.status == 2, "\(file)")
            #expect(run.errors.contains("error:") && run.output == "", "\(file)")
        }
        try bad.write("spec/users.yaml", "methods: 1\n")
        #expect(try await self.run("a.har", in: bad).status == 2)
    }

    @Test("telex drift refuses a recording of more than 512 MiB without reading it")
    func tooLarge() async throws {
        let sandbox = try sandbox("{}")
        for (file, name) in [("a.har", "recording"), ("a.jsonl", "list of violations")] {
            try sandbox.write(file, "")
            let handle = try FileHandle(forWritingTo: sandbox.url.appending(path: file))
            // The file has no blocks on the disk.
            try handle.truncate(atOffset: 1 << 40)
            try handle.close()
            let run = try await run(file, in: sandbox)
            #expect(run.status == 2 && run.output == "", "a \(name)")
            #expect(
                run.errors.hasPrefix("\(file):1:1: error: the file has more than 512 MiB"),
                "\(run.errors)")
        }
    }

    @Test(
        "telex drift --heal changes nothing, and with --write the spec, whose traffic has no drift then"
    )
    func heal() async throws {
        let sandbox = try sandbox(#"{"id": 1, "age": null}"#)
        let shown = try await run("a.har", "--heal", in: sandbox)
        #expect(shown.status == 1)
        #expect(shown.output.contains("+  User: { id: int, age: int | null } # people\n"))
        #expect(try sandbox.read("spec/users.yaml") == Self.users)
        #expect(try await run("a.har", "--heal", "--write", in: sandbox).status == 0)
        #expect(try sandbox.read("spec/users.yaml").contains("age: int | null } # people\n"))
        #expect(try await run("a.har", in: sandbox).status == 0)
        #expect(try await run("a.har", "--write", in: sandbox).status == 64)
    }

    @Test("telex new --from-har writes a spec that is formatted, and whose traffic has no drift")
    func new() async throws {
        let sandbox = try sandbox(#"{"id": 1, "tags": ["a", null]}"#)
        let run = try await TelexTool.run("new", "shop", "--from-har", "a.har", in: sandbox)
        #expect(run.status == 0 && run.errors == "")
        for arguments in [
            ["check", "shop", "--strict"], ["fmt", "shop", "--check"],
            ["drift", "a.har", "--spec", "shop", "--strict-keys"],
        ] {
            let run = try await TelexTool.run(arguments, in: sandbox)
            #expect(run.status == 0, "\(arguments): \(run.output)\(run.errors)")
        }
        try sandbox.write("empty.har", "{\"log\": {\"entries\": []}}")
        let empty = try await TelexTool.run("new", "other", "--from-har", "empty.har", in: sandbox)
        #expect(empty.status == 1 && empty.errors.contains("no call of an API"))
        #expect(!FileManager.default.fileExists(atPath: sandbox.place("other").path))
    }
}
