import Foundation
import ProcessSupport
import Testing

@Suite("Files for teams")
struct TeamFilesTests {
    private static let root = URL(fileURLWithPath: #filePath)
        .deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()

    private static func text(_ path: String) throws -> String {
        try String(contentsOf: root.appendingPathComponent(path), encoding: .utf8)
    }

    @Test(
        "files for teams call telex with commands and options that there are",
        arguments: [
            ".pre-commit-hooks.yaml", ".github/actions/telex/action.yml", ".github/AGENTS.md",
            "Sources/TelexCompiler/TelexCompiler.docc/InCI.md",
            "Sources/TelexCompiler/TelexCompiler.docc/Formatting.md",
            "Sources/TelexCompiler/TelexCompiler.docc/EditorSchema.md",
        ])
    func commands(file: String) async throws {
        let calls = try Self.text(file).matches(
            of:
                /telex (check|fmt|generate|breaking|schema|explain|new|import openapi)\b([^`\n|;&]*)/
        )
        #expect(calls.count >= 3)
        for call in calls {
            let help = try await TelexTool.run(
                call.output.1.split(separator: " ").map(String.init) + ["--help"], in: Sandbox())
            #expect(help.status == 0)
            for option in call.output.2.matches(of: /--[a-z-]+/).map(\.output) {
                #expect(help.output.contains("\(option)"), "\(call.output.0)")
            }
        }
    }

    @Test("files for teams name the products and targets of the package")
    func targets() throws {
        let manifest = try Self.text("Package.swift")
        let line = try #require(
            try Self.text(".spi.yml").firstMatch(of: /targets: \[([^\]]*)\]/)?.1)
        for target in line.split(separator: ",") {
            let name = target.trimmingCharacters(in: .whitespaces)
            #expect(manifest.contains("name: \"\(name)\""), "\(name)")
        }
    }

    @Test(
        "files for teams are YAML that others read",
        .enabled("needs Python's `yaml`") {
            (try? await Run.program("/usr/bin/env", ["python3", "-c", "import yaml"]))?.status == 0
        })
    func yaml() async throws {
        let script = """
            import yaml
            hooks = yaml.safe_load(open(".pre-commit-hooks.yaml"))
            action = yaml.safe_load(open(".github/actions/telex/action.yml"))
            assert all({"id", "name", "entry", "language"} <= set(hook) for hook in hooks)
            assert action["runs"]["using"] == "composite"
            assert all("shell" in step for step in action["runs"]["steps"])
            assert yaml.safe_load(open(".spi.yml"))["version"] == 1
            """
        let run = try await Run.program("/usr/bin/env", ["python3", "-c", script], in: Self.root)
        #expect(run.status == 0, "\(run.errors)")
    }

    @Test("files for teams have steps that Bash reads")
    func bash() async throws {
        let lines = try Self.text(".github/actions/telex/action.yml")
            .split(separator: "\n", omittingEmptySubsequences: false)
        var scripts: [String] = []
        for (index, line) in lines.enumerated() where line.hasSuffix("run: |") {
            let body = lines[(index + 1)...].prefix { $0.hasPrefix("        ") }
            scripts.append(body.map { $0.dropFirst(8) }.joined(separator: "\n"))
        }
        #expect(scripts.count == 4)
        for script in scripts {
            // Text of a workflow in a script would be code.
            #expect(!script.contains("${{"))
            let run = try await Run.program("/usr/bin/env", ["bash", "-n", "-c", script])
            #expect(run.status == 0, "\(run.errors)")
        }
    }

    @Test("telex writes its own completions", arguments: ["zsh", "bash", "fish"])
    func completions(shell: String) async throws {
        let run = try await TelexTool.run("--generate-completion-script", shell, in: Sandbox())
        #expect(run.status == 0)
        #expect(run.output.contains("breaking"))
    }
}
