import SpecSyntax

/// Reads schemas that Telex wrote: the types that the words of OpenAPI mean there, and what
/// `x-telex` adds to them or says in their place.
final class ExportedTypes {
    private let types: TypeTranslator
    private let schemas: SchemaReader
    /// The names of the schemas that others refer to.
    private(set) var mentions: [String: Reference] = [:]

    init(_ types: TypeTranslator) {
        self.types = types
        schemas = types.schemas
    }

    /// The members of `x-telex` that say where a value is, and not what it is.
    private static let places: Set<String> = ["name", "envelope", "implied"]
    /// The members that say what a value is, in place of the schema.
    private static let bases: Set<String> = ["type", "fields", "enum", "one-of", "const", "with"]

    /// Whether an `x-telex` says what a value is, in place of the schema around it.
    static func isWhole(_ node: YAMLNode) -> Bool {
        node.entries.contains { bases.contains($0.key.text) }
    }

    /// The members of an `x-telex`; none, with a diagnostic, if it has no keys.
    func members(_ node: YAMLNode?) -> [DraftEntry] {
        guard let node, hasKind(.mapping, node) else { return [] }
        return node.entries.map { DraftEntry($0, keys: .restored) }
    }

    /// The member of an `x-telex`; nil, with a diagnostic, if it is of another kind.
    func member(_ key: String, of node: YAMLNode?, _ kind: YAMLNode.Kind) -> YAMLNode? {
        guard let member = node?.value(of: key), hasKind(kind, member) else { return nil }
        return member
    }

    private func hasKind(_ kind: YAMLNode.Kind, _ node: YAMLNode) -> Bool {
        if node.kind == kind { return true }
        let words: [YAMLNode.Kind: String] = [
            .scalar: "a text", .sequence: "a list", .mapping: "keys with values",
        ]
        schemas.files.report(
            badExtension: "expected \(words[kind] ?? "") in `x-telex`", at: node.span,
            help: "write what `telex export openapi` writes here")
        return false
    }

    /// The type of a schema.
    ///
    /// - Parameter hasNotes: Whether its documentation is that of the value.
    func type(_ schema: SchemaDescription) -> DraftType {
        let parts = schema.parts
        let members = members(parts.telex).filter { !Self.places.contains($0.key) }
        var type: DraftType
        if members.contains(where: { Self.bases.contains($0.key) }) {
            // An empty name: the attributes are all that there is.
            type = .named("", members)
        } else {
            type = content(schema)
            if parts.isNullable { type.isNullable = true }
            type.attributes.removeAll { members[$0.key] != nil }
            type.attributes += members
        }
        return type.adding(notes(schema).filter { members[$0.key] == nil })
    }

    private func notes(_ schema: SchemaDescription) -> [DraftEntry] {
        let parts = schema.parts
        var notes = schema.node.documentation
        if parts.isReadOnly != parts.isWriteOnly {
            notes.append(DraftEntry("only", .text(parts.isReadOnly ? "reply" : "request")))
        }
        let isServers = parts.telex?.value(of: "server-default") != nil
        if let value = parts.defaultValue, !isServers {
            notes.append(DraftEntry("default", DraftValue(value, keys: .restored)))
        }
        switch parts.examples.count {
        case 0: break
        case 1: notes.append(DraftEntry("example", DraftValue(parts.examples[0])))
        default:
            let values = parts.examples.map { DraftValue($0) }
            notes.append(DraftEntry("examples", .list(values)))
        }
        return notes
    }

    // MARK: Standard words

    private func content(_ schema: SchemaDescription) -> DraftType {
        let parts = schema.parts
        if let reference = schema.reference {
            mentions[reference.name] = reference
            return .named(reference.name)
        }
        if let alternatives = parts.alternatives {
            return alternatives.count == 1 ? type(alternatives[0]) : union(alternatives, parts)
        }
        if !parts.all.isEmpty { return composition(parts) }
        if let constant = schema.node.value(of: "const") {
            return DraftType(.constant(DraftValue(constant, keys: .restored)))
        }
        if let values = parts.values { return enumeration(values, parts) }
        guard schema.kinds.count == 1 else {
            return schema.kinds.isEmpty ? .json : types.type(schema)
        }
        switch schema.kinds[0] {
        case .array:
            let element = parts.items.count == 1 ? type(parts.items[0]) : .json
            return DraftType.list(element).adding(rules(schema))
        case .object: return object(schema)
        default: return scalar(schema)
        }
    }

    private func object(_ schema: SchemaDescription) -> DraftType {
        let parts = schema.parts
        var further: DraftType?
        if case .schema(let value) = parts.furtherKeys { further = type(value) }
        if parts.properties.isEmpty {
            return DraftType.map(further ?? .json).adding(rules(schema))
        }
        return DraftType(.object(DraftObject(fields: fields(parts), additional: further)))
    }

    private func composition(_ parts: SchemaParts) -> DraftType {
        var object = DraftObject()
        for member in parts.all {
            if member.reference == nil, member.parts.telex == nil {
                object.fields += fields(member.parts)
                if case .schema(let schema) = member.parts.furtherKeys {
                    object.additional = type(schema)
                }
            } else {
                object.mixins.append(mixin(member))
            }
        }
        return DraftType(.object(object))
    }

    private func mixin(_ schema: SchemaDescription) -> String {
        if case .text(let text)? = members(schema.parts.telex)["type"] { return text }
        if let reference = schema.reference { mentions[reference.name] = reference }
        return schema.reference?.name ?? "json"
    }

    /// The fields of an object, or the parameters of a body.
    func fields(_ parts: SchemaParts) -> [DraftField] {
        parts.properties.map { key, schema in
            field(key, schema, isRequired: parts.required.contains(key))
        }
    }

    /// A field or a parameter.
    func field(_ key: String, _ schema: SchemaDescription, isRequired: Bool) -> DraftField {
        var type = type(schema)
        let hasDefault = type.attributes["default"] != nil
        type.isOptional = !isRequired && !hasDefault
        return DraftField(member("name", of: schema.parts.telex, .scalar)?.text ?? key, type)
    }

    private func enumeration(_ values: [YAMLNode], _ parts: SchemaParts) -> DraftType {
        let all = values.enumerated().map { index, value in
            let doc = index < parts.valueDocs.count ? parts.valueDocs[index] : ""
            return DraftEnumeration.Value(
                name: index < parts.valueNames.count ? parts.valueNames[index] : nil,
                value: value.text, doc: doc.isEmpty ? nil : doc)
        }
        let isInteger = parts.kinds.contains(.integer) && values.allSatisfy { $0.integer != nil }
        return DraftType(.enumeration(DraftEnumeration(values: all, isInteger: isInteger)))
    }

    private func union(_ schemas: [SchemaDescription], _ parts: SchemaParts) -> DraftType {
        guard let tag = parts.tag, !tag.mapping.isEmpty else {
            let all = schemas.map { DraftUnion.Alternative(name: nil, type: type($0)) }
            return DraftType(.union(DraftUnion(alternatives: all)))
        }
        for schema in schemas { _ = type(schema) }
        let all = tag.mapping.map { value, target in
            let name = target.text.split(separator: "/").last.map(String.init) ?? target.text
            return DraftUnion.Alternative(name: value, type: .named(name))
        }
        return DraftType(.union(DraftUnion(alternatives: all, tag: tag.key)))
    }

    // MARK: Scalars

    private func scalar(_ schema: SchemaDescription) -> DraftType {
        let parts = schema.parts
        let rules = rules(schema)
        switch (schema.kinds[0], parts.format) {
        case (.string, "date-time"): return .named("Date", rules)
        case (.string, "date-time-local"):
            return .named("Date", [DraftEntry("as", .text("local-date-time"))] + rules)
        case (.string, "date"): return .named("Date", [DraftEntry("as", .text("date"))] + rules)
        case (.string, "uuid"): return .named("uuid", rules)
        case (.string, "uri"): return .named("url", rules)
        case (.string, "byte"): return .named("bytes", rules)
        case (.string, "binary"): return .named("file", rules)
        case (.string, _): return .named("string", rules)
        case (.integer, "int32"): return .named("int32", rules)
        case (.integer, "uint64"): return .named("uint")
        case (.integer, "unix-time"):
            return .named("Date", [DraftEntry("as", .text("unix"))] + rules)
        case (.integer, _): return .named("int", rules)
        case (.number, "decimal"): return .named("decimal", rules)
        case (.number, _): return .named("double", rules)
        case (.boolean, _): return .named("bool", rules)
        case (.object, _), (.array, _): return .json
        }
    }

    private static let words = [
        "minimum": "min", "maximum": "max", "exclusiveMinimum": "above",
        "exclusiveMaximum": "below", "multipleOf": "multiple-of", "minLength": "min-length",
        "maxLength": "max-length", "pattern": "pattern", "minItems": "min-items",
        "maxItems": "max-items", "uniqueItems": "unique", "minProperties": "min-keys",
        "maxProperties": "max-keys",
    ]

    /// Formats that are types of their own.
    private static let types: Set<String> = [
        "date-time", "date-time-local", "date", "uuid", "uri", "byte", "binary",
    ]

    /// The rules, in the order of the keys.
    private func rules(_ schema: SchemaDescription) -> [DraftEntry] {
        schema.node.entries.compactMap { entry in
            let (key, value) = (entry.key.text, entry.value)
            if key == "format", schema.kinds == [.string], !Self.types.contains(value.text) {
                return DraftEntry("format", .text(value.text))
            }
            return Self.words[key].map { DraftEntry($0, DraftValue(value)) }
        }
    }
}
