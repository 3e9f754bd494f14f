import SpecDiagnostics
import SpecIR
import SpecSyntax

/// The checks that need all types: model usage, recursion and conformances.
extension Analyzer {
    mutating func finalized(_ api: API) -> API {
        let graph = ModelGraph(api)
        for cycle in graph.requiredCycles() { reportCycle(model: cycle) }
        checkHiddenNames(api)
        let background = BackgroundChecker(api: api, secrets: SecretFinder(api, fieldSpans))
        background.check(methods, into: &bag)
        let indirect = graph.indirectFields()
        let usage = ModelUsage(api, graph)
        var api = conforming(ModelConformances(api, graph).propagated(in: api))
        for index in api.groups.indices {
            api.groups[index].models = api.groups[index].models.map {
                Self.annotated($0, usage: usage, indirect: indirect)
            }
        }
        return api
    }

    private static func annotated(
        _ model: Model, usage: ModelUsage, indirect: Set<ModelGraph.FieldID>
    ) -> Model {
        var model = model
        model.isRead = usage.read.contains(model.qualifiedName)
        model.isWritten = usage.written.contains(model.qualifiedName)
        model.nested = model.nested.map { annotated($0, usage: usage, indirect: indirect) }
        if case .object(var fields) = model.kind {
            for index in fields.indices {
                let id = ModelGraph.FieldID(model: model.qualifiedName, field: fields[index].name)
                fields[index].isIndirect = indirect.contains(id)
            }
            model.kind = .object(fields)
        }
        return model
    }

    private mutating func reportCycle(model cycle: [String]) {
        // Only its parent can contain an inline type, so a cycle begins with a declared model.
        guard let first = cycle.first, let entry = symbols.model(swiftName: first) else { return }
        bag.report(
            .endlessModel, "model `\(entry.syntax.name.value)` always contains itself",
            at: entry.syntax.name.span, label: shown(cycle: cycle.map(literals.specNames.name)),
            help: "make one of the fields on the cycle optional, or a list")
    }
}

/// The models that replies and requests contain, directly or indirectly.
struct ModelUsage {
    private(set) var read: Set<String> = []
    private(set) var written: Set<String> = []

    init(_ api: API, _ graph: ModelGraph) {
        let methods = api.groups.flatMap(\.methods)
        let arguments = methods.flatMap(\.parameters).map(\.value)
        var replies: [Value] = []
        for case .value(let value) in methods.map(\.output) { replies.append(value) }
        let errors = api.errors?.cases.compactMap(\.model) ?? []
        // Arguments are also decoded, because a request can be built from a dictionary of
        // properties.
        read = graph.reachable(from: (replies + arguments).flatMap { $0.type.models } + errors)
        written = graph.reachable(
            from: (arguments + api.baseParameters.map(\.value)).flatMap { $0.type.models })
    }
}

/// The comparable models: those that declare it, and the models inside them.
struct ModelConformances {
    private let equatable: Set<String>
    private let hashable: Set<String>

    init(_ api: API, _ graph: ModelGraph) {
        let models = api.groups.flatMap(\.models).flatMap(\.withNested)
        func reach(_ name: Conformance) -> Set<String> {
            let roots = models.filter { $0.conformances.contains(name) }
            return graph.reachable(from: roots.map(\.qualifiedName))
        }
        hashable = reach(.hashable)
        equatable = reach(.equatable).subtracting(hashable)
    }

    /// Returns the API with the protocols of each model.
    func propagated(in api: API) -> API {
        var api = api
        for index in api.groups.indices {
            api.groups[index].models = api.groups[index].models.map(propagated)
        }
        return api
    }

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
    fileprivate var withNested: [Model] { [self] + nested.flatMap(\.withNested) }
}

extension ValueType {
    /// The qualified names of the models it mentions.
    var models: [String] {
        switch self {
        case .object(let name), .enumeration(let name, _): [name]
        case .list(let element): element.type.models
        case .map(.enumeration(let key), let element): [key] + element.type.models
        case .map(_, let element): element.type.models
        default: []
        }
    }
}
