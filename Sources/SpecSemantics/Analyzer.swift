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
        // What a mistake keeps from being understood would look unused.
        if !bag.hasErrors, !analyzer.bag.hasErrors { analyzer.reportUnused() }
        bag.report(contentsOf: analyzer.bag)
        return bag.hasErrors ? nil : api
    }
}

/// The state of an analysis. Its methods, one file per concern, live in extensions.
struct Analyzer {
    let spec: Spec
    let symbols: SymbolTable
    var bag = DiagnosticBag()
    /// What aliases stand for; one with a mistake is missing.
    var aliases: [String: Value] = [:]
    /// Aliases whose values must never be shown.
    var sensitiveAliases: Set<String> = []
    /// Aliases whose values may be secrets, if what is of their type is called so.
    var plainAliases: Set<String> = []
    /// Aliases that stand for themselves.
    var recursiveAliases: Set<String> = []
    /// Enumerations already worked out, by the model's or inline type's qualified name.
    var enumerations: [String: Enumeration] = [:]
    /// The model being worked out, or `nil` for a method and the API.
    var currentModel: String?
    /// The models that a model, or a method or the API (`nil`), mentions.
    var references: [String?: Set<String>] = [:]
    /// The type names of the module.
    var moduleNames = NameScope("the module")
    /// The type names inside of models, by the model's qualified name.
    var nestedNames: [String: NameScope] = [:]
    /// Where inline types are declared, by qualified name.
    var inlineSpans: [String: Span] = [:]
    /// Where the fields of models are declared, by the model's qualified name and the Swift name.
    var fieldSpans: [String: [String: Span]] = [:]
    /// The protocols that models are to conform to, by qualified name.
    var requestedConformances: [String: ConformanceRequest] = [:]
    /// The rules that compare elements of lists.
    var comparisons: [Comparison] = []
    /// The methods whose transfers are the system's.
    var backgroundCalls: [BackgroundCall] = []

    var namer: SwiftNamer { symbols.namer }

    init(_ spec: Spec, _ api: APISyntax) {
        self.spec = spec
        var namer = SwiftNamer()
        for name in api.names { namer.add(name.word.value, spelt: name.spelling.value) }
        symbols = SymbolTable(spec, namer: namer, bag: &bag)
    }
}
