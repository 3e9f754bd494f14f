import SpecDiagnostics
import SpecIR

/// Recovers from a missing `fields:`. It is reported once, and the fields are parsed as intended.
extension Parser {
    // MARK: Fields among attributes

    /// The object that a long form was meant to be, if several of its keys are fields; nil
    /// otherwise.
    mutating func objectWithoutFields(_ node: YAMLNode) -> TypeSyntax? {
        if let object = schemaObject(node) { return object }
        let strays = node.entries.filter {
            !MappingSchema.type.accepts($0.key.text) && readsLikeType($0.value)
        }
        guard strays.count > 1 else { return nil }
        let names = strays.prefix(3).map { "`\($0.key.text)`" }.joined(separator: ", ")
        let more = strays.count > 3 ? " and \(strays.count - 3) more" : ""
        bag.report(
            .unknownKey, "unknown keys \(names)\(more) in a type", at: strays[0].key.span,
            help: helpWithoutFields(node))
        let fields = strays.map { entry in
            ParameterSyntax(
                key: entry.key.located, type: type(entry.value))
        }
        return TypeSyntax(.object(fields), at: node.span)
    }

    /// An object in the notation of JSON Schema.
    private mutating func schemaObject(_ node: YAMLNode) -> TypeSyntax? {
        guard node.value(of: "type")?.text == "object",
            let properties = node.entries.first(where: { $0.key.text == "properties" })
        else { return nil }
        bag.report(
            .unknownKey, "unknown key `properties` in a type", at: properties.key.span,
            help: "write `fields:` instead of `type: object` and `properties:`; a field that "
                + "may be missing is marked `?`, the others are required")
        return TypeSyntax(.object(fields(properties.value)), at: node.span)
    }

    /// An object without `fields:` that has a keyword of JSON Schema for a field; nil for any other.
    mutating func combination(_ node: YAMLNode) -> TypeSyntax? {
        for entry in node.entries {
            let key = entry.key.text
            guard let help = NearMisses.keywords[key] else { continue }
            bag.report(
                .unknownKey, "unknown key `\(key)` in a type", at: entry.key.span,
                help: "\(help); a field of this name is declared under `fields:`")
            return TypeSyntax(.invalid, at: node.span)
        }
        return nil
    }

    /// Warns of a JSON key that reads like a key path, unless it is in quotes.
    mutating func checkPath(in key: YAMLNode) {
        let parts = key.text.split(separator: ".", omittingEmptySubsequences: false)
        guard key.isPlain, parts.count > 1,
            parts.allSatisfy({ $0.wholeMatch(of: #/[A-Za-z_][A-Za-z0-9_]*/#) != nil })
        else { return }
        bag.report(
            .keyLikePath, "`\(key.text)` is one key with a dot, not a path", at: key.span,
            help: "to read a value inside an object, declare the object: "
                + "`\(parts[0]): { \(parts[1]): … }`; quote a key that has a dot")
    }

    private func helpWithoutFields(_ node: YAMLNode) -> String {
        if node.value(of: "fields")?.isNull == true {
            return "indent the fields further than `fields:`"
        }
        if node.value(of: "type")?.text == "object" {
            return "write `fields:` instead of `type: object`, and the fields under it"
        }
        let bases = node.entries.map(\.key.text).filter(TypeNames.bases.contains)
        return "put all fields under `fields:`, because one of them is called `\(bases[0])`"
    }

    /// Whether a value looks like a type: a word of the language, the name of a model, or a text in
    /// brackets.
    private func readsLikeType(_ node: YAMLNode) -> Bool {
        guard node.kind == .scalar else { return true }
        let name = node.text.prefix { $0.isLetter || $0.isNumber || $0 == "_" }
        return TypeNames.scalars.contains(String(name)) || name.first?.isUppercase == true
            || ["[", "{"].contains(node.text.first)
    }

    // MARK: Attributes among fields

    /// The fields of an object without `fields:`, without those entries that are attributes of the
    /// object. The first attribute is reported.
    mutating func entriesBesidesAttributes(_ entries: [YAMLEntry]) -> [YAMLEntry] {
        guard let first = entries.first(where: isSurelyAttribute) else { return entries }
        bag.report(
            .badType,
            "`\(first.key.text)` is an attribute of the object, but is written among its fields",
            at: first.key.span, help: TypeSyntax.longFormHelp(first.key.text))
        return entries.filter { !mayBeAttribute($0) }
    }

    /// Whether an entry can only be an attribute, because its value is not a type.
    private func isSurelyAttribute(_ entry: YAMLEntry) -> Bool {
        guard Self.aboutTypes.contains(entry.key.text) else { return false }
        if entry.value.kind == .scalar {
            var parser = TypeTextParser(entry.value)
            return entry.value.boolean != nil || parser.parse() == nil && !isCutOff(entry)
        }
        return entry.key.text == "conforms"
            && entry.value.items.contains { Conformance(rawValue: $0.text) != nil }
    }

    /// Whether an entry has no value, possibly because a comma split its text.
    private func isCutOff(_ entry: YAMLEntry) -> Bool { entry.value.text.isEmpty }

    /// Whether an entry is an attribute, given that another entry certainly is one.
    private func mayBeAttribute(_ entry: YAMLEntry) -> Bool {
        Self.aboutTypes.contains(entry.key.text) || entry.value.boolean != nil
    }
}
