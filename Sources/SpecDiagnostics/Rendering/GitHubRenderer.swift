/// Renders diagnostics as workflow commands of GitHub Actions, which shows them at their lines:
///
/// ```
/// ::error file=specs/users.yaml,line=4,col=3,title=T0005::the key `name` is written twice…
/// ```
public struct GitHubRenderer: ReportRenderer {
    /// A renderer.
    public init() {}

    /// A command for each diagnostic; empty if there are none.
    public func render(_ bag: DiagnosticBag, in sources: SourceMap) -> String {
        bag.all.map { diagnostic in
            let file = sources[diagnostic.span.file]
            let start = file.position(of: Int(diagnostic.span.start))
            let end = file.position(of: Int(diagnostic.span.end))
            var properties = [("file", file.path)]
            if !file.bytes.isEmpty {
                properties += [("line", "\(start.line)"), ("endLine", "\(end.line)")]
                // Columns of several lines are refused.
                if start.line == end.line {
                    properties += [("col", "\(start.column)"), ("endColumn", "\(end.column)")]
                }
            }
            properties.append(("title", "\(diagnostic.code.id): \(diagnostic.code.title)"))
            let label = diagnostic.label.map { ": \($0)" } ?? ""
            let notes = diagnostic.notes.map { note in
                let place = note.span.map { "\(sources.place(of: $0)): " } ?? ""
                return "\(place)note: \(note.text)"
            }
            let help = diagnostic.help.map { ["help: \($0)"] } ?? []
            let lines = [diagnostic.message + label] + notes + help
            return Self.command(diagnostic.severity.rawValue, properties, lines)
        }.joined()
    }

    /// A command with its line end. Its text is escaped, so that a spec cannot begin another command.
    package static func command(
        _ name: String, _ properties: [(String, String)], _ lines: [String]
    ) -> String {
        let list = properties.map { key, value in
            let text = escaped(value).replacing(":", with: "%3A").replacing(",", with: "%2C")
            return "\(key)=\(text)"
        }
        let message = lines.map(escaped).joined(separator: "%0A")
        return "::\(name) \(list.joined(separator: ","))::\(message)\n"
    }

    private static func escaped(_ text: String) -> String {
        TerminalText.escaped(text).replacing("%", with: "%25")
    }
}
