import SpecDiagnostics
import SpecIR
import SpecImport
import SpecSyntax

/// Writes types as JSON Schema (2020-12, the dialect of OpenAPI 3.1).
///
/// What has no standard word is under `x-telex`: attributes beside a schema that an import reads as
/// the same type, or the whole type beside one that it does not.
struct SchemaWriter {
    /// The keys under `components/schemas`, by the names of types.
    let components: [String: String]
    /// The form of dates that have none of their own; nil for a form without a word.
    var dates: DateForm? = .dateTime
    /// Whether `x-telex` is left out, because something around it has the same.
    var isSilent = false
    /// The members of `x-telex`.
    var extras = ExtraMembers()

    /// A schema without notes.
    struct Words {
        var entries: [DraftEntry]
        /// Whether an import would read another type.
        var isInexact = false

        init(_ entries: [DraftEntry], isInexact: Bool = false) {
            self.entries = entries
            self.isInexact = isInexact
        }
    }

    // MARK: Schemas

    /// The schema of a type.
    ///
    /// - Parameters:
    ///   - node: The type as it is written; nil inside a type in short form.
    ///   - place: Further members of `x-telex`.
    ///   - hasNotes: Whether documentation and deprecation belong to the schema.
    ///   - others: The attributes that something beside the schema says.
    mutating func schema(
        _ type: TypeSyntax, _ node: YAMLNode? = nil, place: [DraftEntry] = [],
        hasNotes: Bool = true, besides others: Set<String> = []
    ) -> DraftValue {
        // Inside a whole type, nothing is said twice.
        var words = silently { $0.content(type, node) }
        if !isSilent, !words.isInexact { words = content(type, node) }
        // A default may break a pattern or a format.
        let isBound = words.entries["pattern"] != nil || Self.isText(words.entries["format"])
        let standard =
            words.isInexact || isBound || !isPlainWord(type) ? nil : standardDefault(type)
        if type.nullable != nil { words.addNull() }
        let texts = hasNotes ? type.attributes.documentation.entries : []
        var entries = texts + words.entries + notes(type)
        if let standard { entries.append(standard) }
        if !isSilent {
            let all = extra(type, node: node, words: words, hasDefault: standard != nil)
            let own = place + all.filter { !others.contains($0.key) }
            count(own.map(\.key), type, at: node?.span ?? type.span)
            if !own.isEmpty { entries.append(DraftEntry("x-telex", .map(own))) }
        }
        return .map(entries)
    }

    /// The schema of a use of a generic model that an alias names.
    mutating func schema(
        of instance: ModelSyntax, writtenAs type: TypeSyntax, _ node: YAMLNode?
    ) -> DraftValue {
        var whole = instance.type
        // Those of the generic model are with that.
        whole.attributes = type.attributes
        let schema = silently { $0.schema(whole) }
        guard case .map(let entries) = schema, !isSilent else { return schema }
        let own = extra(type, node: node, words: Words([], isInexact: true), hasDefault: false)
        return .map(entries + [DraftEntry("x-telex", .map(own))])
    }

    private mutating func content(_ type: TypeSyntax, _ node: YAMLNode?) -> Words {
        if type.attributes.from?.value == .string, !isScalar(type) { return jsonText(type) }
        var words: Words
        if let constant = type.attributes.constant {
            words = self.constant(constant, type: type, written: node)
        } else {
            words = form(type, node)
        }
        addRules(of: type, to: &words)
        let isPart = ["items", "keys", "values"].contains { node?.value(of: $0) != nil }
        if isPart, node?.isLongForm == true { words.isInexact = true }
        if type.nullable != nil, words.entries.isEmpty { words.isInexact = true }
        return words
    }

    private func isScalar(_ type: TypeSyntax) -> Bool {
        type.name.map { $0 != "json" && components[$0] == nil } == true
    }

    /// JSON inside a text.
    private mutating func jsonText(_ type: TypeSyntax) -> Words {
        var content = type
        content.nullable = nil
        content.attributes.from = nil
        let schema = silently { $0.schema(content, hasNotes: false) }
        let media = DraftEntry("contentMediaType", .text("application/json"))
        return Words(
            [.type("string"), media, DraftEntry("contentSchema", schema)], isInexact: true)
    }

    private mutating func form(_ type: TypeSyntax, _ node: YAMLNode?) -> Words {
        switch type.form {
        case .named(let name):
            let word = TypeText.head(type)
            return components[word] == nil
                ? scalar(name, type.attributes) : reference(word, type.attributes)
        case .list(let element):
            let inner = node?.baseNode?.items.first
            return Words([.type("array"), DraftEntry("items", schema(element, inner))])
        case .map(let key, let value): return map(key: key, value: value, node: node)
        case .object(let fields): return object(fields, of: type, node)
        case .enumeration(let choice): return enumeration(choice)
        case .union(let union): return self.union(union, node)
        case .invalid: return Words([])
        }
    }

    private func reference(_ name: String, _ attributes: AttributesSyntax) -> Words {
        let key = components[name] ?? name
        return Words(
            [DraftEntry("$ref", .text("#/components/schemas/\(key)"))],
            isInexact: key != name || !attributes.rules.isEmpty || attributes.from != nil
                || attributes.spelling != nil)
    }

    private mutating func map(key: TypeSyntax, value: TypeSyntax, node: YAMLNode?) -> Words {
        let isPlain = key.name == "string" && key.attributes.rules.isEmpty
        let inner = node?.baseNode?.entries.first?.value
        var entries = [DraftEntry.type("object")]
        if key.name == "int" {
            let pattern = DraftEntry("pattern", .text("^-?(0|[1-9][0-9]*)$"))
            entries.append(DraftEntry("propertyNames", .map([pattern])))
        } else if !isPlain {
            entries.append(DraftEntry("propertyNames", silently { $0.schema(key) }))
        }
        entries.append(DraftEntry("additionalProperties", schema(value, inner)))
        return Words(entries, isInexact: !isPlain)
    }

    /// A part that something around it repeats.
    mutating func silently<Part>(_ write: (inout SchemaWriter) -> Part) -> Part {
        let outer = isSilent
        isSilent = true
        defer { isSilent = outer }
        return write(&self)
    }

    // MARK: Notes

    private func notes(_ type: TypeSyntax) -> [DraftEntry] {
        let attributes = type.attributes
        let documentation = attributes.documentation
        var entries: [DraftEntry] = []
        if let only = attributes.only?.value {
            entries.append(.flag(only == .reply ? "readOnly" : "writeOnly"))
        }
        if !documentation.examples.isEmpty {
            let values = documentation.examples.map { DraftValue($0.value) }
            entries.append(DraftEntry("examples", .list(values)))
        }
        return entries
    }

    /// Whether a default of the type is the same in JSON.
    private func isPlainWord(_ type: TypeSyntax) -> Bool {
        switch type.form {
        case .enumeration: true
        case .named(let name): Self.plainWords[name] != nil
        default: false
        }
    }

    private static func isText(_ format: DraftValue?) -> Bool {
        guard case .text(let name)? = format else { return false }
        return textFormats.contains(name)
    }

    private static let plainWords = [
        "string": true, "bool": false, "int": false, "int32": false, "uint": false,
        "double": false, "decimal": false,
    ]

    private func standardDefault(_ type: TypeSyntax) -> DraftEntry? {
        let attributes = type.attributes
        guard let node = attributes.defaultValue ?? attributes.sending.serverDefault,
            node.kind == .scalar, !node.text.hasPrefix("$")
        else { return nil }
        var isText = type.name.flatMap { Self.plainWords[$0] } == true
        if case .enumeration(let choice) = type.form { isText = choice.base?.value != .int }
        return DraftEntry("default", isText && !node.isNull ? .text(node.text) : DraftValue(node))
    }

    // MARK: What is in no standard word

    private func extra(
        _ type: TypeSyntax, node: YAMLNode?, words: Words, hasDefault: Bool
    ) -> [DraftEntry] {
        guard let node, node.kind == .mapping else {
            let written = node.map { DraftValue($0, keys: .marked) }
            return words.isInexact
                ? [DraftEntry("type", written ?? .text(TypeText.text(type)))] : []
        }
        guard node.isLongForm else { return words.isInexact ? Self.whole(short: node, type) : [] }
        return node.entries.filter { entry in
            switch entry.key.text {
            case "doc", "link", "example", "examples", "only": false
            case "deprecated": entry.value.boolean == nil
            case "default": !hasDefault
            case "in" where entry.value.kind == .scalar: true
            case _ where words.isInexact: true
            case "type", "fields", "enum", "one-of", "const", "tag", "with", "additional",
                "optional", "nullable", "as":
                false
            default: RuleName(key: entry.key.text) == nil
            }
        }.map { DraftEntry($0, keys: .marked) }
    }

    /// The attributes that standard words say, also beside a whole type.
    private static let standardKeys: Set<String> = [
        "type", "fields", "enum", "one-of", "const", "tag", "with", "additional", "optional",
        "nullable", "default", "server-default", "key", "items", "keys", "values", "name", "closed",
    ]

    /// Counts what is in no standard word: attributes, or without one the type itself.
    private mutating func count(_ members: [String], _ type: TypeSyntax, at span: Span) {
        let others = members.filter { key in
            !Self.standardKeys.contains(key) && RuleName(key: key).map(Self.isKeyword) != true
        }
        for key in others { extras.add(key, at: span) }
        // The use of a generic model has a schema of its own.
        let isUse = components[TypeText.head(type)] != nil
        let isWhole = members.contains { ["type", "fields", "enum", "one-of"].contains($0) }
        if others.isEmpty, isWhole, !isUse { extras.add("type", at: span) }
    }

    /// The members of an object or a map in short form.
    private static func whole(short node: YAMLNode, _ type: TypeSyntax) -> [DraftEntry] {
        if case .map = type.form { return [DraftEntry("type", DraftValue(node, keys: .marked))] }
        let mixins = node.entries.filter { $0.key.text == "with" }
        let fields = node.entries.filter { $0.key.text != "with" }
        return mixins.map { DraftEntry($0, keys: .marked) }
            + [DraftEntry("fields", .map(fields.map { DraftEntry($0, keys: .marked) }))]
    }
}

extension SchemaWriter.Words {
    /// Adds null to the values.
    mutating func addNull() {
        let null = DraftEntry.type("null")
        if let index = entries.firstIndex(where: { $0.key == "oneOf" }),
            case .list(let items) = entries[index].value
        {
            entries[index].value = .list(items + [.map([null])])
        } else if entries["enum"] == nil, entries["const"] == nil,
            let index = entries.firstIndex(where: { $0.key == "type" })
        {
            var kinds = [entries[index].value]
            if case .list(let several) = entries[index].value { kinds = several }
            entries[index].value = .list(kinds + [.text("null")])
        } else if !entries.isEmpty {
            entries = [DraftEntry("anyOf", .list([.map(entries), .map([null])]))]
        }
    }
}

extension YAMLNode {
    private static let bases: Set<String> = ["type", "fields", "enum", "one-of", "const"]

    /// Whether a mapping is the long form of a type.
    var isLongForm: Bool { entries.contains { Self.bases.contains($0.key.text) } }

    /// The node of a list or a map, without the attributes around it.
    var baseNode: YAMLNode? { kind == .mapping && isLongForm ? value(of: "type") : self }
}

extension TypeSyntax {
    /// The name, if the type is one.
    var name: String? {
        if case .named(let name) = form { name } else { nil }
    }
}

extension DocumentationSyntax {
    /// The words for documentation and deprecation.
    var entries: [DraftEntry] {
        var entries: [DraftEntry] = []
        if let text { entries.append(DraftEntry("description", .text(text.value))) }
        if let link {
            let url = DraftEntry("url", .text(link.value))
            entries.append(DraftEntry("externalDocs", .map([url])))
        }
        if deprecation != nil { entries.append(.flag("deprecated")) }
        return entries
    }
}

/// Types as text, in short form.
enum TypeText {
    /// The type with `?` and `| null`.
    static func text(_ type: TypeSyntax) -> String {
        head(type) + (type.optional == nil ? "" : "?") + (type.nullable == nil ? "" : " | null")
    }

    /// The type without `?` and `| null`.
    static func head(_ type: TypeSyntax) -> String {
        switch type.form {
        case .named(let name):
            let arguments = type.arguments.map(text).joined(separator: ", ")
            return arguments.isEmpty ? name : "\(name)<\(arguments)>"
        case .list(let element): return "[\(text(element))]"
        case .map(let key, let value): return "{\(text(key)): \(text(value))}"
        case .union(let union):
            return union.alternatives.map { text($0.type) }.joined(separator: " | ")
        case .object, .enumeration, .invalid: return "json"
        }
    }
}
