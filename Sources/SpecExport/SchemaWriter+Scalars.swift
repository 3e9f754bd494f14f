import SpecIR
import SpecImport
import SpecSyntax

extension SchemaWriter {
    // MARK: Words

    /// The schema of a word of the language.
    func scalar(_ name: String, _ attributes: AttributesSyntax) -> Words {
        var words = native(name, attributes)
        guard let source = attributes.from?.value else { return words }
        words.isInexact = true
        let isText = name == "string"
        switch source {
        case .native: break
        case .int: words.entries = [.type("integer")]
        case .string: words.entries = [.type("string")]
        case .either:
            let number = ["double", "decimal"].contains(name) ? "number" : "integer"
            let kinds = isText ? ["string", "number"] : [number, "string"]
            words.entries = [DraftEntry("type", .list(kinds.map { .text($0) }))]
        }
        return words
    }

    private func native(_ name: String, _ attributes: AttributesSyntax) -> Words {
        switch name {
        case "string": Words([.type("string")])
        case "int": Words([.type("integer"), .format("int64")])
        case "int32": Words([.type("integer"), .format("int32")])
        case "uint":
            Words(
                [.type("integer"), .format("uint64"), DraftEntry("minimum", .word("0"))],
                isInexact: !attributes.rules.isEmpty)
        case "double": Words([.type("number"), .format("double")])
        case "decimal": Words([.type("number"), .format("decimal")])
        case "bool", "bool01": bool(name, attributes)
        case "Date": date(attributes)
        case "Duration": duration(attributes)
        case "url": Words([.type("string"), .format("uri")])
        case "uuid": Words([.type("string"), .format("uuid")])
        case "bytes": bytes(attributes)
        case "file": Words([.type("string"), .format("binary")])
        default: Words([])
        }
    }

    private func bytes(_ attributes: AttributesSyntax) -> Words {
        // `contentEncoding` calls hex `base16`.
        let form = attributes.spelling?.value ?? "base64"
        let encoding = form == "hex" ? "base16" : form
        return Words(
            [.type("string"), DraftEntry("contentEncoding", .text(encoding))],
            isInexact: form != "base64")
    }

    private func bool(_ name: String, _ attributes: AttributesSyntax) -> Words {
        switch attributes.spelling.flatMap({ BoolForm(word: $0.value) }) {
        case .oneZero?: Self.zeroOrOne
        case .some: Words([.type("boolean")], isInexact: true)
        case nil:
            if let pair = attributes.spelling.map({ BoolForm.parts(of: $0.value) }) {
                Words(
                    [.type("string"), DraftEntry("enum", .list(pair.map { .text($0) }))],
                    isInexact: true)
            } else {
                name == "bool01" ? Self.zeroOrOne : Words([.type("boolean")])
            }
        }
    }

    private func duration(_ attributes: AttributesSyntax) -> Words {
        switch attributes.spelling.flatMap({ DurationUnit(rawValue: $0.value) }) {
        case .clock?: Words([.type("string")], isInexact: true)
        case .iso8601?: Words([.type("string"), .format("duration")], isInexact: true)
        default: Words([.type("number")], isInexact: true)
        }
    }

    private static let zeroOrOne = Words(
        [.type("integer"), DraftEntry("enum", .list([.word("0"), .word("1")]))], isInexact: true)

    /// An import states each form but the default one, which another default would change.
    private func date(_ attributes: AttributesSyntax) -> Words {
        let form: DateForm? = attributes.spelling.map { DateForm(word: $0.value) } ?? dates
        switch form {
        case .dateTime?:
            return Words([.type("string"), .format("date-time")], isInexact: dates != .dateTime)
        case .localDateTime?: return Words([.type("string"), .format("date-time-local")])
        case .date?: return Words([.type("string"), .format("date")])
        case .unix?: return Words([.type("integer"), .format("unix-time")])
        case .unixMilliseconds?: return Words([.type("integer")], isInexact: true)
        default: return Words([.type("string")], isInexact: true)
        }
    }

    // MARK: Constants

    func constant(_ node: YAMLNode, type: TypeSyntax, written: YAMLNode?) -> Words {
        let isInexact = written?.value(of: "type") != nil || type.name == nil
        let number = type.name.map { Self.numbers.contains($0) } == true
        switch type.name {
        case "bool"? where node.boolean != nil:
            return Words(
                [.type("boolean"), DraftEntry("const", DraftValue(node))],
                isInexact: isInexact)
        case _ where number && node.numberText != nil:
            let kind = type.name == "double" || type.name == "decimal" ? "number" : "integer"
            return Words(
                [.type(kind), DraftEntry("const", .word(node.numberText ?? "0"))],
                isInexact: isInexact)
        case "string"?:
            return Words(
                [.type("string"), DraftEntry("const", .text(node.text))],
                isInexact: isInexact)
        case "json"? where node.kind != .scalar:
            return Words([DraftEntry("const", DraftValue(node))], isInexact: isInexact)
        default:
            var copy = self
            var plain = type
            plain.attributes.constant = nil
            guard case .map(let entries) = copy.silently({ $0.schema(plain) }) else {
                return Words([], isInexact: true)
            }
            return Words(entries, isInexact: true)
        }
    }

    private static let numbers: Set<String> = ["int", "int32", "uint", "double", "decimal"]

    // MARK: Enumerations

    func enumeration(_ choice: EnumerationSyntax) -> Words {
        let isInteger = choice.base?.value == .int
        let values = choice.cases.map { item -> DraftValue in
            isInteger ? .word(item.value.numberText ?? "0") : .text(item.value.text)
        }
        var entries: [DraftEntry] = [
            .type(isInteger ? "integer" : "string"), DraftEntry("enum", .list(values)),
        ]
        if choice.cases.contains(where: { $0.name != nil }) {
            let names = choice.cases.map { $0.name?.value ?? $0.value.text }
            entries.append(DraftEntry("x-enum-varnames", .list(names.map { .text($0) })))
        }
        let documentation = choice.cases.map(\.documentation)
        if documentation.contains(where: { $0.text != nil }) {
            let docs = documentation.map { DraftValue.text($0.text?.value ?? "") }
            entries.append(DraftEntry("x-enum-descriptions", .list(docs)))
        }
        let hasMore = documentation.contains { $0.link != nil || $0.deprecation != nil }
        return Words(entries, isInexact: hasMore || choice.cases.isEmpty)
    }
}
