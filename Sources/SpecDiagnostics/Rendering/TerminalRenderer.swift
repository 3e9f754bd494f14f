/// Renders diagnostics for a terminal, with the source text:
///
/// ```
/// error[T0005]: the key `name` is written twice in one mapping
///  --> specs/vk/users.yaml:4:3
///   |
/// 2 |   name: string
///   |   ---- first written here
/// 3 |   age: int
/// 4 |   name: string
///   |   ^^^^ second time
///   |
///   = help: delete one of the two, or rename it
/// ```
public struct TerminalRenderer: ReportRenderer {
    private let style: TerminalStyle
    private let width: Int

    /// A renderer with or without colours (ANSI escapes) that cuts source lines to `width` columns,
    /// at least 20.
    public init(colors: Bool = false, width: Int = 100) {
        style = TerminalStyle(isColored: colors)
        self.width = max(20, width)
    }

    /// All diagnostics of a bag with an empty line after each, then the summary; empty if there
    /// are none.
    public func render(_ bag: DiagnosticBag, in sources: SourceMap) -> String {
        guard !bag.isEmpty else { return "" }
        let texts = bag.all.map { render($0, in: sources) + "\n" }
        return texts.joined() + bag.summary + "\n"
    }

    /// One diagnostic; every line ends in a line break.
    public func render(_ diagnostic: Diagnostic, in sources: SourceMap) -> String {
        let parts = snippets(of: diagnostic, in: sources)
        let gutter = parts.map(\.gutterWidth).max() ?? 1
        let margin = String(repeating: " ", count: gutter)
        var lines = [headline(diagnostic)]
        for (index, part) in parts.enumerated() {
            let arrow = style.paint(index == 0 ? "-->" : ":::", .blue)
            lines.append("\(margin)\(arrow) \(TerminalText.escaped(part.place(in: sources)))")
            lines += part.lines(gutter: gutter, width: width, style: style)
        }
        let remarks = remarks(of: diagnostic)
        if !remarks.isEmpty, parts.last?.isEmpty == false {
            lines.append(style.paint("\(margin) |", .blue))
        }
        lines += remarks.map { "\(margin) \(style.paint("=", .blue)) \($0)" }
        return lines.map { $0 + "\n" }.joined()
    }

    private func headline(_ diagnostic: Diagnostic) -> String {
        let severity = "\(diagnostic.severity.rawValue)[\(diagnostic.code.id)]"
        let message = ": " + TerminalText.escaped(diagnostic.message)
        return style.paint(severity, style.color(of: diagnostic.severity))
            + style.paint(message, .none)
    }

    private func remarks(of diagnostic: Diagnostic) -> [String] {
        let notes = diagnostic.notes.filter { $0.span == nil }.map {
            style.paint("note", .none) + ": " + TerminalText.escaped($0.text)
        }
        let help = diagnostic.help.map {
            style.paint("help", .cyan) + ": " + TerminalText.escaped($0)
        }
        return notes + (help.map { [$0] } ?? [])
    }

    /// One snippet per file: that of the primary span, then those of notes in other files.
    private func snippets(of diagnostic: Diagnostic, in sources: SourceMap) -> [Snippet] {
        let primary = Snippet.Label(
            span: diagnostic.span, text: diagnostic.label ?? "",
            color: style.color(of: diagnostic.severity), isPrimary: true)
        var snippets = [Snippet(file: sources[diagnostic.span.file], labels: [primary])]
        for note in diagnostic.notes {
            guard let span = note.span else { continue }
            let label = Snippet.Label(span: span, text: note.text, color: .blue, isPrimary: false)
            if let index = snippets.firstIndex(where: { $0.file.id == span.file }) {
                snippets[index].labels.append(label)
            } else {
                snippets.append(Snippet(file: sources[span.file], labels: [label]))
            }
        }
        return snippets
    }
}
