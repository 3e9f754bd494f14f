import SpecDiagnostics

/// Parses enumerations.
extension Parser {
    /// Reads the value of `enum`.
    ///
    /// - Parameter base: The value of `type` in the same mapping, if there is one.
    mutating func enumeration(_ entry: YAMLEntry, _ base: YAMLNode?) -> TypeSyntax {
        var cases: [EnumerationCaseSyntax] = []
        if entry.value.kind == .mapping {
            for item in entry.value.entries { cases.append(enumerationCase(item)) }
        } else {
            for item in items(entry.value) where isValue(item) {
                cases.append(EnumerationCaseSyntax(name: nil, value: item))
            }
        }
        var syntax = EnumerationSyntax(span: entry.key.span, cases: cases)
        var type = TypeSyntax(.invalid, at: entry.value.span)
        if let base { syntax.base = valueType(base, of: &type) }
        type.form = .enumeration(syntax)
        return type
    }

    /// An empty quoted text is a value, and so is the word `null`.
    private mutating func isValue(_ node: YAMLNode) -> Bool {
        if node.kind == .scalar, !node.isPlain || !["", "~"].contains(node.text) { return true }
        reportKind(node, expected: "a value")
        return false
    }

    /// The type beside `enum`: `string` or `int`, which may be optional or nullable.
    private mutating func valueType(
        _ node: YAMLNode, of type: inout TypeSyntax
    ) -> Located<EnumerationSyntax.Base>? {
        var parser = TypeTextParser(node)
        guard node.kind == .scalar, let base = parser.parse(), case .named(let name) = base.form
        else { return word(node, expecting: "a type of values") }
        type.optional = base.optional
        type.nullable = base.nullable
        if let word = EnumerationSyntax.Base(rawValue: name) { return Located(word, at: base.span) }
        reportWord(
            Located(name, at: base.span), expecting: "a type of values",
            among: EnumerationSyntax.Base.allCases.map(\.rawValue))
        return nil
    }

    private mutating func enumerationCase(_ entry: YAMLEntry) -> EnumerationCaseSyntax {
        guard entry.value.kind == .mapping else {
            if entry.value.isNull { reportKind(entry.value, expected: "a value") }
            return EnumerationCaseSyntax(name: entry.key.located, value: entry.value)
        }
        var result = EnumerationCaseSyntax(name: entry.key.located, value: entry.key)
        visit(entry.value, as: .enumCase) { parser, key, entry in
            if key == "value" {
                if parser.isValue(entry.value) { result.value = entry.value }
                return true
            }
            return parser.documentation(key, at: entry.value, into: &result.documentation)
        }
        return result
    }
}
