import SpecDiagnostics
import SpecSyntax

/// Reads schemas, each once. Keys without a counterpart are losses.
final class SchemaReader {
    let files: DescriptionFiles
    var report = ImportReport()
    private var known: [String: SchemaDescription] = [:]
    var made = MadeSchemas()
    var flats = SchemaMemo<FlatObject>()
    var allFacts = SchemaMemo<SchemaFacts>()
    var wholes = SchemaMemo<SchemaDescription>()
    var intersections = SchemaMemo<SchemaParts?>()
    var choices = SchemaMemo<SchemaChoice?>()
    var nullables = SchemaMemo<Bool>()
    var directions = SchemaMemo<(isReadOnly: Bool, isWriteOnly: Bool)>()
    /// How many answers about schemas need each other at the moment.
    private var nesting = 0
    private(set) lazy var families = SchemaFamilies(self)

    /// Keys of the format that say nothing about values, and those that repeat what a `$ref` leads
    /// to.
    var silentKeys: Set<String> = []
    var silentKeysBesideReference: Set<String> = []

    /// Whether Telex wrote the description: `x-telex` says what other keys leave out.
    var readsExtension = false

    /// Whether keys beside a `$ref` restrict what it leads to, as since OpenAPI 3.1 (JSON Schema
    /// 2020-12, 8.2.3.1). Before, they were ignored.
    var readsSiblings = false

    /// A file of the description.
    let origin: FileID

    init(_ files: DescriptionFiles, origin: FileID) {
        self.files = files
        self.origin = origin
    }

    /// An answer that needs other answers. Beyond 60 of them inside each other it is `other`, so that
    /// chains of schemas do not exhaust the stack.
    func nested<Answer>(or other: Answer, _ answer: () -> Answer) -> Answer {
        guard nesting < 60 else { return other }
        nesting += 1
        defer { nesting -= 1 }
        return answer()
    }

    /// The schema that a reference leads to.
    func schema(_ reference: Reference) -> SchemaDescription {
        if let schema = known[reference.key] { return schema }
        let schema = schema(reference.node)
        known[reference.key] = schema
        return schema
    }

    /// Reads a schema, or a parameter or header of OpenAPI 2.0, which is one itself.
    func schema(_ node: YAMLNode) -> SchemaDescription {
        guard node.kind == .mapping else {
            var parts = SchemaParts()
            parts.isNever = node.boolean == false
            return SchemaDescription(node, parts)
        }
        var parts = SchemaParts()
        let entries = node.entries
        if let text = entries.first(where: { $0.key.text == "$ref" })?.value, text.kind == .scalar {
            return referring(node, entries: entries, text: text)
        }
        for entry in entries where !isReplaced(entry, in: entries) {
            read(entry, of: entries, into: &parts)
        }
        normalize(&parts)
        parts.foldSilentMembers()
        return SchemaDescription(node, parts)
    }

    /// Whether `x-telex` says what a key says.
    private func isReplaced(_ entry: YAMLEntry, in entries: [YAMLEntry]) -> Bool {
        guard readsExtension,
            let own = entries.first(where: { $0.key.text == "x-telex" })?.value
        else { return false }
        if ExportedTypes.isWhole(own) { return !Self.notes.contains(entry.key.text) }
        return ["additionalProperties", "unevaluatedProperties"].contains(entry.key.text)
            && entry.value.boolean == false
    }

    /// The keys that are read beside a whole type.
    private static let notes: Set<String> = [
        "x-telex", "description", "externalDocs", "deprecated", "readOnly", "writeOnly",
        "examples", "default",
    ]

    private static let notesBesideReference: Set<String> = [
        "description", "title", "summary", "deprecated", "readOnly", "writeOnly", "nullable",
        "x-nullable", "default", "example", "examples", "externalDocs",
    ]

    private func referring(
        _ node: YAMLNode, entries: [YAMLEntry], text: YAMLNode
    ) -> SchemaDescription {
        var parts = SchemaParts()
        let isRestricted =
            readsSiblings && !readsExtension
            && entries.contains {
                !Self.notesBesideReference.contains($0.key.text) && $0.key.text != "$ref"
                    && !$0.key.text.hasPrefix("x-")
            }
        if isRestricted, let reference = files.reference(text) {
            for entry in entries where entry.key.text != "$ref" {
                read(entry, of: entries, into: &parts)
            }
            normalize(&parts)
            parts.all.insert(SchemaDescription(text, reference: reference), at: 0)
            parts.foldSilentMembers()
            return SchemaDescription(node, parts)
        }
        for entry in entries where entry.key.text != "$ref" {
            switch entry.key.text {
            case let key where Self.notesBesideReference.contains(key):
                read(entry, of: entries, into: &parts)
            case "x-telex" where readsExtension: parts.telex = entry.value
            case _ where isReplaced(entry, in: entries): break
            case let key where silentKeysBesideReference.contains(key): break
            default: report.add(.siblings, entry.key.text, at: entry.key.span)
            }
        }
        return SchemaDescription(node, reference: files.reference(text), parts)
    }

    // MARK: Keys

    /// The keys whose values contain schemas, or values, and are none themselves.
    private static let containers: Set<String> = [
        "properties", "patternProperties", "required", "enum", "allOf", "oneOf", "anyOf",
    ]

    private func read(
        _ entry: YAMLEntry, of entries: [YAMLEntry], into parts: inout SchemaParts
    ) {
        let key = entry.key.text
        // Bundlers put what a reference leads to in every place, not only in that of a schema.
        let isContainer = Self.containers.contains(key)
        let node = isContainer ? files.resolved(entry.value) : entry.value
        switch key {
        case "type": readKinds(node, into: &parts)
        case "format": parts.format = node.text
        case "title": parts.title = node.text
        case "description": parts.description = node.text
        case "externalDocs": parts.link = node.value(of: "url")?.text
        case "deprecated", "x-deprecated": parts.isDeprecated = node.boolean == true
        case "readOnly": parts.isReadOnly = node.boolean == true
        case "writeOnly": parts.isWriteOnly = node.boolean == true
        case "nullable", "x-nullable": parts.isNullable = node.boolean == true || parts.isNullable
        case "enum": parts.values = node.items
        case "const": parts.values = [node]
        case "x-enum-varnames", "x-enumNames", "enumNames", "x-enum-names":
            parts.valueNames = node.items.map(\.text)
        case "x-enum-descriptions", "x-enumDescriptions":
            parts.valueDocs = node.items.map(\.text)
        case "properties":
            parts.properties = node.entries.compactMap { entry in
                guard readsExtension || entry.key.text.utf8.count <= 200 else {
                    report.add(.longKey, at: entry.key.span)
                    return nil
                }
                return (entry.key.text, schema(entry.value))
            }
        case "required":
            if node.kind == .sequence {
                parts.required = Set(node.items.map(\.text))
            } else {
                parts.isRequiredItself = node.boolean == true
            }
        case "additionalProperties": parts.furtherKeys = furtherKeys(node, entry)
        case "patternProperties": readPatterns(entry, into: &parts)
        case "propertyNames": parts.keys = schema(node)
        case "items" where node.kind == .sequence, "prefixItems":
            parts.items = node.items.map(schema)
        case "items": if parts.items.isEmpty { parts.items = [schema(node)] }
        case "allOf": parts.all = node.items.map(schema)
        case "oneOf", "anyOf":
            parts.alternatives = (parts.alternatives ?? []) + node.items.map(schema)
        case "discriminator": readTag(node, into: &parts)
        case "default": parts.defaultValue = node
        case "example": parts.examples.insert(node, at: 0)
        case "examples": parts.examples += node.kind == .sequence ? node.items : []
        case "minimum", "maximum", "exclusiveMinimum", "exclusiveMaximum", "multipleOf",
            "minLength", "maxLength", "pattern", "minItems", "maxItems", "uniqueItems",
            "minProperties", "maxProperties":
            parts.rules.append((key, node))
        case "contentMediaType": parts.contentMediaType = node.text
        case "contentEncoding":
            parts.contentEncoding = node.text
            switch node.text {
            case "base64": parts.format = "byte"
            case "base64url": parts.format = "base64url"
            default: report.add(.format, node.text, at: entry.key.span)
            }
        case "x-ms-discriminator-value", "x-discriminator-value": parts.tagValue = node.text
        case "x-telex" where readsExtension: parts.telex = node
        case "xml": report.add(.xml, at: entry.key.span)
        default: readOther(entry)
        }
    }

    /// Keys that say nothing about values, and keys without a counterpart.
    private func readOther(_ entry: YAMLEntry) {
        let key = entry.key.text
        let silent: Set<String> = [
            "$schema", "$id", "id", "$comment", "$anchor", "$defs", "definitions",
            "summary", "name", "in", "collectionFormat", "allowEmptyValue", "schema", "style",
            "explode", "content", "allowReserved", "x-examples", "x-example",
        ]
        let keywords: Set<String> = [
            "not", "if", "then", "else", "dependentRequired", "dependentSchemas", "dependencies",
            "contains", "minContains", "maxContains", "unevaluatedProperties", "unevaluatedItems",
            "additionalItems", "$dynamicRef", "$dynamicAnchor", "$recursiveRef", "$recursiveAnchor",
            "contentSchema", "patternProperties",
        ]
        if silent.contains(key) || silentKeys.contains(key) { return }
        if keywords.contains(key) {
            report.add(.keyword, key, at: entry.key.span)
        } else if key.hasPrefix("x-") {
            report.add(.extensionKey, key, at: entry.key.span)
        } else {
            report.add(.unknownKey, key, at: entry.key.span)
        }
    }

    private func readKinds(_ node: YAMLNode, into parts: inout SchemaParts) {
        for item in node.kind == .sequence ? node.items : [node] {
            switch item.text {
            case "null": parts.isNullable = true
            case "file":
                parts.kinds.append(.string)
                parts.format = "binary"
            case "any": break
            default:
                if let kind = SchemaDescription.Kind(rawValue: item.text) {
                    parts.kinds.append(kind)
                } else {
                    report.add(.unknownKey, "type: \(item.text)", at: item.span)
                }
            }
        }
    }

    private func furtherKeys(
        _ node: YAMLNode, _ entry: YAMLEntry
    ) -> SchemaDescription.FurtherKeys {
        if let flag = node.boolean {
            if !flag { report.add(.closed, at: entry.key.span) }
            return flag ? .any : .none
        }
        if node.kind == .mapping, node.entries.isEmpty { return .any }
        return .schema(schema(node))
    }

    private func readPatterns(_ entry: YAMLEntry, into parts: inout SchemaParts) {
        let patterns = files.resolved(entry.value).entries
        guard patterns.count == 1, case .schema = furtherKeys(patterns[0].value, entry) else {
            return report.add(.keyword, "patternProperties", at: entry.key.span)
        }
        parts.furtherKeys = .schema(schema(patterns[0].value))
        var keys = SchemaParts()
        keys.kinds = [.string]
        keys.rules = [("pattern", patterns[0].key)]
        parts.keys = SchemaDescription(patterns[0].key, keys)
    }

    private func readTag(_ node: YAMLNode, into parts: inout SchemaParts) {
        let key = node.kind == .scalar ? node.text : node.value(of: "propertyName")?.text ?? ""
        guard !key.isEmpty else { return }
        let mapping = node.value(of: "mapping")?.entries ?? []
        parts.tag = SchemaTag(key: key, mapping: mapping.map { ($0.key.text, $0.value) })
    }

    // MARK: One form

    /// Moves null out of types, values and alternatives. A list of items without a type is meant as
    /// alternatives.
    private func normalize(_ parts: inout SchemaParts) {
        if parts.items.count > 1 {
            if parts.kinds.isEmpty {
                parts.alternatives = (parts.alternatives ?? []) + parts.items
                parts.items = []
            } else {
                report.add(.tuple, at: parts.items[0].span)
            }
        }
        if let values = parts.values, values.contains(where: \.isNull) {
            parts.values = values.filter { !$0.isNull }
            parts.isNullable = true
            if parts.values?.isEmpty == true { parts.values = nil }
        }
        if let alternatives = parts.alternatives {
            let others = alternatives.filter { !$0.isNull }
            if others.count < alternatives.count { parts.isNullable = true }
            parts.alternatives = others.isEmpty ? nil : others
        }
    }
}

extension SchemaDescription {
    /// Whether null is its only value.
    fileprivate var isNull: Bool {
        parts.isNullable && parts.kinds.isEmpty && reference == nil && parts.values == nil
            && parts.properties.isEmpty && parts.all.isEmpty && parts.alternatives == nil
            && parts.items.isEmpty
    }
}
