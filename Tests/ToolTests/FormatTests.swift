import Foundation
import ProcessSupport
import Testing

@Suite("Formats of diagnostics")
struct FormatTests {
    /// A spec with a mistake whose text is hostile.
    private func sandbox() throws -> Sandbox {
        let sandbox = try Sandbox.withSpec()
        try sandbox.write(
            "spec/goods.yaml",
            "methods: { list: { get: goods, \"<&]]>\\e[1m%0A::error\": 1 } }\n")
        return sandbox
    }

    @Test("a format of diagnostics is chosen by itself in GitHub Actions, and only there")
    func gitHub() async throws {
        let sandbox = try sandbox()
        let there = try await TelexTool.run(
            "check", "spec", in: sandbox, environment: ["GITHUB_ACTIONS": "true"])
        #expect(there.errors.hasPrefix("::error file=spec/goods.yaml,line=1,"))
        #expect(there.status == 1)
        let named = try await TelexTool.run(
            "check", "spec", "--format", "line", in: sandbox,
            environment: ["GITHUB_ACTIONS": "true"])
        let here = try await TelexTool.run("check", "spec", in: sandbox)
        #expect(here.errors.hasPrefix("spec/goods.yaml:1:"))
        #expect(named.errors == here.errors)
    }

    @Test("a format of diagnostics that is a document is valid on standard output")
    func documents() async throws {
        let sandbox = try sandbox()
        for format in ["json", "gitlab", "sarif"] {
            let run = try await TelexTool.run("check", "spec", "--format", format, in: sandbox)
            #expect(run.status == 1)
            #expect(run.errors == "")
            _ = try JSONSerialization.jsonObject(with: Data(run.output.utf8))
        }
    }

    @Test(
        "a format of diagnostics for JUnit is XML, whatever a spec says",
        .enabled("needs `python3`") {
            (try? await Run.program("/usr/bin/env", ["python3", "--version"]))?.status == 0
        })
    func xml() async throws {
        let sandbox = try sandbox()
        let run = try await TelexTool.run("check", "spec", "--format", "junit", in: sandbox)
        try sandbox.write("report.xml", run.output)
        let script = """
            import xml.etree.ElementTree as tree
            root = tree.parse("report.xml").getroot()
            print(root.get("failures"), root.find(".//failure").get("message"))
            """
        let read = try await Run.program(
            "/usr/bin/env", ["python3", "-c", script], in: sandbox.url)
        #expect(read.output.hasPrefix("1 unknown key `<&]]>"), "\(read.errors)")
    }

    @Test("a format that is no document leaves standard output to a difference")
    func difference() async throws {
        let sandbox = try Sandbox.withSpec()
        let arguments = ["generate", "spec", "--output", "out", "--diff", "--format"]
        for (format, status) in [("json", 64), ("junit", 64), ("github", 0)] as [(String, Int32)] {
            let run = try await TelexTool.run(arguments + [format], in: sandbox)
            #expect(run.status == status, "\(format)")
        }
    }
}
