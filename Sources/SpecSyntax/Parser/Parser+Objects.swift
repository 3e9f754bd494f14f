import SpecDiagnostics

/// Parses what an object has besides its fields.
extension Parser {
    /// `{ id: int }`, or `{ with: User, level: int }`
    mutating func shortObject(_ node: YAMLNode) -> TypeSyntax {
        var type = TypeSyntax(.object(fields(node, isShort: true)), at: node.span)
        type.joins = joins(node)
        if let mixins = node.value(of: "with") { type.mixins = self.mixins(mixins) }
        return type
    }

    /// A key of the long form that only an object has.
    mutating func object(_ entry: YAMLEntry, of node: YAMLNode, into type: inout TypeSyntax) {
        let others = ["type", "enum", "const", "one-of"]
        if let other = node.entries.first(where: { others.contains($0.key.text) }) {
            return reportConflict(entry.key.located, with: other.key.located)
        }
        switch entry.key.text {
        case "with": type.mixins = mixins(entry.value)
        case "closed":
            if flag(entry.value, for: "`closed`") == true { type.closed = entry.key.span }
        case "rules": type.rules = crossRules(entry.value)
        default:
            guard case .object(let fields) = type.form, let field = additional(entry) else {
                return
            }
            type.form = .object(fields + [field])
        }
    }

    /// `with: User`, or `with: [User, Timestamps]`
    private mutating func mixins(_ node: YAMLNode) -> [TypeSyntax] {
        items(node).compactMap { item in
            let help = "for a field called `with`, write `{ fields: { with: … } }`"
            if item.kind == .scalar { return type(item, help: { _ in help }) }
            reportKind(item, expected: "the name of a model", help: help)
            return nil
        }
    }

    /// `additional: T`. The attributes of a field belong to the property, the others to each value.
    private mutating func additional(_ entry: YAMLEntry) -> ParameterSyntax? {
        guard entry.value.boolean == nil else {
            reportKind(
                entry.value, expected: "the type of further values",
                help: "`additional: json` keeps any value, `closed: true` refuses further keys")
            return nil
        }
        var value = type(entry.value)
        var map = TypeSyntax(.invalid, at: value.span)
        let moved: [AttributesSyntax.Key] = [.doc, .link, .deprecated, .swift, .sensitive]
        map.attributes.keys = value.attributes.keys.filter { moved.contains($0.value) }
        map.attributes.documentation = value.attributes.documentation
        map.attributes.swift.name = value.attributes.swift.name
        map.attributes.isSensitive = value.attributes.isSensitive
        value.attributes.keys.removeAll { moved.contains($0.value) }
        value.attributes.documentation = DocumentationSyntax()
        value.attributes.swift.name = nil
        value.attributes.isSensitive = nil
        map.form = .map(key: TypeSyntax(.named("string"), at: entry.key.span), value: value)
        var field = ParameterSyntax(key: entry.key.located, type: map)
        field.isAdditional = true
        return field
    }
}
