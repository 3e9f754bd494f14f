import SpecIR
import SpecImport
import SpecSyntax

/// Writes the responses of failed calls.
struct ErrorWriter {
    /// The responses that several operations have.
    private(set) var shared: [DraftEntry] = []
    private let layers: [ErrorsSyntax]
    private let rules: ErrorRules?
    private let components: [String: String]
    private let isOfAPI: Bool

    init(
        _ source: ExportSource, group: ExportSource.Group, method: ExportSource.Method,
        components: [String: String]
    ) {
        let all = [
            method.expanded.settings, group.expanded.settings, source.api.settings,
        ].map(\.errors)
        layers = all.compactMap { $0 }
        isOfAPI = all[0] == nil && all[1] == nil
        rules = method.lowered.errors ?? source.lowered.errors
        self.components = components
    }

    /// The responses by status; any other status is `default`.
    mutating func responses() -> [DraftEntry] {
        guard let rules else { return [] }
        let model = layers.lazy.compactMap(\.model).first?.value
        var responses: [DraftEntry] = []
        for item in rules.cases {
            guard let status = item.status, !responses.contains(where: { $0.key == "\(status)" })
            else { continue }
            let text = item.documentation.text ?? "Error `\(item.name)`."
            let own = modelName(of: item.name) ?? model
            responses.append(
                DraftEntry(
                    text: "\(status)", value(item.name, text: text, schema: schema(own, rules))))
        }
        let usual = value("Error", text: "The call failed.", schema: schema(model, rules))
        return responses + [DraftEntry("default", usual)]
    }

    private func modelName(of name: String) -> String? {
        layers.lazy.flatMap(\.cases).first { $0.name.value == name }?.model?.value
    }

    /// A response, or a reference to it if it belongs to the API.
    private mutating func value(
        _ name: String, text: String, schema: DraftValue
    ) -> DraftValue {
        let content = DraftEntry("application/json", .map([DraftEntry("schema", schema)]))
        let value = DraftValue.map([
            DraftEntry("description", .text(text)), DraftEntry("content", .map([content])),
        ])
        guard isOfAPI, ExportSource.isKey(name) else { return value }
        shared.append(DraftEntry(name, value))
        return .map([DraftEntry("$ref", .text("#/components/responses/\(name)"))])
    }

    /// The schema of a whole reply with an error object.
    private func schema(_ model: String?, _ rules: ErrorRules) -> DraftValue {
        let key = model.flatMap { components[$0] }
        let object: DraftValue =
            key.map { .map([DraftEntry("$ref", .text("#/components/schemas/\($0)"))]) }
            ?? members(rules)
        return rules.at.reversed().reduce(object) { inner, step in
            switch step {
            case .key(let key):
                var members = ObjectMembers()
                _ = members.add(inner, key: key, at: [], isRequired: false)
                return .map(members.entries)
            case .index, .each, .first:
                return .map([.type("array"), DraftEntry("items", inner)])
            }
        }
    }

    private func members(_ rules: ErrorRules) -> DraftValue {
        var members = ObjectMembers()
        let text = DraftValue.map([.type("string")])
        let messages = [rules.message] + rules.furtherMessages
        for (path, schema) in [(rules.code, .map([]))] + messages.map({ ($0, text) }) {
            guard let key = path.last else { continue }
            _ = members.add(schema, key: key, at: path.dropLast(), isRequired: false)
        }
        return .map(members.entries)
    }
}
