import SpecDiagnostics
import SpecIR

/// Parses types in short and long form.
extension Parser {
    /// Reads a type.
    ///
    /// - Parameter help: Returns what replaces the usual help for a text that is not a type.
    mutating func type(
        _ node: YAMLNode, help: (Self) -> String? = { _ in nil }
    ) -> TypeSyntax {
        switch node.kind {
        case .scalar: typeText(node, help: help)
        case .sequence: listType(node)
        case .mapping: mappingType(node)
        }
    }

    private mutating func mappingType(_ node: YAMLNode) -> TypeSyntax {
        let keys = node.entries.map(\.key.text)
        if keys.contains(where: TypeNames.bases.contains) {
            let isKnown = keys.allSatisfy(MappingSchema.type.has)
            return (isKnown ? nil : objectWithoutFields(node)) ?? longForm(node)
        }
        return mapType(node) ?? combination(node) ?? shortObject(node)
    }

    private mutating func typeText(
        _ node: YAMLNode, help: (Self) -> String?
    ) -> TypeSyntax {
        var parser = TypeTextParser(node)
        if let type = parser.parse() { return type }
        let problem = parser.problem ?? (0, "a type")
        let place = parser.character(at: problem.offset)
        if parser.isTooDeep {
            bag.report(
                .nestingTooDeep,
                "a type nests deeper than \(TypeTextParser.maximumDepth) levels", at: place)
        } else {
            bag.report(
                .badType,
                node.text.isEmpty
                    ? "expected a type, found nothing"
                    : "`\(node.text.prefix(60))` is not a type",
                at: place, label: node.text.isEmpty ? nil : "expected \(problem.expected)",
                help: help(self) ?? cutOffHelp(problem.expected)
                    ?? NearMisses.help(forTypeText: node.text)
                    ?? "types read like `string`, `int?`, `[User]`, `\"{string: int}\"`, `T | null`"
            )
        }
        return TypeSyntax(.invalid, at: node.span)
    }

    /// The help for the first part of a text that a comma has split.
    private func cutOffHelp(_ expected: String) -> String? {
        expected == "`>`"
            ? "inside `{ }`, a type with a comma needs quotes: `\"Result<A, B>\"`" : nil
    }

    private mutating func listType(_ node: YAMLNode) -> TypeSyntax {
        let items = node.items
        guard items.count == 1 else {
            bag.report(
                .badType, "a list type holds exactly one type, found \(items.count)",
                at: node.span,
                help: "write `[User]`, or `[User | string]` for elements of several types; write "
                    + "`enum: [a, b]` for a choice of values")
            return TypeSyntax(.invalid, at: node.span)
        }
        return TypeSyntax(.list(type(items[0])), at: node.span)
    }

    /// In YAML, `{string: int}` is a mapping with one entry whose key is the key type.
    private mutating func mapType(_ node: YAMLNode) -> TypeSyntax? {
        let entries = node.entries
        guard entries.count == 1, entries[0].key.isPlain,
            ["string", "int"].contains(entries[0].key.text)
        else { return nil }
        let key = TypeSyntax(.named(entries[0].key.text), at: entries[0].key.span)
        return TypeSyntax(.map(key: key, value: type(entries[0].value)), at: node.span)
    }

    /// The fields of an object; `isShort` if the mapping holds only fields.
    mutating func fields(_ node: YAMLNode, isShort: Bool = false) -> [ParameterSyntax] {
        let entries = entries(node, of: "fields").filter { !isJoin($0) }
        let fields =
            isShort
            ? entriesBesidesAttributes(entries.filter { $0.key.text != "with" }) : entries
        return fields.map { entry in
            if let key = entry.value.value(of: "key") { checkPath(in: key) }
            if isShort { reportRules(entry) }
            var type = type(entry.value, help: { $0.help(for: entry, isShort) })
            if isShort, Self.aboutTypes.contains(entry.key.text) { type.isShortAttribute = true }
            return ParameterSyntax(key: entry.key.located, type: type)
        }
    }

    /// Reports `rules` of an object without `fields:`, where it would be a field.
    private mutating func reportRules(_ entry: YAMLEntry) {
        let keys = entry.value.items.first?.entries.map(\.key.text) ?? []
        guard entry.key.text == "rules",
            keys.contains(where: { CrossRuleSyntax.Kind(rawValue: $0) != nil })
        else { return }
        bag.report(
            .badCrossRule, "`rules` would be a field of the object here", at: entry.key.span,
            help: TypeSyntax.longFormHelp("rules"))
    }

    /// Attribute keys that are parsed as fields in an object without `fields:`.
    static let aboutTypes: Set<String> = [
        "doc", "link", "deprecated", "conforms", "swift", "optional", "nullable", "sensitive",
        "closed", "public", "as",
    ]

    private func help(for entry: YAMLEntry, _ isShort: Bool) -> String? {
        if let help = helpAfterComma(entry) { return help }
        let isAbout = isShort && Self.aboutTypes.contains(entry.key.text)
        return isAbout ? TypeSyntax.longFormHelp(entry.key.text) : nil
    }

    // MARK: Long form

    private mutating func longForm(_ node: YAMLNode) -> TypeSyntax {
        var type = longFormBase(node)
        trace?.add(type, at: node.span)
        visit(node, as: .type) { parser, key, entry in
            switch key {
            case "type", "fields", "enum", "one-of": return true
            case "tag", "content": return parser.unionKey(key, entry, of: &type)
            case "optional":
                if parser.flag(entry.value, for: "`optional`") == true {
                    type.optional = entry.key.span
                }
            case "nullable":
                if parser.flag(entry.value, for: "`nullable`") == true {
                    type.nullable = entry.key.span
                }
            case "items", "keys", "values": parser.partRules(entry, into: &type)
            case "closed" where type.isUnion: return parser.unionKey(key, entry, of: &type)
            case "with", "additional", "closed", "rules":
                parser.object(entry, of: node, into: &type)
            default: return parser.attribute(key, at: entry, into: &type.attributes)
            }
            return true
        }
        return type
    }

    private mutating func longFormBase(_ node: YAMLNode) -> TypeSyntax {
        let base = node.value(of: "type")
        let fieldsNode = node.value(of: "fields")
        let cases = node.entries.first { $0.key.text == "enum" }
        let keys = node.entries.map(\.key).filter {
            ["type", "fields", "enum", "one-of"].contains($0.text)
        }
        if let fieldsNode {
            if keys.count > 1 { reportConflict(keys[1].located, with: keys[0].located) }
            var type = TypeSyntax(.object(fields(fieldsNode)), at: fieldsNode.span)
            type.joins = joins(fieldsNode)
            return type
        }
        if let union = node.entries.first(where: { $0.key.text == "one-of" }) {
            if keys.count > 1 { reportConflict(keys[1].located, with: keys[0].located) }
            return self.union(union)
        }
        if let cases { return enumeration(cases, base) }
        if let base {
            return self.type(base)
        }
        if let constant = node.value(of: "const") { return constantType(constant) }
        return TypeSyntax(.invalid, at: node.span)
    }

    /// The type of `{ const: … }` without a `type`.
    private func constantType(_ node: YAMLNode) -> TypeSyntax {
        let name =
            if node.kind != .scalar { "json" } else if node.isPlain, node.boolean != nil {
                "bool"
            } else if node.isPlain, node.integer != nil {
                "int"
            } else {
                "string"
            }
        return TypeSyntax(.named(name), at: node.span)
    }

    /// `items: { max-length: 20 }` adds attributes to the elements of a list, `keys` and `values` to
    /// those of a map.
    private mutating func partRules(_ entry: YAMLEntry, into type: inout TypeSyntax) {
        switch (entry.key.text, type.form) {
        case ("items", .list(var element)):
            rules(entry.value, as: .items, into: &element)
            type.form = .list(element)
        case ("keys", .map(var key, let value)):
            rules(entry.value, as: .keys, into: &key)
            type.form = .map(key: key, value: value)
        case ("values", .map(let key, var value)):
            rules(entry.value, as: .values, into: &value)
            type.form = .map(key: key, value: value)
        default:
            let owner = entry.key.text == "items" ? "list" : "map"
            bag.report(
                .ruleDoesNotApply, "`\(entry.key.text)` only applies to a \(owner)",
                at: entry.key.span)
        }
    }

    private mutating func rules(
        _ node: YAMLNode, as schema: MappingSchema, into part: inout TypeSyntax
    ) {
        trace?.add(part, at: node.span)
        visit(node, as: schema) { parser, key, entry in
            guard schema.keys.contains(key) || RuleName(key: key) != nil else { return false }
            return parser.attribute(key, at: entry, into: &part.attributes)
        }
    }
}

extension TypeSyntax {
    fileprivate var isUnion: Bool { if case .union = form { true } else { false } }
}
