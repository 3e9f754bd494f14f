import SpecIR
import SpecImport
import SpecSemantics
import SpecSyntax

extension SchemaWriter {
    // MARK: Objects

    mutating func object(
        _ fields: [ParameterSyntax], of type: TypeSyntax, _ node: YAMLNode?
    ) -> Words {
        let written = node?.isLongForm == true ? node?.value(of: "fields") : node
        if type.attributes.spelling != nil { return array(fields, of: type) }
        var members = ObjectMembers()
        let isEmpty = fields.allSatisfy(\.isAdditional) && type.mixins.isEmpty
        var isInexact = !type.joins.isEmpty || isEmpty
        var further: DraftEntry?
        for field in fields {
            if field.isAdditional {
                further = additional(field, node)
                continue
            }
            let child = written?.value(of: field.key.value)
            let steps = field.type.attributes.at?.value ?? []
            if !steps.isEmpty { isInexact = true }
            let key = steps.last ?? field.sentKey.value
            let schema = schema(field.type, child, place: name(field, key))
            let isNew = members.add(
                schema, key: key, at: steps.dropLast(), isRequired: field.isRequired)
            if !isNew { isInexact = true }
        }
        var own = members.entries
        if let further { own.append(further) }
        guard !type.mixins.isEmpty else {
            if type.closed != nil { own.append(.refusal("additionalProperties")) }
            return Words(own, isInexact: isInexact)
        }
        var all = type.mixins.map { schema($0) }
        if own.count > 1 { all.append(.map(own)) }
        var entries = [DraftEntry("allOf", .list(all))]
        if type.closed != nil { entries.append(.refusal("unevaluatedProperties")) }
        return Words(entries, isInexact: isInexact)
    }

    /// An object that is an array in JSON.
    private mutating func array(_ fields: [ParameterSyntax], of type: TypeSyntax) -> Words {
        let places = fields.map { field in silently { $0.schema(field.type) } }
        var entries = [DraftEntry.type("array"), DraftEntry("prefixItems", .list(places))]
        let required = fields.count { $0.isRequired }
        entries.append(DraftEntry("minItems", .word("\(required)")))
        if type.closed != nil { entries.append(.refusal("items")) }
        return Words(entries, isInexact: true)
    }

    /// The name of a field, if it is not its key.
    func name(_ field: ParameterSyntax, _ key: String) -> [DraftEntry] {
        field.key.value == key ? [] : [DraftEntry("name", .text(field.key.value))]
    }

    /// What holds for keys without a field. The parser divides its attributes between the property
    /// and its values.
    private mutating func additional(_ field: ParameterSyntax, _ node: YAMLNode?) -> DraftEntry? {
        guard case .map(_, var value) = field.type.form else { return nil }
        value.attributes.documentation = field.type.attributes.documentation
        let schema = schema(value, node?.value(of: "additional"))
        return DraftEntry("additionalProperties", schema)
    }

    // MARK: Unions

    mutating func union(_ union: UnionSyntax, _ node: YAMLNode?) -> Words {
        guard let tag = union.tag?.value else {
            let isNamed = union.alternatives.contains { $0.key != nil }
            return Words([oneOf(union, node)], isInexact: isNamed)
        }
        if tag == UnionSyntax.onlyKey || union.content != nil {
            let schemas = union.alternatives.map { item in
                silently { $0.wrapped(item, tag: tag, content: union.content?.value) }
            }
            return Words([DraftEntry("oneOf", .list(schemas))], isInexact: true)
        }
        return tagged(union, tag: tag, node: node)
    }

    private mutating func oneOf(_ union: UnionSyntax, _ node: YAMLNode?) -> DraftEntry {
        let written = node.flatMap { $0.kind == .mapping ? $0.value(of: "one-of") : nil }
        var schemas: [DraftValue] = []
        for (index, item) in union.alternatives.enumerated() {
            let child = item.key.flatMap { written?.value(of: $0.text) }
            let items = written?.items ?? []
            let schema = schema(item.type, child ?? (index < items.count ? items[index] : nil))
            if !schemas.contains(schema) { schemas.append(schema) }
        }
        return DraftEntry("oneOf", .list(schemas))
    }

    /// A tag inside of the objects: a discriminator.
    private mutating func tagged(_ union: UnionSyntax, tag: String, node: YAMLNode?) -> Words {
        let names = union.alternatives.map { $0.type.attributes.keys.isEmpty ? $0.type.name : nil }
        let keys = names.map { $0.flatMap { components[$0] } }
        let isExact =
            zip(names, keys).allSatisfy { $0 != nil && $0 == $1 }
            && Set(keys).count == keys.count
            && union.alternatives.allSatisfy { $0.key?.integer == nil && $0.type.nullable == nil }
        let choice = isExact ? oneOf(union, node) : silently { $0.oneOf(union, node) }
        var discriminator = [DraftEntry("propertyName", .text(tag))]
        let mapping = zip(union.alternatives, keys).compactMap { item, key -> DraftEntry? in
            guard let key, let value = item.key else { return nil }
            return DraftEntry(text: value.text, .text("#/components/schemas/\(key)"))
        }
        if mapping.count == keys.count {
            discriminator.append(DraftEntry("mapping", .map(mapping)))
        }
        return Words(
            [choice, DraftEntry("discriminator", .map(discriminator))], isInexact: !isExact)
    }

    /// An alternative beside its tag, or under it.
    private mutating func wrapped(
        _ item: AlternativeSyntax, tag: String, content: String?
    ) -> DraftValue {
        let name = item.key?.text ?? ""
        var members = ObjectMembers()
        if tag != UnionSyntax.onlyKey {
            let value: DraftValue =
                item.key?.integer == nil ? .text(name) : .word(item.key?.numberText ?? "0")
            _ = members.add(
                .map([DraftEntry("const", value)]), key: tag, at: [], isRequired: true)
        }
        let isNamed = content == nil || content == UnionSyntax.namedByTag
        _ = members.add(
            schema(item.type), key: isNamed ? name : content ?? name, at: [], isRequired: true)
        return .map(members.entries)
    }
}

extension ParameterSyntax {
    /// The name that requests have.
    var writtenKey: String {
        sentKey.value + (type.attributes.style?.value == .brackets ? "[]" : "")
    }

    /// Whether it is always there.
    var isRequired: Bool {
        type.optional == nil && type.attributes.defaultValue == nil
    }
}

extension DraftEntry {
    fileprivate static func refusal(_ key: String) -> DraftEntry { DraftEntry(key, .word("false")) }
}

/// The properties of an object, and of the objects in it.
struct ObjectMembers {
    private var order: [String] = []
    private var leaves: [String: DraftValue] = [:]
    private var inner: [String: ObjectMembers] = [:]
    private var required: [String] = []

    /// Adds a property. Returns whether it is new.
    mutating func add(
        _ schema: DraftValue, key: String, at steps: ArraySlice<String>, isRequired: Bool
    ) -> Bool {
        let name = steps.first ?? key
        let isNew = leaves[name] == nil && (inner[name] == nil || !steps.isEmpty)
        if leaves[name] == nil, inner[name] == nil { order.append(name) }
        if isRequired, !required.contains(name) { required.append(name) }
        if steps.isEmpty {
            if isNew { leaves[name] = schema }
            return isNew
        }
        return inner[name, default: ObjectMembers()].add(
            schema, key: key, at: steps.dropFirst(), isRequired: isRequired)
    }

    /// The words of the object.
    var entries: [DraftEntry] {
        let properties = order.map {
            DraftEntry(text: $0, leaves[$0] ?? .map(inner[$0]?.entries ?? []))
        }
        var entries = [DraftEntry.type("object")]
        if !required.isEmpty {
            entries.append(DraftEntry("required", .list(required.map { .text($0) })))
        }
        if !properties.isEmpty { entries.append(DraftEntry("properties", .map(properties))) }
        return entries
    }
}
