import Foundation
import ProcessSupport
import TestSupport
import Testing

/// The commands of pages, with what they print.
@Suite("The pages with commands")
struct CommandPageTests {
    private static let folder = URL(fileURLWithPath: #filePath)
        .deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()
        .appendingPathComponent("Sources/TelexCompiler/TelexCompiler.docc")

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

    @Test(
        "the pages with commands show what these print",
        arguments: [("TemplateTools", 10), ("Drift", 6)])
    func commands(name: String, fewest: Int) async throws {
        let page = try SpecPage(Self.folder.appendingPathComponent("\(name).md"))
        let sandbox = try Sandbox()
        for (name, text) in try #require(page.folders["specs"]) {
            try sandbox.write("specs/\(name)", text)
        }
        let steps = steps(page.text)
        try #require(steps.count > fewest)
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
