import SpecIR
import SpecImport
import SpecSyntax

extension SchemaWriter {
    /// Keywords with the meaning of a rule.
    private static let keywords: [RuleName: String] = [
        .min: "minimum", .max: "maximum", .above: "exclusiveMinimum", .below: "exclusiveMaximum",
        .multipleOf: "multipleOf", .minLength: "minLength", .maxLength: "maxLength",
        .pattern: "pattern", .minItems: "minItems", .maxItems: "maxItems", .unique: "uniqueItems",
        .minKeys: "minProperties", .maxKeys: "maxProperties",
    ]
    /// Whether a rule has a keyword.
    static func isKeyword(_ rule: RuleName) -> Bool { keywords[rule] != nil }

    private static let numeric: Set<RuleName> = [
        .min, .max, .above, .below, .multipleOf, .digits,
    ]
    /// Formats that an import reads as a rule of a text.
    static let textFormats: Set<String> = [
        "email", "hostname", "ipv4", "ipv6", "json-pointer", "time",
    ]

    /// Adds the keywords for the rules of a type. A rule that has none makes them inexact.
    func addRules(of type: TypeSyntax, to words: inout Words) {
        for rule in type.attributes.rules {
            let isPlain =
                rule.argument.kind != .mapping && rule.ignoresCase == nil
                && rule.options.isPlain
            if let keyword = Self.keywords[rule.name.value] {
                add(keyword, rule, to: &words)
                if !isPlain { words.isInexact = true }
            } else if rule.name.value == .format, Self.textFormats.contains(rule.argument.text) {
                words.entries.append(.format(rule.argument.text))
                if !isPlain { words.isInexact = true }
            } else {
                words.isInexact = true
                if rule.options.isPlain { approximate(rule, &words) }
            }
        }
    }

    private func add(_ keyword: String, _ rule: RuleSyntax, to words: inout Words) {
        // A warning, or a rule of one direction, is no condition of the schema.
        guard rule.options.isStrict else { return }
        let kinds = words.entries["type"]
        let isNumber = kinds == .text("integer") || kinds == .text("number")
        if Self.numeric.contains(rule.name.value), !isNumber, words.entries["$ref"] == nil {
            words.isInexact = true
            return
        }
        switch rule.name.value {
        case .unique where rule.argument.boolean != true: words.isInexact = true
        case .unique: words.set(keyword, .word("true"))
        case .pattern: words.set(keyword, .text(rule.argument.text))
        default:
            guard let number = rule.argument.numberText else {
                words.isInexact = true
                return
            }
            words.set(keyword, .word(number))
        }
    }

    /// Adds what a rule without a keyword of its own implies.
    private func approximate(_ rule: RuleSyntax, _ words: inout Words) {
        let node = rule.argument
        switch rule.name.value {
        case .length where node.integer != nil:
            words.set("minLength", .word(node.text))
            words.set("maxLength", .word(node.text))
        case .notBlank where words.entries["pattern"] == nil: words.set("pattern", .text("\\S"))
        case .oneOf where node.kind == .sequence && rule.ignoresCase == nil:
            words.set("enum", .list(node.items.map { value($0, words) }))
        case .noneOf where node.kind == .sequence && rule.ignoresCase == nil:
            let values = DraftEntry("enum", .list(node.items.map { value($0, words) }))
            words.set("not", .map([values]))
        case .format where ["uri", "uuid", "date", "date-time"].contains(node.text):
            words.entries.append(.format(node.text))
        default: break
        }
    }

    private func value(_ node: YAMLNode, _ words: Words) -> DraftValue {
        words.entries["type"] == .text("string") ? .text(node.text) : DraftValue(node)
    }
}

extension SchemaWriter.Words {
    /// Sets a keyword in place of an earlier one.
    fileprivate mutating func set(_ key: String, _ value: DraftValue) {
        entries.removeAll { $0.key == key }
        entries.append(DraftEntry(key, value))
    }
}

extension RuleOptionsSyntax {
    /// Whether values that break the rule are invalid, wherever they are.
    fileprivate var isStrict: Bool { !isWarning && direction == .both }
    fileprivate var isPlain: Bool { isStrict && message == nil }
}
