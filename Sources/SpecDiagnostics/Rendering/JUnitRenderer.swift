/// Renders diagnostics as JUnit's XML, which CI servers show as tests: a suite for each file, in which
/// an error is a failed test and a warning one that passed with output. A spec without diagnostics is a
/// test that passed.
public struct JUnitRenderer: ReportRenderer {
    /// A renderer.
    public init() {}

    /// The document.
    public func render(_ bag: DiagnosticBag, in sources: SourceMap) -> String {
        let byFile = Dictionary(grouping: bag.all) { $0.span.file }
        let files = sources.files.filter { byFile[$0.id] != nil }
        let suites = files.map { file in
            let diagnostics = byFile[file.id] ?? []
            let failures = diagnostics.count { $0.severity == .error }
            let cases = diagnostics.map { test($0, sources) }
            return Self.suite(file.path, cases, failures: failures)
        }
        let passed = Self.suite("spec", ["    <testcase name=\"check\"/>\n"], failures: 0)
        let counts = "tests=\"\(max(1, bag.all.count))\" failures=\"\(bag.errorCount)\""
        return "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<testsuites name=\"telex\" \(counts)>\n"
            + (suites.isEmpty ? passed : suites.joined()) + "</testsuites>\n"
    }

    private static func suite(_ name: String, _ tests: [String], failures: Int) -> String {
        "  <testsuite name=\"\(escaped(name))\" tests=\"\(tests.count)\" failures=\"\(failures)\">\n"
            + tests.joined() + "  </testsuite>\n"
    }

    private func test(_ diagnostic: Diagnostic, _ sources: SourceMap) -> String {
        let code = diagnostic.code
        let name = Self.escaped("\(code.id) at \(sources.place(of: diagnostic.span))")
        let lines = LineRenderer().render(diagnostic, in: sources).split(separator: "\n")
        let text = lines.map { Self.escaped(String($0)) }.joined(separator: "\n")
        let result =
            diagnostic.severity == .error
            ? "<failure type=\"\(code.id)\" message=\"\(Self.escaped(diagnostic.message))\">\(text)</failure>"
            : "<system-out>\(text)</system-out>"
        return "    <testcase name=\"\(name)\" classname=\"\(code.id)\">\(result)</testcase>\n"
    }

    /// Text for XML, which has no control characters.
    private static func escaped(_ text: String) -> String {
        TerminalText.escaped(text).reduce(into: "") { result, character in
            switch character {
            case "&": result += "&amp;"
            case "<": result += "&lt;"
            case ">": result += "&gt;"
            case "\"": result += "&quot;"
            default: result.append(character)
            }
        }
    }
}
