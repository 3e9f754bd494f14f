import SpecIR

/// Writes the file of a group: calls, requests, mappers, models.
extension SwiftWriter {
    mutating func group(_ group: Group, of api: API) {
        patterns = PatternTable(owner: group.names.patterns, values: group.values)
        if !group.methods.isEmpty {
            mark("Calls")
            calls(group, api)
            if api.extras.contains(.fakes) {
                line()
                fake(group, of: api)
            }
            if api.extras.contains(.requests) {
                mark("Requests")
                requests(group, api)
            }
            if group.methods.contains(where: \.hasMapper) {
                mark("Replies")
                mappers(group)
            }
            if group.methods.contains(where: { !$0.extractions.isEmpty }) {
                mark("Values of replies")
                extractions(group, of: api)
            }
        }
        if !group.models.isEmpty {
            mark("Models")
            for (index, model) in group.models.enumerated() {
                if index > 0 { line() }
                code(of: model.place) { $0.model(model) }
            }
        }
        if !patterns.isEmpty {
            mark("Patterns")
            patterns.write(to: &self)
        }
    }

    private mutating func mark(_ title: String) {
        line()
        line("// MARK: - \(title)")
        line()
    }
}
