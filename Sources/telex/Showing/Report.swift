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

    /// Adds a diagnostic about a file or folder as a whole.
    mutating func add(
        _ code: DiagnosticCode, _ message: String, at path: String, help: String? = nil
    ) {
        let source = sources.add(path: path, bytes: [])
        bag.report(code, message, at: source.start, help: help)
    }
}
