/// Renders diagnostics as SARIF 2.1.0 (OASIS), for code hosts and editors.
public struct SARIFRenderer: ReportRenderer {
    private let version: String

    /// A renderer for the tool of this version, as `1.2.0`.
    public init(toolVersion version: String) {
        self.version = version
    }

    /// One log with one run. A bag without diagnostics gives a run without results.
    public func render(_ bag: DiagnosticBag, in sources: SourceMap) -> String {
        let all = bag.all
        var codes: [DiagnosticCode] = []
        for code in all.map(\.code).sorted(by: { $0.id < $1.id }) where codes.last != code {
            codes.append(code)
        }
        let driver = JSONText.object([
            ("name", .string("telex")),
            ("version", .string(version)),
            ("rules", .array(codes.map(rule))),
        ])
        let run = JSONText.object([
            ("tool", .object([("driver", driver)])),
            ("columnKind", .string("unicodeCodePoints")),
            ("results", .array(all.map { result($0, sources) })),
        ])
        let log = JSONText.object([
            ("$schema", .string("https://json.schemastore.org/sarif-2.1.0.json")),
            ("version", .string("2.1.0")),
            ("runs", .array([run])),
        ])
        return log.rendered() + "\n"
    }

    private func rule(_ code: DiagnosticCode) -> JSONText {
        .object([
            ("id", .string(code.id)),
            ("shortDescription", .object([("text", .string(code.title))])),
            (
                "help",
                .object([
                    ("text", .string(code.explanation)), ("markdown", .string(code.explanation)),
                ])
            ),
        ])
    }

    private func result(_ diagnostic: Diagnostic, _ sources: SourceMap) -> JSONText {
        var members: [(String, JSONText)] = [
            ("ruleId", .string(diagnostic.code.id)),
            ("level", .string(diagnostic.severity.rawValue)),
            ("message", .object([("text", .string(message(diagnostic)))])),
            ("locations", .array([location(diagnostic.span, text: diagnostic.label, in: sources)])),
        ]
        let related = diagnostic.notes.compactMap { note in
            note.span.map { location($0, text: note.text, in: sources) }
        }
        if !related.isEmpty { members.append(("relatedLocations", .array(related))) }
        let changes = diagnostic.edits.map { change($0, sources) }
        if !changes.isEmpty {
            let fix = JSONText.object([
                ("description", .object([("text", .string(diagnostic.help ?? ""))])),
                ("artifactChanges", .array(changes)),
            ])
            members.append(("fixes", .array([fix])))
        }
        return .object(members)
    }

    private func change(_ edit: Diagnostic.Edit, _ sources: SourceMap) -> JSONText {
        let file = sources[edit.span.file]
        let replacement = JSONText.object([
            ("deletedRegion", region(edit.span, in: file)),
            ("insertedContent", .object([("text", .string(edit.text))])),
        ])
        return .object([
            ("artifactLocation", .object([("uri", .string(Self.uri(file.path)))])),
            ("replacements", .array([replacement])),
        ])
    }

    private func message(_ diagnostic: Diagnostic) -> String {
        let notes = diagnostic.notes.filter { $0.span == nil }.map { "\nnote: \($0.text)" }
        let help = diagnostic.help.map { "\nhelp: \($0)" } ?? ""
        return diagnostic.message + notes.joined() + help
    }

    private func location(_ span: Span, text: String?, in sources: SourceMap) -> JSONText {
        let file = sources[span.file]
        let physical = JSONText.object([
            ("artifactLocation", .object([("uri", .string(Self.uri(file.path)))])),
            ("region", region(span, in: file)),
        ])
        let message = text.map { [("message", JSONText.object([("text", .string($0))]))] } ?? []
        return .object([("physicalLocation", physical)] + message)
    }

    private func region(_ span: Span, in file: SourceFile) -> JSONText {
        let start = file.position(of: Int(span.start))
        let end = file.position(of: Int(span.end))
        return .object([
            ("startLine", .int(start.line)), ("startColumn", .int(start.column)),
            ("endLine", .int(end.line)), ("endColumn", .int(end.column)),
        ])
    }

    /// A path as a relative URI reference (RFC 3986): all but unreserved characters and `/` is
    /// percent-encoded.
    private static func uri(_ path: String) -> String {
        path.utf8.reduce(into: "") { uri, byte in
            let character = Character(Unicode.Scalar(byte))
            let isKept = byte < 0x80 && (character.isLetter || character.isNumber)
            if isKept || "-._~/".contains(character) {
                uri.append(character)
            } else {
                let digits = String(byte, radix: 16, uppercase: true)
                uri += (byte < 16 ? "%0" : "%") + digits
            }
        }
    }
}
