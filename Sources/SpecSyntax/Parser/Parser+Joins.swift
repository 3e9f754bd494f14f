import SpecDiagnostics

/// Parses lookups, which stand among the fields of an object.
extension Parser {
    /// Whether an entry of an object is a lookup: a mapping with `join` and a mapping `in`.
    func isJoin(_ entry: YAMLEntry) -> Bool {
        entry.value.kind == .mapping && entry.value.value(of: "join") != nil
            && entry.value.value(of: "in")?.kind == .mapping
    }

    mutating func joins(_ node: YAMLNode) -> [JoinSyntax] {
        guard node.kind == .mapping else { return [] }
        return node.entries.filter(isJoin).compactMap { join($0) }
    }

    private mutating func join(_ entry: YAMLEntry) -> JoinSyntax? {
        var path: Located<[String]>?
        var sources: [JoinSourceSyntax] = []
        var documentation = DocumentationSyntax()
        visit(entry.value, as: .join) { parser, key, entry in
            switch key {
            case "join": path = parser.keyPath(entry.value, expecting: "a list and a field")
            case "in":
                sources = parser.entries(entry.value, of: "`in`").compactMap { parser.source($0) }
            default: return parser.documentation(key, at: entry.value, into: &documentation)
            }
            return true
        }
        return path.map {
            JoinSyntax(
                name: entry.key.located, path: $0, sources: sources, documentation: documentation)
        }
    }

    private mutating func source(_ entry: YAMLEntry) -> JoinSourceSyntax? {
        guard let key = text(entry.value, expecting: "a field") else { return nil }
        let isNegated = key.value.hasPrefix("-")
        let name = Located(isNegated ? String(key.value.dropFirst()) : key.value, at: key.span)
        return JoinSourceSyntax(list: entry.key.located, key: name, isNegated: isNegated)
    }
}
