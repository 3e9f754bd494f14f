import SpecSyntax

/// The alternatives of a schema, each with all that holds for every one of them.
struct SchemaChoice {
    /// One of the alternatives.
    struct Alternative {
        /// What a value of it obeys.
        var schema: SchemaDescription
        /// The alternative as the description has it, by which it is named.
        var source: SchemaDescription
    }

    var alternatives: [Alternative]
    var tag: SchemaTag?
}

extension SchemaReader {
    /// The alternatives of a schema, also of one inside its `allOf`; nil if it has none.
    ///
    /// `oneOf` beside properties, or in a member of `allOf`, is the same as a `oneOf` whose alternatives
    /// repeat what stands beside.
    func choice(in schema: SchemaDescription) -> SchemaChoice? {
        if !schema.hasChoice, schema.parts.all.isEmpty { return nil }
        if let known = choices[schema] { return known }
        // A schema that is met inside itself has no further alternatives.
        choices[schema] = .some(nil)
        let choice = findChoice(in: schema)
        choices[schema] = choice
        return choice
    }

    private func findChoice(in schema: SchemaDescription) -> SchemaChoice? {
        if schema.hasChoice { return ownChoice(of: schema) }
        let members = schema.parts.all
        for (index, member) in members.enumerated() {
            guard let end = end(of: member), !families.isInherited(end),
                let inner = choice(in: end)
            else { continue }
            var rest = schema.parts
            rest.isNullable = false
            rest.tag = nil
            rest.all.remove(at: index)
            return joined(inner, rest: rest, of: schema)
        }
        return nil
    }

    /// The most alternatives that become one union with those of others.
    private static let mostAlternatives = 300

    private func ownChoice(of schema: SchemaDescription) -> SchemaChoice {
        let tag = schema.parts.tag
        var alternatives: [SchemaChoice.Alternative] = []
        var seen: Set<String> = []
        for alternative in schema.parts.alternatives ?? [] {
            // A union inside a union is one, unless another tag tells its own alternatives apart.
            if let end = end(of: alternative), !families.isInherited(end),
                tag == nil || end.parts.tag == nil || end.parts.tag?.key == tag?.key,
                let inner = choice(in: end),
                alternatives.count + inner.alternatives.count <= Self.mostAlternatives
            {
                alternatives += inner.alternatives.filter { item in
                    guard item.schema === item.source else { return true }
                    return item.source.reference.map { seen.insert($0.key).inserted } ?? true
                }
            } else {
                alternatives.append(.init(schema: alternative, source: alternative))
            }
        }
        var rest = schema.parts
        rest.alternatives = nil
        rest.tag = nil
        rest.isNullable = false
        if rest.kinds == [.object] { rest.kinds = [] }
        return joined(SchemaChoice(alternatives: alternatives, tag: tag), rest: rest, of: schema)
    }

    /// Adds what holds for each of the alternatives. Those that extend the schema have it already.
    private func joined(
        _ choice: SchemaChoice, rest: SchemaParts, of schema: SchemaDescription
    ) -> SchemaChoice {
        if rest.isEmpty { return choice }
        var rest = rest.withoutNotes
        rest.all = rest.all.map(withoutChoice)
        let beside = SchemaDescription(schema.node, rest)
        var choice = choice
        let descendants = Set(families.descendants(of: schema).map(\.node.span))
        for index in choice.alternatives.indices {
            let alternative = choice.alternatives[index]
            if let span = end(of: alternative.source)?.span, descendants.contains(span) { continue }
            var parts = SchemaParts()
            parts.all = [beside, alternative.schema]
            parts.title = alternative.source.parts.title
            parts.description = alternative.source.parts.description
            choice.alternatives[index].schema = SchemaDescription(alternative.schema.node, parts)
        }
        return choice
    }

    /// A member of `allOf` beside the one whose alternatives count: the fields of all its alternatives.
    private func withoutChoice(_ member: SchemaDescription) -> SchemaDescription {
        guard let end = end(of: member), !families.isInherited(end), let choice = choice(in: end)
        else { return member }
        report.add(.composition, "alternatives in several members", at: member.span)
        return merged(choice.alternatives.map { flat($0.schema) }, at: member.node)
    }
}

extension SchemaParts {
    /// Without documentation, examples and flags.
    fileprivate var withoutNotes: SchemaParts {
        var parts = self
        (parts.title, parts.description, parts.link, parts.defaultValue) = (nil, nil, nil, nil)
        parts.examples = []
        parts.isDeprecated = false
        parts.isReadOnly = false
        parts.isWriteOnly = false
        return parts
    }
}
