import SpecDiagnostics

/// The diagnostics of a document, as the client shows them.
struct Publication: Encodable {
    let uri: String
    let version: Int?
    let diagnostics: [ShownDiagnostic]
}

/// A diagnostic of a document.
struct ShownDiagnostic: Codable, Hashable {
    /// A further place.
    struct Related: Codable, Hashable {
        let location: Location
        let message: String
    }

    let range: TextRange
    let severity: Int
    let code: String
    var source = "telex"
    let message: String
    let relatedInformation: [Related]?

    /// The diagnostics of a spec, by the addresses of their documents.
    static func all(
        of snapshot: SpecSnapshot, in workspace: Workspace
    ) -> [String: [ShownDiagnostic]] {
        var all: [String: [ShownDiagnostic]] = [:]
        for diagnostic in snapshot.compilation.diagnostics.all {
            guard let place = place(of: diagnostic.span, in: snapshot) else { continue }
            let uri = workspace.uri(of: place.file.path)
            all[uri, default: []].append(
                ShownDiagnostic(diagnostic, at: place, in: snapshot, workspace))
        }
        return all
    }

    /// A diagnostic in one of the files of a spec.
    init(
        _ diagnostic: Diagnostic, of file: SourceFile, in snapshot: SpecSnapshot,
        _ workspace: Workspace
    ) {
        self.init(diagnostic, at: (file, diagnostic.span), in: snapshot, workspace)
    }

    private init(
        _ diagnostic: Diagnostic, at place: (file: SourceFile, span: Span),
        in snapshot: SpecSnapshot, _ workspace: Workspace
    ) {
        range = workspace.encoding.range(of: place.span, in: place.file)
        severity = diagnostic.severity == .error ? 1 : 2
        code = diagnostic.code.id
        message = Self.message(diagnostic)
        let related = diagnostic.notes.compactMap { note -> Related? in
            guard let span = note.span, let place = Self.place(of: span, in: snapshot) else {
                return nil
            }
            let range = workspace.encoding.range(of: place.span, in: place.file)
            return Related(
                location: Location(uri: workspace.uri(of: place.file.path), range: range),
                message: note.text)
        }
        relatedInformation = related.isEmpty ? nil : related
    }

    private static func message(_ diagnostic: Diagnostic) -> String {
        let notes = diagnostic.notes.filter { $0.span == nil }.map { "note: \($0.text)" }
        let help = diagnostic.help.map { ["help: \($0)"] } ?? []
        let label = diagnostic.label.map { [$0] } ?? []
        return ([diagnostic.message] + label + notes + help).joined(separator: "\n")
    }

    /// The file and the span. What is wrong with the folder as a whole is shown in `api.yaml`.
    private static func place(
        of span: Span, in snapshot: SpecSnapshot
    ) -> (file: SourceFile, span: Span)? {
        let source = snapshot.compilation.sources[span.file]
        if snapshot.file(source.path) != nil { return (source, span) }
        let file = ["api.yaml", "api.yml"].lazy
            .compactMap { snapshot.file(snapshot.folder.shownPath + "/" + $0) }.first
        return file.map { ($0, $0.start) }
    }
}
