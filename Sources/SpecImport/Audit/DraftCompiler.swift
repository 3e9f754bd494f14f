import SpecDiagnostics
import SpecIR
import SpecSemantics
import SpecSyntax

/// Compiles the files of a draft in memory.
enum DraftCompiler {
    /// The API of the files; nil if they have errors.
    static func compile(_ files: [(name: String, text: String)]) -> API? {
        var sources = SourceMap()
        var bag = DiagnosticBag()
        let files = files.map { file in
            SpecFile(path: file.name, source: sources.add(path: file.name, text: file.text))
        }
        let api = SpecAnalyzer.analyze(SpecParser.parse(files, into: &bag), into: &bag)
        return bag.hasErrors ? nil : api
    }
}
