import SpecDiagnostics
import SpecIR

/// Completes models with what is known only when all are: whether they are read or written, their
/// conformances, and which fields are boxed.
struct ModelLowering {
    private let models: [String: Model]
    private let usage: ModelUsage
    private let indirect: Set<ModelGraph.FieldID>
    /// The models with sensitive fields, and those that hold them.
    private let sensitive: Set<String>
    private let examples: [Span: [Example]]
    private let places: TypePlaces
    private let symbols: SymbolTable

    init(_ spec: ResolvedSpec) {
        let graph = ModelGraph(spec.models)
        (examples, places, symbols) = (spec.examples, spec.places, spec.symbols)
        let propagated = ModelConformances(spec, graph).propagated
        models = Dictionary(
            propagated.map { ($0.qualifiedName, $0) }, uniquingKeysWith: { first, _ in first })
        usage = ModelUsage(spec, graph)
        indirect = graph.indirectFields()
        sensitive = graph.holders(
            of: propagated.withNested.filter(\.hasSensitiveField).map(\.qualifiedName))
    }

    /// Returns the completed model of a group.
    func lowered(_ model: Model) -> Model { completed(models[model.qualifiedName] ?? model) }

    private func completed(_ model: Model) -> Model {
        var model = model
        model.isRead = usage.read.contains(model.qualifiedName)
        model.isWritten = usage.written.contains(model.qualifiedName)
        if !examples.isEmpty, let entry = symbols.model(swiftName: model.qualifiedName) {
            model.documentation.examples = examples[entry.syntax.name.span] ?? []
        }
        if model.identityProblem != nil {
            model.conformances.removeAll { $0 == .identifiable }
        }
        model.nested = model.nested.map(completed)
        if case .object(var fields) = model.kind {
            for index in fields.indices {
                let id = ModelGraph.FieldID(model: model.qualifiedName, field: fields[index].name)
                fields[index].isIndirect = indirect.contains(id)
                let place = places.fields[model.qualifiedName]?[fields[index].name]
                fields[index].documentation.examples = place.flatMap { examples[$0] } ?? []
            }
            model.kind = .object(fields)
        }
        if case .union(var union) = model.kind {
            for index in union.cases.indices {
                let id = ModelGraph.FieldID(
                    model: model.qualifiedName, field: union.cases[index].name)
                union.cases[index].isIndirect = indirect.contains(id)
            }
            union.redactsUnknown = sensitive.contains(model.qualifiedName)
            model.kind = .union(union)
        }
        return model
    }
}

extension Model {
    fileprivate var hasSensitiveField: Bool {
        guard case .object(let fields) = kind else { return false }
        return fields.contains(where: \.isSensitive)
    }
}
