import SpecDiagnostics
import SpecIR
import SpecSyntax

/// What can only be known once every type is: which models are sent and received, and which hold
/// themselves.
extension Analyzer {
    mutating func finished(_ api: API) -> API {
        var graph = ModelGraph(api)
        for circle in graph.endlessModels() { reportEndless(circle) }
        let indirect = graph.indirectFields()
        let usage = ModelUsage(api, graph)
        var api = api
        for index in api.groups.indices {
            api.groups[index].models = api.groups[index].models.map {
                Self.marked($0, usage, indirect)
            }
        }
        return api
    }

    private static func marked(
        _ model: Model, _ usage: ModelUsage, _ indirect: Set<ModelGraph.FieldID>
    ) -> Model {
        var model = model
        model.isRead = usage.read.contains(model.qualifiedName)
        model.isWritten = usage.written.contains(model.qualifiedName)
        model.nested = model.nested.map { marked($0, usage, indirect) }
        if case .object(var fields) = model.kind {
            for index in fields.indices {
                let id = ModelGraph.FieldID(model: model.qualifiedName, field: fields[index].name)
                fields[index].isIndirect = indirect.contains(id)
            }
            model.kind = .object(fields)
        }
        return model
    }

    private mutating func reportEndless(_ circle: [String]) {
        let entry = symbols.models.values.first { entry in
            circle.contains { $0 == entry.swiftName || $0.hasPrefix(entry.swiftName + ".") }
        }
        guard let entry, let start = circle.first else { return }
        bag.report(
            .endlessModel, "model `\(entry.syntax.name.value)` holds itself without an end",
            at: entry.syntax.name.span, label: (circle + [start]).joined(separator: " → "),
            help: "make one of the fields on the way optional, or a list")
    }

    /// Reports models that neither a method nor an error leads to.
    mutating func reportUnused(_ api: API) {
        for group in spec.groups {
            for model in group.models where !usedModels.contains(model.name.value) {
                guard let entry = symbols.models[model.name.value],
                    entry.syntax.name.span == model.name.span
                else { continue }
                bag.report(
                    .unusedModel, "model `\(model.name.value)` is not used", at: model.name.span,
                    help: "remove it, or use it in a method or another model")
            }
        }
    }
}

/// Which models replies hold and which requests hold, directly or through others.
struct ModelUsage {
    private(set) var read: Set<String> = []
    private(set) var written: Set<String> = []

    init(_ api: API, _ graph: ModelGraph) {
        let methods = api.groups.flatMap(\.methods)
        let arguments = methods.flatMap(\.parameters).map(\.value)
        var replies: [Value] = []
        for case .value(let value) in methods.map(\.output) { replies.append(value) }
        let errors = api.errors?.cases.compactMap(\.model) ?? []
        // Arguments are read as well: a request can be built from a dictionary of properties.
        read = graph.reachable(from: (replies + arguments).flatMap { $0.type.models } + errors)
        written = graph.reachable(
            from: (arguments + api.baseParameters.map(\.value)).flatMap { $0.type.models })
    }
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
