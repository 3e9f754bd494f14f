import SpecDiagnostics
import SpecIR
import SpecSyntax

/// Resolves the names of a spec: aliases, models, inline types, the types of parameters and replies, and
/// the literals that depend on them. Its extensions have one file per concern.
struct Resolver {
    let spec: Spec
    let api: APISyntax
    let symbols: SymbolTable
    var bag = DiagnosticBag()
    /// The resolved aliases, without those with errors.
    var aliases: [String: Value] = [:]
    var sensitivity: Sensitivity
    /// Aliases on a cycle.
    var recursiveAliases: Set<String> = []
    /// Reads literals, and holds the enumerations resolved so far.
    var literals: LiteralReader
    /// Checks rules, and collects those that compare elements of lists.
    var ruleValidator: RuleValidator
    /// The model being resolved, or `nil` for a method and the API.
    var currentModel: String?
    /// The models that a model refers to; `nil` for methods and the API.
    var references: [String?: Set<String>] = [:]
    var names = NameTable()
    var places = TypePlaces()
    /// The declarations of models and inline types, by qualified name.
    var declarations: [String: TypeSyntax] = [:]

    /// The examples found so far.
    var examples: [ExampleReader.Pending] = []

    var namer: SwiftNamer { symbols.namer }

    /// Keeps the examples of a declaration until all models are known.
    mutating func keepExamples(
        _ syntax: DocumentationSyntax, value: Value, at place: Span, direction: Field.Direction?
    ) {
        if syntax.examples.isEmpty { return }
        examples.append(
            ExampleReader.Pending(
                syntax: syntax.examples, value: value, place: place, direction: direction))
    }

    /// Returns the resolved spec, or `nil` without an `api.yaml`. Errors are reported to `bag`.
    static func resolve(_ spec: Spec, into bag: inout DiagnosticBag) -> ResolvedSpec? {
        guard let api = spec.api else { return nil }
        let namer = SwiftNamer(api)
        let spec = SpecExpander.expand(spec, namer: namer, into: &bag)
        var resolver = Resolver(spec, spec.api ?? api, namer: namer)
        var resolved = resolver.resolved()
        complete(&resolved, into: &resolver.bag)
        bag.report(contentsOf: resolver.bag)
        return resolved
    }

    /// The passes that need all types, in order. No other code changes a resolved spec.
    private static func complete(_ spec: inout ResolvedSpec, into bag: inout DiagnosticBag) {
        UnionResolver.resolve(&spec, into: &bag)
        JoinResolver.resolve(&spec, into: &bag)
        ExtractionResolver.resolve(&spec, into: &bag)
        TemplateChecker.check(&spec, into: &bag)
        ExampleReader.readExamples(&spec, into: &bag)
        OwnRuleChecker.check(spec, into: &bag)
        // Up to here, models have the fields of both directions.
        DirectionSplitter.split(&spec, into: &bag)
        PageResolver.resolve(&spec, into: &bag)
    }

    private init(_ spec: Spec, _ api: APISyntax, namer: SwiftNamer) {
        self.spec = spec
        self.api = api
        symbols = SymbolTable(spec, namer: namer, bag: &bag)
        sensitivity = Sensitivity(symbols)
        literals = LiteralReader(symbols)
        ruleValidator = RuleValidator(symbols)
    }

    private mutating func resolved() -> ResolvedSpec {
        resolveAliases()
        sensitivity.add(
            unions: spec.groups.flatMap(\.models).filter {
                symbols.models[$0.name.value]?.kind == .union
            })
        let name = apiName()
        names.declareAPI(name, for: "the API", at: api.name?.span ?? api.span, into: &bag)
        let custom = spec.cascades.lazy.compactMap(\.validationMode).first { $0.value == .custom }
        if let custom { declareChecks(of: name, for: "`validate: custom`", at: custom.span) }
        let base = baseParameters(prefix: name)
        let errorCases = errorCases()
        let errorModels = errorModels()
        let groups = groups()
        if custom == nil, let rule = ruleValidator.ownRules.first {
            declareChecks(of: name, for: "rule `\(rule.id)`", at: rule.span)
        }
        return ResolvedSpec(
            spec: spec, api: api, symbols: symbols, name: name, baseParameters: base,
            errorCases: errorCases, errorModels: errorModels, groups: groups,
            sensitivity: sensitivity, references: references,
            comparisons: ruleValidator.comparisons, ownRules: ruleValidator.ownRules,
            places: places, literals: literals, declarations: declarations,
            pendingExamples: examples, moduleTypes: names.types, mixins: spec.mixins)
    }

    // MARK: The API

    private mutating func apiName() -> String {
        guard let given = api.name, let name = namer.typeName(given.value) else {
            if let given = api.name {
                bag.report(
                    .noSwiftName, "`\(given.value)` cannot become a Swift name", at: given.span,
                    help: "name the API with letters: `api: MyAPI`")
            }
            return "API"
        }
        NameTable.checkTypeName(name, at: given.span, into: &bag)
        return name
    }

    /// Declares the protocol of the app's own checks.
    private mutating func declareChecks(of api: String, for what: String, at place: Span) {
        names.declareAPI(api + "ReplyChecks", for: what, at: place, into: &bag)
    }

    private mutating func baseParameters(prefix: String) -> [ResolvedParameter] {
        let dates = dateForm(SettingsCascade(api))
        return api.parameters.compactMap { item in
            var nested: [Model] = []
            let context = TypeContext(item, prefix: prefix, dates: dates)
            let resolved = parameter(item, in: context, nested: &nested)
            if !nested.isEmpty {
                bag.report(
                    .typeNotAllowed, "a parameter of every request cannot declare a type",
                    at: item.type.span, help: "declare it under `models` of a group")
            }
            return resolved
        }
    }

    /// The cases of the API, its groups and its methods. A name that several declare with the same
    /// code is one case.
    private mutating func errorCases() -> [ResolvedErrorCase] {
        var scope = NameScope("`ErrorCode`")
        var codes: [String: String] = [:]
        return spec.cascades.flatMap(\.ownErrorCases).compactMap { item in
            guard let code = item.identity,
                let name = namer.valueName(
                    item.name, given: nil, reserved: ReservedNames.enumerationMembers,
                    help: "choose another name for the case", into: &bag)
            else { return nil }
            let model = errorModel(item.model)
            if codes[item.name.value] == code.value { return nil }
            codes[item.name.value] = code.value
            scope.declare(
                name, for: "case `\(item.name.value)`", at: item.name.span, into: &bag,
                help: "rename one of them")
            return ResolvedErrorCase(syntax: item, name: name, code: code.value, model: model)
        }
    }

    /// The models of all error objects, by their name.
    private mutating func errorModels() -> [String: String] {
        var models: [String: String] = [:]
        for name in spec.cascades.compactMap(\.own.errors?.model) {
            models[name.value] = errorModel(name)
        }
        return models
    }

    private mutating func errorModel(_ name: Located<String>?) -> String? {
        guard let name else { return nil }
        guard let entry = symbols.models[name.value] else {
            reportUnknownType(name.value, at: name.span)
            return nil
        }
        references[currentModel, default: []].insert(name.value)
        guard entry.kind == .object else {
            bag.report(
                .typeNotAllowed, "the model of an error needs fields, and `\(name.value)` has none",
                at: name.span, help: "name a model with fields")
            return nil
        }
        return entry.swiftName
    }
}
