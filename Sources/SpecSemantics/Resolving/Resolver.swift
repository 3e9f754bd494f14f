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
    /// The conformances required of models, by qualified name.
    var requestedConformances: [String: ConformanceRequest] = [:]

    var namer: SwiftNamer { symbols.namer }

    /// Returns the resolved spec, or `nil` without an `api.yaml`. Errors are reported to `bag`.
    static func resolve(_ spec: Spec, into bag: inout DiagnosticBag) -> ResolvedSpec? {
        guard let api = spec.api else { return nil }
        var resolver = Resolver(spec, api)
        let resolved = resolver.resolved()
        bag.report(contentsOf: resolver.bag)
        return resolved
    }

    private init(_ spec: Spec, _ api: APISyntax) {
        self.spec = spec
        self.api = api
        var namer = SwiftNamer()
        for name in api.names { namer.add(name.word.value, spelt: name.spelling.value) }
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
        let base = baseParameters(prefix: name)
        let errorCases = errorCases()
        let groups = UnionResolver.resolve(groups(), places, into: &bag)
        return ResolvedSpec(
            spec: spec, api: api, symbols: symbols, name: name, baseParameters: base,
            errorCases: errorCases, groups: groups, sensitivity: sensitivity,
            references: references, comparisons: ruleValidator.comparisons, places: places,
            typeNames: literals.typeNames, conformances: requestedConformances)
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

    private mutating func baseParameters(prefix: String) -> [ResolvedParameter] {
        let dates = dateForm(SettingsCascade(api))
        return api.parameters.compactMap { item in
            var nested: [Model] = []
            let context = TypeContext(
                place: item.location.place, key: item.key.value, span: item.key.span, parent: "",
                prefix: prefix, dates: dates,
                isJSONText: item.type.attributes.style?.value == .json)
            let lowered = parameter(item, in: context, nested: &nested)
            if !nested.isEmpty {
                bag.report(
                    .typeNotAllowed, "a parameter of every request cannot declare a type",
                    at: item.type.span, help: "declare it under `models` of a group")
            }
            return lowered.map { ResolvedParameter(lowered: $0, span: item.key.span) }
        }
    }

    private mutating func errorCases() -> [ErrorCase] {
        var scope = NameScope("`ErrorCode`")
        return (api.errors?.cases ?? []).compactMap { item in
            guard let code = item.code,
                let name = namer.valueName(
                    item.name, given: nil, reserved: ReservedNames.enumerationMembers,
                    help: "choose another name for the case", into: &bag)
            else { return nil }
            scope.declare(
                name, for: "case `\(item.name.value)`", at: item.name.span, into: &bag,
                help: "rename one of them")
            return ErrorCase(
                name: name, code: code.value, documentation: Documentation(item.documentation),
                isRetryable: item.isRetryable, model: errorModel(item.model))
        }
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
