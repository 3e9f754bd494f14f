import SpecDiagnostics
import SpecIR
import SpecSyntax

extension DescriptionImport {
    /// Merges an overlay over the spec: a file with entries of `api.yaml`, `methods` and `models`.
    ///
    /// Mappings merge by key, any other value replaces, and null removes; keys whose value is null
    /// do not occur in specs. Reports an entry that meets nothing and is not whole.
    ///
    /// - Parameters:
    ///   - overlay: The file, one of `sources`.
    ///   - sources: The map of all files.
    public mutating func apply(_ overlay: SourceFile, in sources: SourceMap) {
        compilation = nil
        guard let root = YAMLReader.read(overlay, into: &diagnostics) else { return }
        guard root.kind == .mapping else {
            return diagnostics.report(
                .overlayEntry, "an overlay is a mapping", at: root.span,
                help: "write `methods: { pets.get: { retry: none } }`")
        }
        var sources = sources
        let specs = specs(in: &sources)
        let merge = SpecMerge(specs, overlay: root, in: sources)
        diagnostics.report(contentsOf: merge.conflicts)
        for (path, bytes) in merge.changes.sorted(by: { $0.key < $1.key }) {
            let text = bytes.flatMap { Self.formatted($0, &sources) }
            if let index = files.firstIndex(where: { $0.name == path }) {
                files[index].text = text ?? ""
            } else if let text {
                files.append((path, text))
            }
        }
        files.removeAll { $0.text.isEmpty }
        let parts = SpecTree(self.specs(in: &sources), into: &diagnostics).parts.keys
        methodCount = parts.count { $0.role == .method }
        modelCount = parts.count - methodCount
    }

    private func specs(in sources: inout SourceMap) -> [SpecFile] {
        files.filter { OutputName.isSpec($0.name) }.map {
            SpecFile(path: $0.name, source: sources.add(path: $0.name, text: $0.text))
        }
    }

    /// A file in the layout of an import.
    private static func formatted(_ bytes: [UInt8], _ sources: inout SourceMap) -> String? {
        let source = sources.add(path: "", bytes: bytes)
        var bag = DiagnosticBag()
        let entries = YAMLReader.read(source, into: &bag)?.entries ?? []
        return SpecDraftWriter.text(
            entries.map { entry in
                var draft = DraftEntry(entry, in: sources)
                // A mapping on lines stays one.
                if case .map(let inner) = draft.value, !MappingEditor(bytes).isFlow(entry.value) {
                    draft.value = .block(inner)
                }
                return draft
            })
    }
}
