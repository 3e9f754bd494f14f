import SpecSyntax

/// What can be told about the values of a schema without translating it: their kinds of JSON, and
/// the keys of objects.
struct SchemaFacts {
    enum Shape: Hashable {
        case string, number, boolean, array, object, any
    }

    var shapes: Set<Shape> = []
    /// Of objects with properties.
    var object: FlatObject?
}

/// The values that a key of an object may have.
struct Constants {
    var texts: [String]
    /// Names, by value.
    var names: [String: String]
    var areIntegers: Bool
    var isRequired: Bool
}

/// An object with the properties of all that it is composed of.
struct FlatObject {
    var properties: [(name: String, schema: SchemaDescription)] = []
    var required: Set<String> = []
    var furtherKeys = SchemaDescription.FurtherKeys.unsaid
    /// Whether it also consists of something that has no fields.
    var hasOthers = false

    subscript(name: String) -> SchemaDescription? {
        properties.first { $0.name == name }?.schema
    }
}

extension SchemaReader {
    /// The deepest chain of references that is followed.
    private static let longestChain = 50

    /// The schema itself, or the one that its references lead to, with the members of `allOf` in one
    /// if they have no fields; nil if they lead in a circle.
    func target(_ schema: SchemaDescription) -> SchemaDescription? { end(of: schema).map(whole) }

    /// The schema itself, or the one that its references lead to; nil if they lead in a circle.
    func end(of schema: SchemaDescription, depth: Int = 0) -> SchemaDescription? {
        var schema = schema
        for _ in 0..<Self.longestChain {
            if let reference = schema.reference {
                schema = self.schema(reference)
            } else if let inner = wrapped(schema, depth: depth) {
                schema = inner
            } else {
                return schema
            }
        }
        return nil
    }

    /// The only member of `allOf`, or the only alternative, if there is nothing besides. A type beside
    /// it says nothing if the member allows no other.
    func wrapped(_ schema: SchemaDescription, depth: Int = 0) -> SchemaDescription? {
        var rest = schema.parts
        guard depth < Self.longestChain, rest.all.isEmpty || rest.alternatives == nil else {
            return nil
        }
        var members = rest.all + (rest.alternatives ?? [])
        guard !members.isEmpty else { return nil }
        var kinds = rest.kinds
        if members.count > 1, rest.alternatives == nil {
            kinds += members.flatMap { $0.saysOnlyKinds ? $0.parts.kinds : [] }
            members.removeAll(where: \.saysOnlyKinds)
        }
        rest.all = []
        rest.alternatives = nil
        rest.kinds = []
        guard members.count == 1, rest.isEmpty else { return nil }
        if kinds.isEmpty { return members[0] }
        let inner = end(of: members[0], depth: depth + 1).map { self.kinds(of: $0, depth: depth) }
        guard let inner, !inner.isEmpty,
            inner.allSatisfy({ kinds.contains($0) || $0 == .integer && kinds.contains(.number) })
        else { return nil }
        return members[0]
    }

    /// The kinds of a schema without references; those of `allOf` are its own.
    private func kinds(
        of schema: SchemaDescription, depth: Int
    ) -> [SchemaDescription.Kind] {
        if !schema.kinds.isEmpty || depth > 10 { return schema.kinds }
        let members = schema.parts.all.compactMap { end(of: $0, depth: depth + 1) }
        return members.lazy.map { self.kinds(of: $0, depth: depth + 1) }.first { !$0.isEmpty } ?? []
    }

    /// Whether null is among the values, through references.
    func isNullable(_ schema: SchemaDescription) -> Bool {
        let parts = schema.parts
        if parts.isNullable { return true }
        if schema.reference == nil, parts.all.isEmpty, parts.alternatives == nil { return false }
        if let known = nullables[schema] { return known }
        // A schema that is met inside itself adds nothing.
        nullables[schema] = false
        let isNullable = allowsNull(schema)
        nullables[schema] = isNullable
        return isNullable
    }

    private func allowsNull(_ schema: SchemaDescription) -> Bool {
        if let reference = schema.reference { return isNullable(self.schema(reference)) }
        if let inner = wrapped(schema) { return isNullable(inner) }
        guard schema.parts.all.isEmpty else {
            let whole = whole(schema)
            return whole === schema
                ? schema.parts.all.allSatisfy(isNullable) : whole.parts.isNullable
        }
        return schema.parts.alternatives?.contains(where: isNullable) == true
    }

    /// An object with all its properties, those of `allOf` included.
    func flat(_ schema: SchemaDescription, depth: Int = 0) -> FlatObject {
        var flat = FlatObject()
        guard depth < Self.longestChain, let schema = target(schema) else {
            flat.hasOthers = true
            return flat
        }
        if let known = flats[schema] { return known }
        let parts = schema.parts
        for member in parts.all { add(self.flat(member, depth: depth + 1), to: &flat) }
        if schema.hasChoice, !families.isInherited(schema) { flat.hasOthers = true }
        let own = FlatObject(
            properties: parts.properties, required: parts.required, furtherKeys: parts.furtherKeys)
        add(own, to: &flat)
        flats[schema] = flat
        return flat
    }

    /// Adds the fields of another object, whose values have to obey both.
    private func add(_ other: FlatObject, to flat: inout FlatObject) {
        for (name, schema) in other.properties {
            if let index = flat.properties.firstIndex(where: { $0.name == name }) {
                flat.properties[index].schema = both(flat.properties[index].schema, schema)
            } else {
                flat.properties.append((name, schema))
            }
        }
        flat.required.formUnion(other.required)
        if case .unsaid = other.furtherKeys {} else { flat.furtherKeys = other.furtherKeys }
        flat.hasOthers = flat.hasOthers || other.hasOthers
    }

    /// What can be told about a schema.
    func facts(_ schema: SchemaDescription, depth: Int = 0) -> SchemaFacts {
        guard depth < Self.longestChain, let schema = target(schema) else {
            return SchemaFacts(shapes: [.any])
        }
        if let known = allFacts[schema] { return known }
        let facts = content(schema, depth: depth)
        allFacts[schema] = facts
        return facts
    }

    private func content(_ schema: SchemaDescription, depth: Int) -> SchemaFacts {
        let parts = schema.parts
        if let values = parts.values {
            return SchemaFacts(shapes: Set(values.map { $0.shape(in: parts.kinds) }))
        }
        if !parts.all.isEmpty || !parts.properties.isEmpty && schema.kinds == [.object] {
            let flat = self.flat(schema)
            if !flat.properties.isEmpty { return SchemaFacts(shapes: [.object], object: flat) }
            if let first = parts.all.first { return facts(first, depth: depth + 1) }
        }
        if let alternatives = parts.alternatives, parts.kinds.first != .object {
            let shapes = alternatives.map { facts($0, depth: depth + 1).shapes }
            return SchemaFacts(shapes: shapes.reduce([]) { $0.union($1) })
        }
        if schema.kinds.isEmpty { return SchemaFacts(shapes: [.any]) }
        return SchemaFacts(shapes: Set(schema.kinds.map(\.shape)))
    }

    /// The values that a key may have, if they are few and of one type; nil otherwise.
    func constants(of key: String, in object: FlatObject) -> Constants? {
        guard let property = object[key],
            let schema = target(property), !schema.parts.isWriteOnly,
            !property.parts.isWriteOnly
        else { return nil }
        let values = schema.parts.values ?? schema.choices?.map(\.value)
        guard let values, !values.isEmpty else { return nil }
        let kinds = schema.parts.kinds
        let integers = values.allSatisfy {
            $0.integer != nil && !kinds.contains(.string)
        }
        guard integers || values.allSatisfy({ $0.shape(in: kinds) == .string }) else { return nil }
        return Constants(
            texts: values.map(\.text), names: caseNames(schema), areIntegers: integers,
            isRequired: object.required.contains(key) && !isNullable(property))
    }

    /// The names of an enumeration's values, where the description has some.
    private func caseNames(_ schema: SchemaDescription) -> [String: String] {
        let parts = schema.parts
        var names = parts.all.compactMap(target).reduce(into: [:]) { names, member in
            names.merge(caseNames(member)) { first, _ in first }
        }
        for (value, name) in zip(parts.values ?? [], parts.valueNames) { names[value.text] = name }
        for choice in schema.choices ?? [] { names[choice.value.text] = choice.name }
        return names
    }

    /// One object with the properties of several. What not all of them require is optional.
    func merged(_ objects: [FlatObject], at node: YAMLNode) -> SchemaDescription {
        var parts = SchemaParts()
        parts.kinds = [.object]
        var all: [String: [SchemaDescription]] = [:]
        var order: [String] = []
        for (name, schema) in objects.flatMap(\.properties) {
            if all[name] == nil { order.append(name) }
            let isKnown = all[name]?.contains {
                $0 === schema || $0.reference != nil && $0.reference == schema.reference
            }
            if isKnown != true { all[name, default: []].append(schema) }
        }
        parts.properties = order.map { name in
            let found = all[name] ?? []
            if found.count == 1 { return (name, found[0]) }
            var either = SchemaParts()
            either.alternatives = found
            either.description = found.lazy.compactMap(\.parts.description).first
            return (name, SchemaDescription(found[0].node, either))
        }
        parts.required = objects.dropFirst().reduce(objects.first?.required ?? []) {
            $0.intersection($1.required)
        }
        return SchemaDescription(node, parts)
    }
}

extension SchemaDescription {
    /// Whether it names types of JSON, and nothing else.
    fileprivate var saysOnlyKinds: Bool {
        var parts = parts
        guard reference == nil, !parts.kinds.isEmpty else { return false }
        parts.kinds = []
        return parts.isEmpty
    }

    /// Whether it has alternatives, which do more than name constants or require keys.
    var hasChoice: Bool {
        guard let alternatives = parts.alternatives, choices == nil else { return false }
        return !alternatives.allSatisfy(\.isOnlyRequired)
    }

    /// Whether it only requires keys, as the alternatives of "one of these keys" do.
    var isOnlyRequired: Bool {
        var parts = parts
        guard reference == nil, !parts.required.isEmpty else { return false }
        parts.required = []
        parts.kinds = []
        return parts.isEmpty
    }

    /// The kinds that it names, or that its other keys imply.
    var kinds: [Kind] {
        if !parts.kinds.isEmpty {
            return parts.kinds.contains(.number)
                ? parts.kinds.filter { $0 != .integer } : parts.kinds
        }
        if !parts.properties.isEmpty || !parts.required.isEmpty { return [.object] }
        if case .unsaid = parts.furtherKeys {} else { return [.object] }
        if !parts.items.isEmpty { return [.array] }
        let keys = Set(parts.rules.map(\.key))
        if !keys.isDisjoint(with: ["minLength", "maxLength", "pattern"]) { return [.string] }
        if !keys.isDisjoint(with: ["minItems", "maxItems", "uniqueItems"]) { return [.array] }
        if keys.contains(where: { $0.hasSuffix("imum") || $0 == "multipleOf" }) { return [.number] }
        switch parts.format {
        case "int32", "int64", "uint64": return [.integer]
        case "float", "double": return [.number]
        case nil: return []
        default: return [.string]
        }
    }

    /// The values of `oneOf: [{ const: 1, title: one }, …]`.
    var choices: [(value: YAMLNode, name: String?, doc: String?)]? {
        guard let alternatives = parts.alternatives, parts.properties.isEmpty else { return nil }
        let choices = alternatives.compactMap { item -> (YAMLNode, String?, String?)? in
            guard item.reference == nil, item.parts.values?.count == 1,
                item.parts.properties.isEmpty,
                let value = item.parts.values?.first, value.kind == .scalar
            else { return nil }
            return (value, item.parts.title, item.parts.description)
        }
        return choices.count == alternatives.count && choices.count > 0
            ? choices.map { (value: $0.0, name: $0.1, doc: $0.2) } : nil
    }
}

extension SchemaDescription.Kind {
    fileprivate var shape: SchemaFacts.Shape {
        switch self {
        case .object: .object
        case .array: .array
        case .string: .string
        case .integer, .number: .number
        case .boolean: .boolean
        }
    }
}

extension YAMLNode {
    /// The kind of JSON of a value of an enumeration.
    fileprivate func shape(in kinds: [SchemaDescription.Kind]) -> SchemaFacts.Shape {
        switch kind {
        case .mapping: return .object
        case .sequence: return .array
        case .scalar: break
        }
        if kinds == [.string] { return .string }
        if boolean != nil { return .boolean }
        return numberText != nil ? .number : .string
    }
}
