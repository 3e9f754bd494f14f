/// Diagnostics as Xcode and build logs want them, a line each:
///
/// ```
/// specs/vk/users.yaml:4:3: error: the key `name` is written twice in one mapping [T0005]
/// specs/vk/users.yaml:2:3: note: first written here
/// specs/vk/users.yaml:4:3: note: help: delete one of the two, or rename it
/// ```
public struct LineRenderer: Sendable {
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
                place, diagnostic.severity.rawValue,
                diagnostic.message + (diagnostic.label.map { ": " + $0 } ?? "")
                    + " [\(diagnostic.code.id)]", sources)
        ]
        for note in diagnostic.notes {
            lines.append(line(note.span ?? place, "note", note.text, sources))
        }
        if let help = diagnostic.help {
            lines.append(line(place, "note", "help: " + help, sources))
        }
        return lines.joined()
    }

    private func line(_ span: Span, _ kind: String, _ text: String, _ sources: SourceMap) -> String
    {
        TerminalText.escaped("\(sources.place(of: span)): \(kind): \(text)") + "\n"
    }
}
