import SpecDiagnostics

/// Diagnostics as clients show them.
extension Workspace {
    /// The diagnostics of a spec, by the addresses of their documents.
    func diagnostics(of snapshot: SpecSnapshot) -> [String: [JSONTree]] {
        var all: [String: [JSONTree]] = [:]
        for diagnostic in snapshot.compilation.diagnostics.all {
            guard let place = snapshot.shownPlace(of: diagnostic.span) else { continue }
            all[uri(of: place.file.path), default: []].append(
                shown(diagnostic, at: place.span, of: place.file, in: snapshot))
        }
        return all
    }

    /// A diagnostic in one of the files of a spec.
    func shown(
        _ diagnostic: Diagnostic, at span: Span, of file: SourceFile, in snapshot: SpecSnapshot
    ) -> JSONTree {
        let notes = diagnostic.notes.filter { $0.span == nil }.map { "note: \($0.text)" }
        let help = diagnostic.help.map { "help: \($0)" }
        let lines = [diagnostic.message, diagnostic.label] + notes + [help]
        let related = diagnostic.notes.compactMap { note -> JSONTree? in
            note.span.flatMap { snapshot.shownPlace(of: $0) }.map { place in
                let range = Int(place.span.start)..<Int(place.span.end)
                return ["location": location(range, in: place.file), "message": .text(note.text)]
            }
        }
        return [
            "range": encoding.range(of: Int(span.start)..<Int(span.end), in: file),
            "severity": diagnostic.severity == .error ? 1 : 2, "source": "telex",
            "code": .text(diagnostic.code.id), "relatedInformation": .list(related),
            "message": .text(lines.compactMap { $0 }.joined(separator: "\n")),
        ]
    }
}

extension SpecSnapshot {
    /// The file and the span. What is wrong with the folder as a whole is shown in `api.yaml`.
    fileprivate func shownPlace(of span: Span) -> (file: SourceFile, span: Span)? {
        let source = compilation.sources[span.file]
        if file(source.path) != nil { return (source, span) }
        let api = ["api.yaml", "api.yml"].lazy
            .compactMap { file(folder.shownPath + "/" + $0) }.first
        return api.map { ($0, $0.start) }
    }
}
