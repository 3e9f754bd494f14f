import SpecDiagnostics
import TelexCompiler

/// All that a run has to say: the compiler's diagnostics and those about reading and writing.
struct Report {
    private(set) var sources = SourceMap()
    private(set) var bag = DiagnosticBag()

    init() {}

    init(_ compilation: Compilation) {
        sources = compilation.sources
        bag = compilation.diagnostics
    }

    /// Adds a mistake about a file or folder as a whole.
    mutating func add(
        _ code: DiagnosticCode, _ message: String, at path: String, help: String? = nil
    ) {
        let source = sources.add(path: path, bytes: [])
        bag.report(code, message, at: source.start, help: help)
    }
}
