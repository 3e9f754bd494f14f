import SpecDiagnostics
import TelexCompiler

/// All diagnostics of a run: those of the compiler and those about I/O.
struct Report {
    private(set) var sources = SourceMap()
    private(set) var bag = DiagnosticBag()

    init() {}

    init(_ compilation: Compilation) {
        sources = compilation.sources
        bag = compilation.diagnostics
    }

    init(_ bag: DiagnosticBag, _ sources: SourceMap) {
        self.sources = sources
        self.bag = bag
    }

    /// The diagnostics of some codes.
    init(_ compilation: Compilation, only codes: [DiagnosticCode]) {
        sources = compilation.sources
        for diagnostic in compilation.diagnostics.all
        where codes.contains(where: { $0.id == diagnostic.code.id }) {
            bag.report(diagnostic)
        }
    }

    /// Adds the diagnostics of a report without notes, whose files are not in this one.
    mutating func add(_ other: Report) {
        for diagnostic in other.bag.all {
            var diagnostic = diagnostic
            let source = other.sources[diagnostic.span.file]
            diagnostic.span.file = sources.add(path: source.path, bytes: source.bytes).id
            bag.report(diagnostic)
        }
    }

    /// Adds a diagnostic about a file or folder as a whole.
    mutating func add(
        _ code: DiagnosticCode, _ message: String, at path: String, help: String? = nil
    ) {
        let source = sources.add(path: path, bytes: [])
        bag.report(code, message, at: source.start, help: help)
    }

    /// Reports that neither a folder nor one in it is a spec.
    mutating func addMissingSpec(in folder: String) {
        add(
            .missingAPI, "the folder has no spec", at: folder,
            help: "name a folder that has an `api.yaml` in it")
    }

    /// Adds a diagnostic about a part of a file.
    mutating func add(
        _ code: DiagnosticCode, _ message: String, in bytes: [UInt8], at range: Range<Int>,
        of path: String, help: String? = nil
    ) {
        let source = sources.add(path: path, bytes: bytes)
        bag.report(code, message, at: source.span(range), help: help)
    }

    /// Reports that a spec has no method of this name, with those that are probably meant.
    mutating func addUnknownMethod(
        _ name: String, in compilation: Compilation, at spec: String
    ) {
        guard compilation.spec.api != nil else { return }
        let same = compilation.methodNames.filter { $0.hasSuffix("." + name) }
        if same.count > 1 {
            return add(
                .unknownMethod, "several groups have a method `\(name)`", at: spec,
                help: "name one of them: " + same.map { "`\($0)`" }.joined(separator: ", "))
        }
        let own = compilation.methodNames.filter { $0.hasPrefix(name + ".") }
        let near = own.isEmpty ? didYouMean(name, among: compilation.methodNames) : nil
        add(
            .unknownMethod, "the spec has no method `\(name)`", at: spec,
            help: near
                ?? own.first.map { "methods with this prefix: `\($0)`" })
    }
}
