import Foundation
import ProcessSupport
import TestSupport
import Testing

/// The commands of the page "Tools for templates", with what they print.
@Suite("The page on tools for templates")
struct TemplateToolsPageTests {
    private static let page = URL(fileURLWithPath: #filePath)
        .deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()
        .appendingPathComponent("Sources/TelexCompiler/TelexCompiler.docc/TemplateTools.md")

    /// A command, and the lines below it.
    private struct Step {
        let command: String
        var output = ""
    }

    private func steps(_ text: String) -> [Step] {
        var steps: [Step] = []
        var isConsole = false
        for line in text.split(separator: "\n", omittingEmptySubsequences: false) {
            if line.hasPrefix("```") {
                isConsole = line == "```console"
            } else if isConsole, line.hasPrefix("$ ") {
                steps.append(Step(command: String(line.dropFirst(2))))
            } else if isConsole {
                steps[steps.count - 1].output += line + "\n"
            }
        }
        return steps
    }

    @Test("the page on tools for templates shows commands that print what it shows")
    func commands() async throws {
        let page = try SpecPage(Self.page)
        let sandbox = try Sandbox()
        for (name, text) in try #require(page.folders["specs"]) {
            try sandbox.write("specs/\(name)", text)
        }
        let steps = steps(page.text)
        try #require(steps.count > 10)
        for step in steps {
            let words = step.command.split(separator: " ").map(String.init)
            if words[0] == "cat" {
                // The first sight of a file is its content.
                guard FileManager.default.fileExists(atPath: sandbox.place(words[1]).path) else {
                    try sandbox.write(words[1], step.output)
                    continue
                }
                #expect(try sandbox.read(words[1]) == step.output, "\(step.command)")
                continue
            }
            try #require(words[0] == "telex")
            let run = try await TelexTool.run(Array(words.dropFirst()), in: sandbox)
            // Notes and help are left out of the page.
            let errors = run.errors.split(separator: "\n").filter { $0.contains(": error: ") }
            #expect(
                run.output + errors.map { $0 + "\n" }.joined() == step.output, "\(step.command)")
        }
    }
}
