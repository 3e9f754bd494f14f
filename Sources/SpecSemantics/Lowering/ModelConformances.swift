import SpecIR

/// The comparable models: those that declare it, and the models inside them.
struct ModelConformances {
    private let equatable: Set<String>
    private let hashable: Set<String>

    private let models: [Model]

    init(_ models: [Model], _ graph: ModelGraph) {
        self.models = models
        let all = models.flatMap(\.withNested)
        func reach(_ name: Conformance) -> Set<String> {
            let roots = all.filter { $0.conformances.contains(name) }
            return graph.reachable(from: roots.map(\.qualifiedName))
        }
        hashable = reach(.hashable)
        equatable = reach(.equatable).subtracting(hashable)
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
        let others = model.conformances.filter { $0 == .identifiable }
        if hashable.contains(model.qualifiedName) { return [.hashable] + others }
        return (equatable.contains(model.qualifiedName) ? [.equatable] : []) + others
    }
}

extension Model {
    /// The model and its nested models.
    var withNested: [Model] { [self] + nested.flatMap(\.withNested) }
}
