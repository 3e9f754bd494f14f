import SpecDiagnostics
import SpecIR
import SpecSyntax
import TelexCompiler

/// A spec folder at one moment: its diagnostics, and its symbols.
///
/// The symbols of a file whose YAML has a mistake are those of its last good text.
struct SpecSnapshot {
    /// The folder as the compiler read it.
    let folder: SpecFolder
    let compilation: Compilation
    /// The tree of the good texts, and their sources.
    let spec: Spec
    private let sources: SourceMap
    private let collector: SymbolCollector
    var symbols: SymbolIndex { collector.index }
    private let files: [String: SourceFile]
    private let goodFiles: [String: SourceFile]
    /// The files that are broken.
    private var shifts: [String: GoodText] = [:]

    /// - Parameter good: The last texts without a mistake in their YAML, by the paths that messages
    ///   show; the texts of this folder are added.
    init(_ folder: SpecFolder, good: inout [String: GoodText]) {
        self.folder = folder
        compilation = TelexCompiler.check(folder)
        files = Self.files(of: folder, in: compilation.sources)
        var goodFolder = folder
        for (index, file) in folder.files.enumerated() {
            guard compilation.spec.lacks(file), var text = good[file.shownPath] else {
                good[file.shownPath] = GoodText(file.bytes)
                continue
            }
            text.follow(file.bytes)
            good[file.shownPath] = text
            shifts[file.shownPath] = text
            goodFolder.files[index].bytes = text.bytes
        }
        (spec, sources) =
            shifts.isEmpty ? (compilation.spec, compilation.sources) : goodFolder.parsed()
        goodFiles = shifts.isEmpty ? files : Self.files(of: folder, in: sources)
        collector = SymbolCollector(spec, sources, files: Set(goodFiles.values.map(\.id)))
    }

    private static func files(
        of folder: SpecFolder, in sources: SourceMap
    ) -> [String: SourceFile] {
        let paths = Set(folder.files.map(\.shownPath))
        let own = sources.files.filter { paths.contains($0.path) }
        return Dictionary(own.map { ($0.path, $0) }) { first, _ in first }
    }

    /// The text of a file now.
    func file(_ path: String) -> SourceFile? { files[path] }

    /// The path relative to the folder.
    func relativePath(of path: String) -> String {
        folder.files.first { $0.shownPath == path }?.relativePath ?? path
    }

    // MARK: Symbols

    /// What is named at an offset of the text as it is now.
    func occurrence(at offset: Int, of path: String) -> Occurrence? {
        guard let file = goodFiles[path] else { return nil }
        return symbols.occurrence(at: shifts[path]?.earlier(offset) ?? offset, in: file.id)
    }

    /// The path of a symbol's file, and its offsets in the text as it is now.
    func place(of span: Span) -> (file: SourceFile, range: Range<Int>)? {
        let path = sources[span.file].path
        guard let file = files[path] else { return nil }
        let range = Int(span.start)..<Int(span.end)
        guard let shift = shifts[path] else { return (file, range) }
        let start = shift.later(range.lowerBound)
        return (file, start..<max(start, shift.later(range.upperBound)))
    }

    /// The text of a span of a symbol.
    func text(of span: Span) -> String { sources[span.file].text(of: span) }

    /// The fields of a type, those of its mixins included.
    func fields(of type: TypeSyntax) -> [Declaration] {
        collector.members(of: type).compactMap { symbols.declaration(of: $0.symbol) }
    }

    /// What the grammar accepts in a file, and the offset of a place in the text it is about.
    func trace(at offset: Int, of path: String) -> (trace: GrammarTrace, offset: Int32)? {
        guard let file = goodFiles[path], OutputName.isSpec(relativePath(of: path)),
            let trace = SpecParser.trace(SpecFile(path: relativePath(of: path), source: file))
        else { return nil }
        return (trace, Int32(clamping: shifts[path]?.earlier(offset) ?? offset))
    }

    /// The symbols of a file.
    func declarations(in path: String) -> [Declaration] {
        guard let file = goodFiles[path] else { return [] }
        return symbols.declarations.filter { $0.symbol.place?.file == file.id }
    }
}

extension Spec {
    /// Whether a file of YAML could not be read.
    fileprivate func lacks(_ file: SpecFolder.File) -> Bool {
        let path = file.relativePath
        guard OutputName.isSpec(path) else { return false }
        return OutputName.isAPI(path) ? api == nil : !groups.contains { $0.path == path }
    }
}

extension SpecFolder {
    /// The tree of the files alone.
    func parsed() -> (Spec, SourceMap) {
        var sources = SourceMap()
        var bag = DiagnosticBag()
        let specs = files.map { file in
            SpecFile(
                path: file.relativePath,
                source: sources.add(path: file.shownPath, bytes: file.bytes))
        }
        return (SpecParser.parse(specs, into: &bag), sources)
    }
}
