import Foundation
import Testing

@Suite("telex fmt")
struct FmtCommandTests {
    /// A folder of two specs, one of which is formatted.
    private func sandbox() throws -> Sandbox {
        let sandbox = try Sandbox.withSpec()
        try sandbox.write(
            "spec/goods.yaml", "methods: { list: { returns: [string], get: goods } }\n")
        try sandbox.write("other/api.yaml", "api: A\ntelex: 1\n")
        try sandbox.write("notes.yaml", "b:   1\n")
        return sandbox
    }

    private let formatted = "methods:\n  list: { get: goods, returns: [string] }\n"

    @Test("telex fmt writes what is not formatted, of all specs in a folder, and nothing else")
    func writes() async throws {
        let sandbox = try sandbox()
        try sandbox.write("real.yaml", try sandbox.read("spec/goods.yaml"))
        try sandbox.remove("spec/goods.yaml")
        try sandbox.link("spec/goods.yaml", to: "../real.yaml")
        let run = try await TelexTool.run("fmt", ".", in: sandbox)
        #expect(run.status == 0, "\(run.errors)")
        #expect(run.output + run.errors == "")
        #expect(try sandbox.read("real.yaml") == formatted)
        #expect(try sandbox.read("other/api.yaml") == "telex: 1\napi: A\n")
        #expect(try sandbox.read("notes.yaml") == "b:   1\n")
        try sandbox.age("other/api.yaml")
        let date = try sandbox.date("other/api.yaml")
        #expect(try await TelexTool.run("fmt", ".", in: sandbox).status == 0)
        #expect(try sandbox.date("other/api.yaml") == date)
    }

    @Test("telex fmt --check names the files, --diff shows the difference, and neither writes")
    func check() async throws {
        let sandbox = try sandbox()
        let check = try await TelexTool.run("fmt", "spec", "--check", in: sandbox)
        #expect(check.status == 1)
        #expect(
            check.errors == """
                spec/goods.yaml:1:1: error: the file is not formatted [T0812]
                spec/goods.yaml:1:1: note: help: run `telex fmt spec`

                """)
        let diff = try await TelexTool.run("fmt", "spec", "--diff", in: sandbox)
        #expect(diff.status == 0)
        #expect(diff.output.contains("\n+  list: { get: goods, returns: [string] }\n"))
        #expect(try sandbox.read("spec/goods.yaml") != formatted)
    }

    @Test("telex fmt reports a folder without a spec, and a file that it cannot read or write")
    func failures() async throws {
        let sandbox = try sandbox()
        try sandbox.write("empty/a.yaml", "a: 1\n")
        let none = try await TelexTool.run("fmt", "empty", in: sandbox)
        #expect(none.status == 1)
        #expect(none.errors.contains("the folder has no spec"))
        #expect(try await TelexTool.run("fmt", "missing", in: sandbox).status == 1)
        try sandbox.write("spec/bad.yaml", "a: [\n")
        let bad = try await TelexTool.run("fmt", "spec", in: sandbox)
        #expect(bad.status == 1)
        #expect(bad.errors.contains("spec/bad.yaml:"))
        #expect(try sandbox.read("spec/bad.yaml") == "a: [\n")
        #expect(try sandbox.read("spec/goods.yaml") == formatted)
    }
}
