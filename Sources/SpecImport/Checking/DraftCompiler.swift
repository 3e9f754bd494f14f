import SpecDiagnostics
import SpecSyntax
import TelexCompiler

/// A draft that was compiled in memory, as `telex check` compiles its files.
struct DraftCompiler {
    /// The files of the spec.
    let files: [(name: String, text: String)]
    /// What the compiler says of them.
    let compilation: Compilation
    private let shownPath: (_ name: String) -> String

    /// Compiles a draft.
    ///
    /// - Parameters:
    ///   - draft: The draft.
    ///   - shownPath: The path of a file of the spec, as messages show it.
    init(_ draft: SpecDraft, shownPath: @escaping (_ name: String) -> String) {
        files = SpecDraftWriter.files(draft)
        self.shownPath = shownPath
        compilation = TelexCompiler.check(
            SpecFolder(
                shownPath: "",
                files: files.map { file in
                    SpecFolder.File(
                        relativePath: file.name, shownPath: shownPath(file.name),
                        bytes: Array(file.text.utf8))
                }))
    }

    /// The errors by file: of each, the keys that lead to it.
    var errors: [(file: String, path: [String], diagnostic: Diagnostic)] {
        let errors = compilation.diagnostics.all.filter { $0.severity == .error }
        let byFile = Dictionary(grouping: errors) { compilation.sources[$0.span.file].path }
        return files.flatMap { file -> [(file: String, path: [String], diagnostic: Diagnostic)] in
            guard let own = byFile[shownPath(file.name)] else { return [] }
            var bag = DiagnosticBag()
            let root = YAMLReader.read(compilation.sources[own[0].span.file], into: &bag)
            return own.map { (file.name, root?.path(to: $0.span) ?? [], $0) }
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
