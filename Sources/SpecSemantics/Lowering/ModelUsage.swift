import SpecIR

/// The models that replies and requests contain, and those that the app reads and writes itself,
/// directly or indirectly.
struct ModelUsage {
    private(set) var read: Set<String> = []
    private(set) var written: Set<String> = []

    init(_ spec: ResolvedSpec, _ graph: ModelGraph) {
        let methods = spec.methods
        let arguments = methods.flatMap(\.parameters).map(\.value)
        let replies =
            methods.flatMap(\.output.values) + methods.flatMap(\.extractions).map(\.value)
        let headers = methods.compactMap(\.replyHeaders?.model)
        let errors = spec.errorCases.compactMap(\.model) + spec.errorModels.values
        let open = spec.symbols.models.values.filter(\.syntax.type.attributes.isPublic)
        let codable = spec.models.withNested.filter {
            $0.conformances.contains(.codable)
        }
        let ofApp = open.map(\.swiftName) + codable.map(\.qualifiedName)
        // Arguments are also decoded where a request can be built from a dictionary of properties.
        let decoded = spec.api.generate.contains { $0.value == .requests } ? arguments : []
        let received = (replies + decoded).flatMap { $0.type.models }
        let sent = (arguments + spec.baseParameters.map(\.value)).flatMap { $0.type.models }
        read = graph.reachable(from: received + headers + errors + ofApp)
        written = graph.reachable(from: sent + ofApp)
    }
}
