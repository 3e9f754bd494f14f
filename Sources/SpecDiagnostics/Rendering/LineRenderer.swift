/// Renders diagnostics for Xcode and build logs, one per line:
///
/// ```
/// specs/vk/users.yaml:4:3: error: the key `name` is written twice in one mapping [T0005]
/// specs/vk/users.yaml:2:3: note: first written here
/// specs/vk/users.yaml:4:3: note: help: delete one of the two, or rename it
/// ```
public struct LineRenderer: ReportRenderer {
    /// A renderer.
    public init() {}

    /// All diagnostics of a bag, without a summary; empty if there are none.
    public func render(_ bag: DiagnosticBag, in sources: SourceMap) -> String {
        bag.all.map { render($0, in: sources) }.joined()
    }

    /// One diagnostic; every line ends in a line break.
    public func render(_ diagnostic: Diagnostic, in sources: SourceMap) -> String {
        let place = diagnostic.span
        var lines = [
            line(
                place, kind: diagnostic.severity.rawValue,
                text: diagnostic.message + (diagnostic.label.map { ": " + $0 } ?? "")
                    + " [\(diagnostic.code.id)]", in: sources)
        ]
        for note in diagnostic.notes {
            lines.append(line(note.span ?? place, kind: "note", text: note.text, in: sources))
        }
        if let help = diagnostic.help {
            lines.append(line(place, kind: "note", text: "help: " + help, in: sources))
        }
        return lines.joined()
    }

    private func line(_ span: Span, kind: String, text: String, in sources: SourceMap) -> String {
        TerminalText.escaped("\(sources.place(of: span)): \(kind): \(text)") + "\n"
    }
}
