import SpecIR

/// A comparison of the elements of a list, which a rule requires.
struct Comparison {
    /// The type of the elements.
    let type: ValueType
    /// The field of the elements that is compared, or `nil` for the elements as a whole.
    var field: String?
}

/// The conformances of models: what each declares, and what others need of it. A field of an
/// `Equatable` or `Hashable` model, a compared element of a list and an identity conform, too,
/// because Swift could not derive or compile the rest otherwise.
struct ModelConformances {
    private let models: [Model]
    private let equatable: Set<String>
    private let hashable: Set<String>

    init(_ spec: ResolvedSpec, _ graph: ModelGraph) {
        models = spec.models
        let all = models.withNested
        func declaring(_ name: Conformance) -> [Model] {
            all.filter { $0.conformances.contains(name) }
        }
        let byName = models.byName
        let compared = spec.comparisons.flatMap { comparison -> [String] in
            guard let field = comparison.field else { return comparison.type.models }
            guard case .object(let name) = comparison.type else { return [] }
            return byName[name]?.models(inField: field) ?? []
        }
        let identities = declaring(.identifiable).flatMap { $0.models(inField: "id") }
        // A rule of a list holds in both directions.
        let sent = compared.map(DirectionSplitter.inputName).filter { byName[$0] != nil }
        hashable = graph.reachable(
            from: declaring(.hashable).map(\.qualifiedName) + compared + sent + identities)
        equatable = graph.reachable(from: declaring(.equatable).map(\.qualifiedName))
            .subtracting(hashable)
    }

    /// The models with the protocols of each.
    var propagated: [Model] { models.map(propagated) }

    private func propagated(in model: Model) -> Model {
        var model = model
        model.conformances = all(of: model)
        model.nested = model.nested.map(propagated)
        return model
    }

    private func all(of model: Model) -> [Conformance] {
        let others = model.conformances.filter { $0 != .equatable && $0 != .hashable }
        if hashable.contains(model.qualifiedName) { return [.hashable] + others }
        return (equatable.contains(model.qualifiedName) ? [.equatable] : []) + others
    }
}

extension Model {
    /// The models in a field, by its Swift name.
    fileprivate func models(inField name: String) -> [String] {
        guard case .object(let fields) = kind else { return [] }
        return fields.first { $0.name == name }?.value.type.models ?? []
    }
}
