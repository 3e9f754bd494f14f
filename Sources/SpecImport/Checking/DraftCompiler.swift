import SpecDiagnostics
import SpecIR
import SpecSemantics
import SpecSyntax

/// A draft that was compiled in memory, as `telex check` would compile its files.
struct DraftCompiler {
    /// The files of the spec.
    let files: [(name: String, text: String)]
    /// The API; nil after errors.
    let api: API?
    /// What the compiler reports.
    let diagnostics: DiagnosticBag
    private let sources: [SpecFile]

    init(_ draft: SpecDraft) {
        files = SpecDraftWriter.files(draft)
        var map = SourceMap()
        var bag = DiagnosticBag()
        sources = files.map {
            SpecFile(path: $0.name, source: map.add(path: $0.name, text: $0.text))
        }
        let spec = SpecParser.parse(sources, into: &bag)
        let api = SpecAnalyzer.analyze(spec, into: &bag)
        self.api = bag.hasErrors ? nil : api
        diagnostics = bag
    }

    /// The errors by file: of each, the keys that lead to it.
    var errors: [(file: String, path: [String], diagnostic: Diagnostic)] {
        let errors = diagnostics.all.filter { $0.severity == .error }
        let files = Dictionary(grouping: errors, by: \.span.file)
        return sources.flatMap { file -> [(file: String, path: [String], diagnostic: Diagnostic)] in
            guard let own = files[file.source.id] else { return [] }
            var bag = DiagnosticBag()
            let root = YAMLReader.read(file.source, into: &bag)
            return own.map { (file.path, root?.path(to: $0.span) ?? [], $0) }
        }
    }
}

extension YAMLNode {
    /// The keys of the entries that contain a place, from the outermost.
    fileprivate func path(to span: Span) -> [String] {
        for entry in entries
        where entry.key.span.start <= span.start
            && span.start < max(entry.value.span.end, entry.key.span.end)
        {
            return [entry.key.text] + entry.value.path(to: span)
        }
        for item in items where item.span.start <= span.start && span.start < item.span.end {
            return item.path(to: span)
        }
        return []
    }
}
