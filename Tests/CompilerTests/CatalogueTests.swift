import SpecDiagnostics
import TestSupport
import Testing

@Suite("The catalogue of diagnostics")
struct CatalogueTests {
    /// Codes that no file content can cause.
    static let exempt = [
        "T0012": "its example would be larger than 16 MiB",
        "T0801": "no folder, no files",
        "T0802": "only the file system refuses to give a file",
        "T0803": "only a file system has links",
        "T0804": "it is about what is written",
        "T0805": "it is about what was written",
        "T0806": "it is about what stands where it would be written",
        "T0808": "it is about what stands where it would be written",
        "T0809": "it is about an argument of the command line",
        "T0810": "it is about what stands where it would be written",
        "T0811": "it is about what would be written",
        "T0812": "it is about what would be written",
        "T0908": "a reply is no file of a spec",
        "T0909": "it is about what stands where it would be written",
        "T1001": "a description is no file of a spec",
        "T1002": "a description is no file of a spec",
        "T1003": "a description is no file of a spec",
        "T1004": "a description is no file of a spec",
        "T1005": "it is about what two imports wrote",
        "T1006": "it is about what an import wrote",
        "T1007": "an overlay is no file of a spec",
        "T1008": "a description is no file of a spec",
        "T1009": "a description is no file of a spec",
    ]

    /// Codes of the YAML reader, whose examples and goldens are tested with it.
    static func isAboutYAML(_ code: DiagnosticCode) -> Bool { code.id.hasPrefix("T00") }

    @Test("every code has an example and an explanation, or a reason to have no example")
    func completeness() {
        for code in DiagnosticCode.all {
            #expect(code.example.isEmpty == (Self.exempt[code.id] != nil), "\(code.id)")
            #expect(code.explanation.count > 80, "\(code.id)")
        }
    }

    @Test("ids are unique, of one form, and sorted")
    func ids() {
        let ids = DiagnosticCode.all.map(\.id)
        #expect(Set(ids).count == ids.count)
        #expect(ids == ids.sorted())
        #expect(ids.allSatisfy { $0.wholeMatch(of: /T\d{4}/) != nil })
    }

    @Test("titles are lower case without a full stop")
    func titles() {
        for code in DiagnosticCode.all {
            #expect(!code.title.hasSuffix("."), "\(code.id)")
            #expect(code.title.first?.isUppercase == false || code.title.hasPrefix("UTF"))
        }
    }

    @Test("analysing an example reports its code, once, and nothing else")
    func examples() {
        for code in DiagnosticCode.all where !code.example.isEmpty && !Self.isAboutYAML(code) {
            #expect(Self.analysis(of: code).codes == [code.id], "\(code.id)")
        }
    }

    @Test("an example compiles unless its code is an error")
    func severities() {
        for code in DiagnosticCode.all where !code.example.isEmpty && !Self.isAboutYAML(code) {
            let analysis = Self.analysis(of: code)
            #expect((analysis.api == nil) == (code.severity == .error), "\(code.id)")
        }
    }

    @Test("examples equal their goldens")
    func goldens() throws {
        var results: [String: String] = [:]
        for code in DiagnosticCode.all where !code.example.isEmpty && !Self.isAboutYAML(code) {
            results["\(code.id).txt"] = Self.analysis(of: code).rendered
        }
        for problem in try GoldenFolder().problems(with: results) {
            Issue.record("\(problem)")
        }
    }

    @Test("messages, labels and notes follow the style rules")
    func style() {
        for code in DiagnosticCode.all where !code.example.isEmpty && !Self.isAboutYAML(code) {
            for diagnostic in Self.analysis(of: code).bag.all {
                #expect(diagnostic.message.first?.isUppercase == false, "\(code.id)")
                let notes = diagnostic.notes.map(\.text)
                for text in [diagnostic.message, diagnostic.label, diagnostic.help] + notes {
                    guard let text else { continue }
                    #expect(!text.hasSuffix("."), "\(code.id)")
                    #expect(
                        text.split(separator: "`", omittingEmptySubsequences: false).count % 2 == 1)
                }
            }
        }
    }

    private static func analysis(of code: DiagnosticCode) -> Analysis {
        Analysis(compiling: code.example)
    }
}
