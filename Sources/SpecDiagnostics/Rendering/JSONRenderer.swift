/// Renders diagnostics as one JSON document: `{ "errors", "warnings", "diagnostics": [ … ] }`. Lines and
/// columns count from 1, columns in Unicode scalars.
public struct JSONRenderer: ReportRenderer {
    /// A renderer.
    public init() {}

    /// The document; without diagnostics, its list is empty.
    public func render(_ bag: DiagnosticBag, in sources: SourceMap) -> String {
        let document = JSONText.object([
            ("errors", .int(bag.errorCount)), ("warnings", .int(bag.warningCount)),
            ("diagnostics", .array(bag.all.map { Self.diagnostic($0, sources) })),
        ])
        return document.rendered() + "\n"
    }

    private static func diagnostic(_ diagnostic: Diagnostic, _ sources: SourceMap) -> JSONText {
        let notes = diagnostic.notes.map { note in
            JSONText.object(
                [("message", .string(note.text))] + (note.span.map { place($0, sources) } ?? []))
        }
        return .object(
            [
                ("code", .string(diagnostic.code.id)),
                ("severity", .string(diagnostic.severity.rawValue)),
                ("message", .string(diagnostic.message)),
            ] + place(diagnostic.span, sources) + member("label", diagnostic.label)
                + (notes.isEmpty ? [] : [("notes", .array(notes))])
                + member("help", diagnostic.help) + edits(of: diagnostic, sources))
    }

    private static func edits(
        of diagnostic: Diagnostic, _ sources: SourceMap
    ) -> [(String, JSONText)] {
        let edits = diagnostic.edits.map { edit in
            JSONText.object(place(edit.span, sources) + [("text", .string(edit.text))])
        }
        return edits.isEmpty ? [] : [("edits", .array(edits))]
    }

    private static func member(_ name: String, _ text: String?) -> [(String, JSONText)] {
        text.map { [(name, .string($0))] } ?? []
    }

    private static func place(_ span: Span, _ sources: SourceMap) -> [(String, JSONText)] {
        let file = sources[span.file]
        let (start, end) = (file.position(of: Int(span.start)), file.position(of: Int(span.end)))
        return [
            ("file", .string(file.path)), ("line", .int(start.line)),
            ("column", .int(start.column)), ("endLine", .int(end.line)),
            ("endColumn", .int(end.column)),
        ]
    }
}
