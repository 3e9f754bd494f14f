import SpecDiagnostics

/// Parses unions in long form.
extension Parser {
    /// Reads the value of `one-of`: a mapping of tags, or a list.
    mutating func union(_ entry: YAMLEntry) -> TypeSyntax {
        let node = entry.value
        let alternatives: [AlternativeSyntax]
        switch node.kind {
        case .mapping:
            alternatives = node.entries.map { AlternativeSyntax(key: $0.key, type($0.value)) }
        case .sequence: alternatives = node.items.map { AlternativeSyntax(type($0)) }
        case .scalar:
            reportKind(
                node, expected: "a list or a mapping of alternatives",
                help: "write `one-of: [User, Problem]`, or without `one-of`: `User | Problem`")
            return TypeSyntax(.invalid, at: node.span)
        }
        return TypeSyntax(.union(UnionSyntax(alternatives, at: entry.key.span)), at: node.span)
    }

    /// Reads `tag`, `content` or `closed`, which stand beside `one-of`.
    ///
    /// - Returns: True: the key is known.
    mutating func unionKey(_ key: String, _ entry: YAMLEntry, of type: inout TypeSyntax) -> Bool {
        guard case .union(var union) = type.form else {
            if case .invalid = type.form { return true }
            bag.report(
                .attributeDoesNotApply, "`\(key)` only applies to `one-of`", at: entry.key.span,
                help: "for an object with a field called `\(key)`, write `{ fields: { … } }`")
            return true
        }
        switch key {
        case "tag": union.tag = text(entry.value, expecting: "the key of the tag")
        case "content": union.content = text(entry.value, expecting: "the key of the value")
        default: union.isClosed = flag(entry.value, for: "`closed`") == true
        }
        type.form = .union(union)
        return true
    }
}
