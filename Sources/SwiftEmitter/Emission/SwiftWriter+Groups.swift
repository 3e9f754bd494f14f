import SpecIR

/// Writes the file of a group: calls, requests, mapper, validator, models.
extension SwiftWriter {
    mutating func group(_ group: Group, of api: API) {
        patterns = PatternTable(owner: group.names.patterns, values: group.values)
        if !group.methods.isEmpty {
            mark("Calls")
            callProtocol(group, api)
            line()
            calls(group, api)
            line()
            fake(group)
            mark("Requests")
            requests(group, api)
            mark("Replies")
            replies(group, api)
        }
        if !group.models.isEmpty {
            mark("Models")
            for (index, model) in group.models.enumerated() {
                if index > 0 { line() }
                self.model(model)
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
