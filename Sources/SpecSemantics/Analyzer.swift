import SpecDiagnostics
import SpecIR
import SpecSyntax

/// Finds out what a spec means: resolves names, checks every rule of the language, and lowers what
/// is sound to the IR.
public enum SpecAnalyzer {
    /// The meaning of a spec, or `nil` if it has errors; all of them are reported to `bag`.
    public static func analyze(_ spec: Spec, into bag: inout DiagnosticBag) -> API? {
        guard let syntax = spec.api else { return nil }
        var analyzer = Analyzer(spec, syntax)
        let api = analyzer.api(syntax)
        analyzer.reportUnused(api)
        bag.report(contentsOf: analyzer.bag)
        return bag.hasErrors ? nil : api
    }
}

/// The state of an analysis. Its methods, one file per concern, live in extensions.
struct Analyzer {
    let spec: Spec
    let symbols: Symbols
    var bag = DiagnosticBag()
    /// Aliases already worked out.
    var aliases: [String: Value] = [:]
    /// Aliases being worked out, to notice one that stands for itself.
    var aliasesInProgress: [String] = []
    /// Enumerations already worked out, by the model's or inline type's qualified name.
    var enumerations: [String: Enumeration] = [:]
    /// Names of models that something refers to.
    var usedModels: Set<String> = []
    /// The type names of the module.
    var moduleNames = NameScope("the module")

    var namer: SwiftNamer { symbols.namer }

    init(_ spec: Spec, _ api: APISyntax) {
        self.spec = spec
        var namer = SwiftNamer()
        for name in api.names { namer.add(name.word.value, spelt: name.spelling.value) }
        symbols = Symbols(spec, namer: namer, bag: &bag)
    }
}
