import SpecDiagnostics
import SpecIR
import SpecSyntax

/// Analyses a spec: resolves names, checks the rules of the language, and lowers it to the IR.
public enum SpecAnalyzer {
    /// Returns the IR of a spec, or `nil` if it has errors, which are reported to `bag`.
    public static func analyze(_ spec: Spec, into bag: inout DiagnosticBag) -> API? {
        guard let syntax = spec.api else { return nil }
        var analyzer = Analyzer(spec, syntax)
        let api = analyzer.api(syntax)
        var linter = Linter(spec, syntax, lowered: api, methods: analyzer.methods)
        // After an error, models would be reported as unused by mistake.
        if !bag.hasErrors, !analyzer.bag.hasErrors { linter.reportUnused(analyzer.references) }
        bag.report(contentsOf: analyzer.bag)
        bag.report(contentsOf: linter.bag)
        return bag.hasErrors ? nil : api
    }
}

/// The state of an analysis. Its extensions have one file per concern.
struct Analyzer {
    let spec: Spec
    let symbols: SymbolTable
    var bag = DiagnosticBag()
    /// The resolved aliases, without those with errors.
    var aliases: [String: Value] = [:]
    /// Aliases whose values are redacted.
    var sensitiveAliases: Set<String> = []
    /// Aliases whose values may be secrets, depending on the name of the field or parameter.
    var plainAliases: Set<String> = []
    /// Aliases on a cycle.
    var recursiveAliases: Set<String> = []
    /// Lowers literals, and holds the enumerations lowered so far.
    var literals: LiteralReader
    /// Checks rules, and collects those that compare elements of lists.
    var ruleValidator: RuleValidator
    /// The model being lowered, or `nil` for a method and the API.
    var currentModel: String?
    /// The models that a model refers to; `nil` for methods and the API.
    var references: [String?: Set<String>] = [:]
    /// The type names of the module.
    var moduleNames = NameScope("the module")
    /// The nested type names, by the qualified name of the model.
    var nestedNames: [String: NameScope] = [:]
    /// The spans of inline types, by qualified name.
    var inlineSpans: [String: Span] = [:]
    /// The spans of fields, by the model's qualified name and the Swift name.
    var fieldSpans: [String: [String: Span]] = [:]
    /// The conformances required of models, by qualified name.
    var requestedConformances: [String: ConformanceRequest] = [:]
    /// The methods lowered so far.
    var methods: [CheckedMethod] = []

    var namer: SwiftNamer { symbols.namer }

    init(_ spec: Spec, _ api: APISyntax) {
        self.spec = spec
        var namer = SwiftNamer()
        for name in api.names { namer.add(name.word.value, spelt: name.spelling.value) }
        symbols = SymbolTable(spec, namer: namer, bag: &bag)
        literals = LiteralReader(symbols)
        ruleValidator = RuleValidator(symbols)
    }
}
