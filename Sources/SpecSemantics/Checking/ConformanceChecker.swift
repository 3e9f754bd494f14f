import SpecDiagnostics
import SpecIR
import SpecSyntax

/// The conformances required of a model.
struct ConformanceRequest {
    /// All required protocols.
    let all: [Conformance]
    /// The protocols of its own declaration.
    let own: [Located<Conformance>]
}

/// A rule that compares the elements of a list.
struct Comparison {
    /// The span of the rule.
    let span: Span
    /// The type of the elements.
    let type: ValueType
    /// The field of the elements that is compared, or `nil` for the elements as a whole.
    var field: String?
}

/// Checks the conformances of models, which Swift derives only if all fields conform.
struct ConformanceChecker {
    private let spec: ResolvedSpec
    private let table: ConformanceTable
    private var bag = DiagnosticBag()

    static func check(_ spec: ResolvedSpec, into bag: inout DiagnosticBag) {
        let models = ModelConformances(spec.models, ModelGraph(spec.models)).propagated
        var checker = ConformanceChecker(spec: spec, table: ConformanceTable(models))
        for comparison in spec.comparisons { checker.check(comparison) }
        for model in models { checker.check(model) }
        bag.report(contentsOf: checker.bag)
    }

    private mutating func check(_ model: Model) {
        let own = spec.conformances[model.qualifiedName]?.own ?? []
        for name in own where name.value != .identifiable {
            checkMembers(of: model, conformance: name)
        }
        if let problem = table.problem(identifying: model),
            let place = own.first(where: { $0.value == .identifiable })?.span
        {
            bag.report(
                .attributeDoesNotApply,
                "`\(model.apiName)` cannot be `Identifiable`: \(problem)",
                at: place,
                help: "name the identifying field `id`, with "
                    + "`swift: { name: id }` if necessary")
        }
        for nested in model.nested { check(nested) }
    }

    private mutating func checkMembers(
        of model: Model, conformance wanted: Located<Conformance>
    ) {
        for (name, shown, type) in model.members {
            guard let odd = table.nonconformingType(to: wanted.value, in: type) else { continue }
            let oddName = spec.typeNames.name(of: odd)
            let place = spec.places.fields[model.qualifiedName]?[name]
            bag.report(
                .attributeDoesNotApply,
                "`\(model.apiName)` cannot be `\(wanted.value.rawValue)`: \(shown) holds "
                    + "`\(oddName)`, which is not", at: wanted.span,
                notes: place.map { [Diagnostic.Note("\(shown) is here", at: $0)] } ?? [],
                help: "add `conforms: [\(wanted.value.rawValue)]` to `\(oddName)`, too")
            return
        }
    }

    private mutating func check(_ comparison: Comparison) {
        guard let key = comparison.field else {
            guard let odd = table.nonconformingType(to: .hashable, in: comparison.type) else {
                return
            }
            let isFile = odd == "file"
            let type = spec.typeNames.name(of: odd)
            bag.report(
                .ruleDoesNotApply, "`unique` cannot compare values of `\(type)`",
                at: comparison.span,
                help: isFile
                    ? "remove it"
                    : "write `unique-by: key`, or add `conforms: [Hashable]` to `\(type)`")
            return
        }
        guard case .object(let name) = comparison.type,
            let field = table.fields(of: name).first(where: { $0.name == key }),
            let odd = table.nonconformingType(to: .hashable, in: field.value.type)
        else { return }
        let type = spec.typeNames.name(of: odd)
        bag.report(
            .ruleDoesNotApply, "`unique-by` cannot compare values of `\(type)`",
            at: comparison.span,
            help: "name another field, or add `conforms: [Hashable]` to `\(type)`")
    }
}

/// Which models conform to what.
struct ConformanceTable {
    private var models: [String: Model] = [:]

    init(_ models: [Model]) {
        var open = models
        while let model = open.popLast() {
            self.models[model.qualifiedName] = model
            open += model.nested
        }
    }

    func fields(of name: String) -> [Field] {
        guard case .object(let fields)? = models[name]?.kind else { return [] }
        return fields
    }

    /// The name of a type inside `type` that does not conform, or `nil` if all do.
    func nonconformingType(to wanted: Conformance, in type: ValueType) -> String? {
        switch type {
        case .list(let element), .map(_, let element):
            return nonconformingType(to: wanted, in: element.type)
        case .object(let name), .union(let name):
            // A model with an error has already been reported.
            guard let has = models[name]?.conformances else { return nil }
            return has.contains(wanted) || has.contains(.hashable) ? nil : name
        case .file: return "file"
        default: return nil
        }
    }

    /// The reason why a model cannot be `Identifiable`, or `nil`.
    func problem(identifying model: Model) -> String? {
        guard case .object(let fields) = model.kind else { return "it has no fields" }
        guard let field = fields.first(where: { $0.name == "id" }) else {
            return "it has no field `id`"
        }
        let odd = nonconformingType(to: .hashable, in: field.value.type)
        return odd == nil ? nil : "the value of its `id` is not `Hashable`"
    }
}

extension Model {
    /// Its fields or alternatives: the Swift name, the name in messages, and the type.
    fileprivate var members: [(name: String, shown: String, type: ValueType)] {
        switch kind {
        case .object(let fields): fields.map { ($0.name, "field `\($0.key)`", $0.value.type) }
        case .enumeration: []
        case .union(let union):
            union.cases.map { ($0.name, "alternative `\($0.apiName)`", $0.value.type) }
        }
    }
}
