import SpecIR

/// The models that replies and requests contain, directly or indirectly.
struct ModelUsage {
    private(set) var read: Set<String> = []
    private(set) var written: Set<String> = []

    init(_ spec: ResolvedSpec, _ graph: ModelGraph) {
        let methods = spec.methods
        let arguments = methods.flatMap(\.parameters).map(\.value)
        var replies: [Value] = []
        for case .value(let value) in methods.map(\.output) { replies.append(value) }
        let errors = spec.errorCases.compactMap(\.lowered.model) + spec.errorModels.values
        // Arguments are also decoded where a request can be built from a dictionary of properties.
        let decoded = spec.api.generate.contains { $0.value == .requests } ? arguments : []
        read = graph.reachable(from: (replies + decoded).flatMap { $0.type.models } + errors)
        written = graph.reachable(
            from: (arguments + spec.baseParameters.map(\.lowered.value)).flatMap { $0.type.models })
    }
}
