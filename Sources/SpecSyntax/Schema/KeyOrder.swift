/// The order of the keys of a value in a formatted spec: that of the tables of keys. Names that the
/// author chose keep their order, as do sections of parameters and rules, whose order has a meaning.
package struct KeyOrder: Sendable {
    private let form: ValueForm
    /// Whether a mapping stands on lines of its own, even if it fits one.
    package let isBlock: Bool

    /// That of a file.
    package init(of schema: JSONSchema) {
        self.init(.mapping(schema == .api ? .api : .group))
    }

    private init(_ form: ValueForm, isBlock: Bool = false) {
        self.form = form
        self.isBlock = isBlock
    }

    /// The entries of a mapping in order, each with that of its value.
    package func entries(of node: YAMLNode) -> [(entry: YAMLEntry, inside: KeyOrder)] {
        switch Self.resolved(form, node) {
        case .mapping(let schema):
            let isStructured = node.entries.contains {
                ["fields", "enum", "one-of"].contains($0.key.text)
            }
            let ranked = node.entries.enumerated().map { index, entry in
                (
                    Self.rank(of: entry.key.text, in: schema, isStructured: isStructured), index,
                    entry
                )
            }
            return ranked.sorted { ($0.0, $0.1) < ($1.0, $1.1) }.map { _, _, entry in
                let key = entry.key.text
                let form = schema.keys.firstIndex(of: key).map { schema.forms[$0] }
                let isSection =
                    schema.name == MappingSchema.group.name
                    && ["methods", "models"].contains(key)
                return (entry, KeyOrder(form ?? .any, isBlock: isSection))
            }
        case .named(let form, _, _): return node.entries.map { ($0, KeyOrder(form)) }
        default: return node.entries.map { ($0, KeyOrder(.any)) }
        }
    }

    /// The order in the items of a list.
    package func item(of node: YAMLNode) -> KeyOrder {
        switch Self.resolved(form, node) {
        case .list(let form, _, _): KeyOrder(form)
        case .type: KeyOrder(.type)
        default: KeyOrder(.any)
        }
    }

    /// The one of several forms that a collection has.
    private static func resolved(_ form: ValueForm, _ node: YAMLNode) -> ValueForm {
        switch form {
        case .type where node.kind == .mapping:
            node.entries.contains { TypeNames.bases.contains($0.key.text) }
                ? .mapping(.type) : .named(.field)
        case .told(let schema, let keys, let others, let form):
            keys.allSatisfy { node.value(of: $0) != nil }
                && !others.contains { node.value(of: $0) != nil }
                ? .mapping(schema) : resolved(form, node)
        case .either(let forms):
            forms.lazy.map { resolved($0, node) }.first { isForm($0, of: node) } ?? .any
        default: form
        }
    }

    private static func isForm(_ form: ValueForm, of node: YAMLNode) -> Bool {
        switch form {
        case .mapping(let schema):
            node.kind == .mapping && node.entries.allSatisfy { schema.accepts($0.key.text) }
        case .named: node.kind == .mapping
        case .list, .type: node.kind == .sequence
        default: false
        }
    }

    /// Sections whose parameters become arguments in the order in which they are written.
    private static let sections = [
        "path", "query", "headers", "parameters", "form", "json", "multipart", "body", "params",
    ]

    private static func rank(
        of key: String, in schema: MappingSchema, isStructured: Bool
    ) -> Int {
        let end = schema.keys.count
        if schema.name == MappingSchema.type.name {
            if key == "key" { return -2 }
            if ["doc", "link", "deprecated"].contains(key) { return isStructured ? -1 : end + 2 }
            if ["example", "examples"].contains(key) { return end + 1 }
            if schema.more.contains(key) { return end }
        }
        let same = sections.contains(key) ? schema.keys.firstIndex(where: sections.contains) : nil
        return same ?? schema.keys.firstIndex(of: key) ?? end + 3
    }
}
