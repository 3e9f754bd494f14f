import SpecDiagnostics
import SpecIR

/// Parses the attributes of a type: keys, defaults, rules.
extension Parser {
    /// Reads one attribute. Returns whether the key is one.
    mutating func attribute(
        _ key: String, at entry: YAMLEntry, into attributes: inout AttributesSyntax
    ) -> Bool {
        let node = entry.value
        // `in` with a list is a rule.
        guard let attribute = AttributesSyntax.Key(rawValue: key),
            attribute != .location || node.kind == .scalar
        else {
            guard let name = RuleName(key: key) else { return false }
            rule(name, at: entry, into: &attributes)
            return true
        }
        attributes.keys.append(Located(attribute, at: entry.key.span))
        switch attribute {
        case .doc, .link, .deprecated:
            _ = documentation(key, at: node, into: &attributes.documentation)
        case .key: attributes.key = apiKey(node)
        case .from:
            attributes.from = word(
                node, expecting: "a JSON form", among: [.int, .string, .either])
        case .spelling:
            trace?.add((DateForm.words.map(\.key) + BoolForm.words.map(\.key)), at: node.span)
            attributes.spelling = text(node, expecting: "a form")
        case .defaultValue: attributes.defaultValue = node
        case .defaultUnless:
            attributes.defaultUnless =
                texts(node, expecting: "the name of another parameter")?.value ?? []
        case .empty:
            attributes.sending.empty = word(node, expecting: "what is sent of an empty value")
        case .clamp:
            if flag(node, for: "`clamp`") == true { attributes.sending.clamp = entry.key.span }
        case .serverDefault: attributes.sending.serverDefault = node
        case .constant: attributes.constant = node
        case .sensitive: attributes.isSensitive = flag(node, for: "`sensitive`")
        case .location:
            attributes.location = word(
                node, expecting: "a place", among: [.query, .header], advice: NearMisses.places)
        case .join: attributes.join = text(node, expecting: "a separator")
        case .style:
            let words = ListStyle.words.map(\.key)
            attributes.style = word(node, expecting: "a style", among: words).flatMap { text in
                ListStyle(word: text.value).map { Located($0, at: text.span) }
            }
        case .swift: attributes.swift = swiftNames(node)
        case .conforms: attributes.conforms = conformances(node)
        case .at: attributes.at = path(node)
        case .only: attributes.only = word(node, expecting: "a direction")
        case .invalid: attributes.invalid = tolerances(node)
        case .example: attributes.documentation.examples.append(ExampleSyntax(value: node))
        case .examples:
            guard node.kind == .sequence, !node.items.isEmpty else {
                reportKind(node, expected: "a list of values", help: "for one, write `example`")
                break
            }
            attributes.documentation.examples += node.items.map { ExampleSyntax(value: $0) }
        case .isPublic: attributes.isPublic = flag(node, for: "`public`") ?? false
        }
        return true
    }

    /// `key: h`. JSON has the empty key, too, which a spec writes in quotes.
    private mutating func apiKey(_ node: YAMLNode) -> Located<String>? {
        let isEmptyKey = node.kind == .scalar && !node.isPlain && node.text.isEmpty
        return isEmptyKey ? Located("", at: node.span) : text(node, expecting: "a key")
    }

    /// `at: city.title`
    private mutating func path(_ node: YAMLNode) -> Located<[String]>? {
        guard let path = keyPath(node, expecting: "a key path") else { return nil }
        if !path.value.isEmpty { return path }
        reportKind(node, expected: "a key path with at least one key")
        return nil
    }

    /// `invalid: skip` or `invalid: [skip, empty]`
    private mutating func tolerances(_ node: YAMLNode) -> Located<[Tolerance]>? {
        let words: [Located<Tolerance>] = items(node).compactMap {
            word($0, expecting: "what becomes of invalid values")
        }
        if words.count > 1, let fail = words.first(where: { $0.value == .fail }) {
            bag.report(
                .conflict, "`fail` cannot be combined with other words", at: fail.span,
                help: "`fail` is the default; write `skip`, `empty` or `[skip, empty]`")
        }
        return words.isEmpty ? nil : Located(words.map(\.value), at: node.span)
    }

    private mutating func rule(
        _ name: RuleName, at entry: YAMLEntry, into attributes: inout AttributesSyntax
    ) {
        if let first = attributes.rules.first(where: { $0.name.value == name }) {
            bag.report(
                .repeatedRule, "rule `\(name.rawValue)` is set twice", at: entry.key.span,
                notes: [Diagnostic.Note("first set here", at: first.name.span)],
                help: "JSON Schema's spelling and ours mean the same: keep one")
            return
        }
        var rule = RuleSyntax(name: Located(name, at: entry.key.span), argument: entry.value)
        if entry.value.kind == .mapping { ruleOptions(entry, into: &rule) }
        trace?.add(ValueForm.words(of: name), at: rule.argument.span)
        attributes.rules.append(rule)
    }

    /// `min: { value: 18, message: "…", severity: warning, on: send }`, or `rule: { id: iban }`
    private mutating func ruleOptions(_ entry: YAMLEntry, into rule: inout RuleSyntax) {
        let isOwn = rule.name.value == .own
        let argument = isOwn ? "id" : "value"
        visit(entry.value, as: isOwn ? .ownRule : .rule) { parser, key, entry in
            switch key {
            case argument: rule.argument = entry.value
            case "case-insensitive" where isOwn, "on" where isOwn: return false
            case "case-insensitive":
                if parser.flag(entry.value, for: "`case-insensitive`") == true {
                    rule.ignoresCase = entry.key.span
                }
            default: return parser.ruleOption(key, at: entry.value, into: &rule.options)
            }
            return true
        }
        if entry.value.value(of: argument) == nil {
            bag.report(
                .missingKey, "rule `\(rule.name.value.rawValue)` has no `\(argument)`",
                at: entry.key.span,
                help: "write `\(rule.name.value.rawValue): { \(argument): … }`")
        }
    }

    /// Reads what rules of all kinds have besides their argument. Returns whether the key is it.
    mutating func ruleOption(
        _ key: String, at node: YAMLNode, into options: inout RuleOptionsSyntax
    ) -> Bool {
        switch key {
        case "message": options.message = text(node, expecting: "a message")?.value
        case "severity":
            let word = word(node, expecting: "a severity", among: ["error", "warning"])
            options.isWarning = word?.value == "warning"
        case "on":
            let word = word(node, expecting: "a direction", among: [Rule.Direction.send, .receive])
            options.direction = word?.value ?? .both
        default: return false
        }
        return true
    }
}
