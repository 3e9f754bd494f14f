import SpecSyntax

/// What several descriptions of one value allow together (JSON Schema 2020-12, 10.2.1.1).
extension SchemaReader {
    /// A schema that allows what both allow. What the second one says about the value besides its type
    /// comes first.
    func both(_ first: SchemaDescription, _ second: SchemaDescription) -> SchemaDescription {
        if first === second { return first }
        return made.schema(of: [first, second], for: "allOf") { Self.joined(first, second) }
    }

    private static func joined(
        _ first: SchemaDescription, _ second: SchemaDescription
    ) -> SchemaDescription {
        var notes = second.parts.notes
        notes.addNotes(first.parts.notes)
        if second.saysNothing || second.isBareReference && second.reference == first.reference {
            var parts = first.parts
            parts.description = notes.description
            parts.title = notes.title
            parts.defaultValue = notes.defaultValue
            parts.examples = notes.examples
            parts.addNotes(notes)
            return SchemaDescription(second.node, reference: first.reference, parts)
        }
        if first.saysNothing {
            var parts = second.parts
            parts.addNotes(notes)
            return SchemaDescription(second.node, reference: second.reference, parts)
        }
        // Null has to be allowed by both.
        notes.isNullable = false
        notes.tag = nil
        notes.all = [first, second]
        return SchemaDescription(second.node, notes)
    }

    /// The members of `allOf` in one schema, if they are no objects with fields; the schema itself
    /// otherwise.
    func whole(_ schema: SchemaDescription) -> SchemaDescription {
        if schema.parts.all.isEmpty { return schema }
        if let known = wholes[schema] { return known }
        let parts = combined(schema)
        let isPlain = parts?.properties.isEmpty == true
        let whole = isPlain ? parts.map { SchemaDescription(schema.node, $0) } ?? schema : schema
        wholes[schema] = whole
        return whole
    }

    private func combined(_ schema: SchemaDescription) -> SchemaParts? {
        guard let end = self.end(of: schema) else { return nil }
        var own = end.parts
        own.all = []
        guard let first = end.parts.all.first else { return own }
        if let known = intersections[end] { return known }
        // A schema that is a member of itself restricts nothing.
        intersections[end] = .some(nil)
        var parts = nested(or: nil) { combined(first) }
        for member in end.parts.all.dropFirst() {
            guard let next = nested(or: nil, { combined(member) }) else { return nil }
            parts = parts.map { intersection($0, next, at: end) }
        }
        let isNullable = own.isNullable
        var result = parts.map { intersection($0, own, at: end) }
        // `nullable: true` beside `allOf` adds null to what its members allow.
        if isNullable { result?.isNullable = true }
        intersections[end] = .some(result)
        return result
    }

    private func intersection(
        _ first: SchemaParts, _ second: SchemaParts, at schema: SchemaDescription
    ) -> SchemaParts {
        var parts = second
        parts.addNotes(first.notes)
        parts.isNullable =
            (first.isNullable || second.isNullable)
            && (first.isNullable || first.isEmpty) && (second.isNullable || second.isEmpty)
        if !first.kinds.isEmpty {
            let common = first.kinds.common(with: second.kinds)
            if second.kinds.isEmpty {
                parts.kinds = first.kinds
            } else if common.isEmpty {
                report.add(.composition, "types that exclude each other", at: schema.span)
            } else {
                parts.kinds = common
            }
        }
        parts.format = second.format ?? first.format
        intersectValues(of: &parts, first, at: schema)
        parts.properties = first.properties + second.properties
        parts.required.formUnion(first.required)
        if case .unsaid = second.furtherKeys { parts.furtherKeys = first.furtherKeys }
        if case .schema(let one) = first.furtherKeys, case .schema(let other) = second.furtherKeys {
            parts.furtherKeys = .schema(both(one, other))
        }
        parts.keys = second.keys ?? first.keys
        if first.items.count == 1, second.items.count == 1 {
            parts.items = [both(first.items[0], second.items[0])]
        } else if second.items.isEmpty {
            parts.items = first.items
        }
        if first.alternatives != nil, second.alternatives != nil {
            report.add(.composition, "alternatives in several members", at: schema.span)
        }
        parts.alternatives = second.alternatives ?? first.alternatives
        parts.rules = rules(first.rules, second.rules, at: schema)
        return parts
    }

    private func intersectValues(
        of parts: inout SchemaParts, _ first: SchemaParts, at schema: SchemaDescription
    ) {
        guard let old = first.values else { return }
        guard let new = parts.values else {
            parts.values = old
            parts.valueNames = first.valueNames
            parts.valueDocs = first.valueDocs
            return
        }
        let texts = Set(old.map(\.text))
        let common = new.filter { texts.contains($0.text) }
        if common.isEmpty {
            return report.add(.composition, "values that exclude each other", at: schema.span)
        }
        // Names belong to the values by their order.
        if common.count < new.count || parts.valueNames.isEmpty {
            let names = Dictionary(
                zip(old, first.valueNames).map { ($0.text, $1) }, uniquingKeysWith: { $1 })
            parts.valueNames = common.compactMap { names[$0.text] }
            if parts.valueNames.count < common.count { parts.valueNames = [] }
            parts.valueDocs = []
        }
        parts.values = common
    }

    /// The rules of both; of two with one name, the one that allows less.
    private func rules(
        _ first: [(key: String, node: YAMLNode)], _ second: [(key: String, node: YAMLNode)],
        at schema: SchemaDescription
    ) -> [(key: String, node: YAMLNode)] {
        var rules = first
        for rule in second {
            guard let index = rules.firstIndex(where: { $0.key == rule.key }) else {
                rules.append(rule)
                continue
            }
            let old = rules[index].node
            if let one = old.double, let other = rule.node.double, rule.key != "multipleOf" {
                let isLower = rule.key.hasPrefix("min") || rule.key == "exclusiveMinimum"
                if isLower ? other > one : other < one { rules[index] = rule }
            } else {
                if old.text != rule.node.text, rule.key == "pattern" || rule.key == "multipleOf" {
                    report.add(
                        rule.key == "pattern" ? .pattern : .rule, String(old.text.prefix(200)),
                        at: old.span)
                }
                if old.boolean != true { rules[index] = rule }
            }
        }
        return rules
    }
}

extension SchemaDescription {
    /// Whether it allows every value.
    fileprivate var saysNothing: Bool { reference == nil && parts.isEmpty }

    /// Whether it is a reference with nothing but notes.
    fileprivate var isBareReference: Bool { reference != nil }
}

extension [SchemaDescription.Kind] {
    /// The kinds that both allow; an integer is a number.
    fileprivate func common(with others: Self) -> Self {
        let isIn = { (kind: Element, kinds: Self) in
            kinds.contains(kind) || kind == .integer && kinds.contains(.number)
        }
        return filter { isIn($0, others) } + others.filter { isIn($0, self) && !contains($0) }
    }
}
