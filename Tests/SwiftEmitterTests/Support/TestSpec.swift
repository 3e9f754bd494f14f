import SpecDiagnostics
import SwiftEmitter
import TelexCompiler
import Testing

/// A folder of specs held in memory.
struct TestSpec: Sendable {
    /// The texts of the files by their paths.
    var files: [String: String]

    /// The spec without code on request.
    var plain: TestSpec {
        TestSpec(
            files: files.mapValues { $0.replacing("generate: [fakes, requests]\n", with: "") })
    }

    /// Compiles the files, in order or reversed.
    func compiled(reversed: Bool = false, parts: [String: Int]? = nil) -> Compilation {
        TelexCompiler.compile(folder(reversed: reversed), parts: parts)
    }

    /// Checks the files without generating code.
    func checked() -> Compilation { TelexCompiler.check(folder(reversed: false)) }

    private func folder(reversed: Bool) -> SpecFolder {
        let sorted = files.sorted { reversed ? $0.key > $1.key : $0.key < $1.key }
        return SpecFolder(
            shownPath: "specs",
            files: sorted.map {
                SpecFolder.File(
                    relativePath: $0.key, shownPath: $0.key, bytes: Array($0.value.utf8))
            })
    }

    /// The generated files by name. A spec with errors fails the test.
    func emitted(reversed: Bool = false) throws -> [String: String] {
        let compilation = compiled(reversed: reversed)
        let errors = TerminalRenderer().render(compilation.diagnostics, in: compilation.sources)
        try #require(compilation.api != nil, "\(errors.prefix(4000))")
        return Dictionary(
            uniqueKeysWithValues: compilation.files.map { ($0.name, $0.text) })
    }
}

extension String {
    /// The text as a double-quoted scalar of YAML (YAML 1.2, 5.7) in ASCII.
    var yaml: String {
        let escaped = unicodeScalars.map { scalar -> String in
            switch scalar {
            case "\"", "\\": return "\\" + String(scalar)
            case " "..."~": return String(scalar)
            default:
                let digits = String(scalar.value, radix: 16)
                return "\\U" + String(repeating: "0", count: 8 - digits.count) + digits
            }
        }
        return "\"" + escaped.joined() + "\""
    }
}
