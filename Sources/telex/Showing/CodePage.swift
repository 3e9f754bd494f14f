import SpecDiagnostics
import SpecSemantics
import TelexCompiler

/// The output of `telex explain T0101`.
struct CodePage {
    let text: String

    init(_ code: DiagnosticCode) {
        var text = "\(code.severity.rawValue) \(code.id): \(code.title)\n\n\(code.explanation)\n"
        if !code.example.isEmpty { text += "\nExample\n" }
        for file in code.example {
            text += "\n  \(file.path)\n\n" + Self.indented(file.text)
        }
        if !code.example.isEmpty { text += "\nDiagnostic\n\n" + Self.indented(Self.result(code)) }
        self.text = text
    }

    /// The diagnostics of the example.
    private static func result(_ code: DiagnosticCode) -> String {
        let files = code.example.map {
            SpecFolder.File(relativePath: $0.path, shownPath: $0.path, bytes: $0.bytes)
        }
        let compilation = TelexCompiler.check(SpecFolder(shownPath: ".", files: files))
        let renderer = TerminalRenderer()
        return compilation.diagnostics.all.filter { $0.code == code }
            .map { renderer.render($0, in: compilation.sources) }
            .joined(separator: "\n")
    }

    /// The indented text, with control characters escaped.
    private static func indented(_ text: String) -> String {
        text.split(separator: "\n", omittingEmptySubsequences: false)
            .map { $0.isEmpty ? "" : "    " + escaped($0) }
            .joined(separator: "\n")
            .trimmingEnd() + "\n"
    }

    private static func escaped(_ line: Substring) -> String {
        line.unicodeScalars.map { scalar in
            let isControl = scalar.properties.generalCategory == .control
            return isControl ? scalar.escaped(asASCII: true) : String(scalar)
        }.joined()
    }
}

extension String {
    fileprivate func trimmingEnd() -> Substring {
        self[..<(lastIndex { !$0.isNewline }.map(index(after:)) ?? startIndex)]
    }
}

/// The output of `telex explain users.get`: one value per line, with its origin.
struct MethodPage {
    let text: String

    /// The highest width of a column.
    private static let widest = 44

    init(_ explanation: MethodExplanation, in sources: SourceMap) {
        let names = Self.width(explanation.values.map(\.name))
        let values = Self.width(explanation.values.map { Self.line($0.value) })
        let lines = explanation.values.map { value in
            "  " + Self.padded(value.name, names) + "  "
                + Self.padded(Self.line(value.value), values) + "  "
                + Self.line(Self.origin(of: value, in: sources))
        }
        text = ([Self.line(explanation.name)] + lines).joined(separator: "\n") + "\n"
    }

    /// The place of a value and the kind of its file, as `spec/api.yaml:3:12 (api)`.
    private static func origin(of value: ExplainedValue, in sources: SourceMap) -> String {
        let place = value.span.map { "\(sources.place(of: $0)) " } ?? ""
        return "\(place)(\(value.origin.rawValue))"
    }

    private static func width(_ texts: [String]) -> Int {
        min(widest, texts.map(\.count).max() ?? 0)
    }

    private static func padded(_ text: String, _ width: Int) -> String {
        text + String(repeating: " ", count: max(0, width - text.count))
    }

    /// The value on one line, with control characters escaped.
    private static func line(_ value: String) -> String {
        TerminalText.escaped(value.split(whereSeparator: \.isNewline).joined(separator: " "))
    }
}
