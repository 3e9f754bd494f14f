import TestSupport
import Testing

@Suite("Descriptions become specs that compile without a warning")
struct GoldenImportTests {
    /// Each case `x.description` is YAML or JSON; `x.spec` has all files and the report.
    @Test("feature by feature")
    func goldens() throws {
        let folder = GoldenFolder()
        var results: [String: String] = [:]
        for (name, bytes) in try folder.cases(endingIn: ".description") {
            let imported = Imported([(path: name, bytes: bytes)])
            #expect(imported.errors == "", "\(name)")
            #expect(imported.diagnostics == "", "\(name)")
            results["\(name).spec"] =
                imported.spec + "\n# report\n" + imported.result.page(imported.sources)
        }
        let problems = try folder.problems(with: results, casesEndingIn: ".description")
        #expect(problems == [])
    }
}
