import SpecComparison
import TestSupport
import Testing

@Suite("The report of changes")
struct ReportTests {
    @Test("the report of changes groups changes by kind, with their places and the version step")
    func text() throws {
        let edits = [
            "  list: {": "  all: {", "count: int?": "count: int", "[small, large]": "[small, huge]",
            "max-length: 20": "max-length: 30", "doc: The goods.": "doc: All goods.",
            "notFound: 1, ": "", "https://shop": "https://store",
        ]
        let new = ChangeTests.files.mapValues { text in
            edits.reduce(text) { $0.replacing($1.key, with: $1.value) }
        }
        let report = try SpecPair(old: ChangeTests.files, new: new).report()
        let forms = try ["text": "txt", "markdown": "md", "github": "log", "json": "json"].map {
            let format = try #require(ChangeFormat(named: $0.key))
            return ("shop.\($0.value)", format.render(report, [.source]))
        }
        #expect(
            try GoldenFolder().problems(with: Dictionary(uniqueKeysWithValues: forms)) == [])
    }

    @Test("the report of changes as Markdown gives text of a spec no meaning")
    func hostile() throws {
        let change = Change(
            .source, subject: "a``b", sentence: "is <b>, @team, ![x](y), `*x*` and \n# more |")
        let report = try SpecPair(old: ChangeTests.files, new: ChangeTests.files).report([change])
        let text = try #require(ChangeFormat(named: "markdown")).render(report, [])
        let line = text.split(separator: "\n")[1]
        #expect(
            line
                == "- ``` a``b ```: is \\<b\\>, @<!-- -->team, \\!\\[x\\]\\(y\\), `*x*` and \\\\n\\# more \\| (`new/api.yaml:1`)"
        )
    }

    @Test("the report of changes without changes has the version step alone")
    func none() throws {
        let report = try SpecPair(old: ChangeTests.files, new: ChangeTests.files).report()
        #expect(report.text == "suggested version step: none\n")
    }

    @Test(
        "the worst change decides the version step",
        arguments: [
            ([.source, .additive], .major), ([.behaviour], .minor), ([.additive], .minor),
            ([.documentation, .additive], .minor), ([.documentation], .patch), ([], .none),
        ] as [([Change.Kind], VersionStep)])
    func step(_ kinds: [Change.Kind], _ step: VersionStep) {
        #expect(VersionStep(for: kinds.map { Change($0, subject: "a", sentence: "b") }) == step)
    }
}
