import SpecDiagnostics

/// Parses `rules`: the rules between the fields of an object or the parameters of a method.
extension Parser {
    mutating func crossRules(_ node: YAMLNode) -> [CrossRuleSyntax] {
        guard node.kind == .sequence else {
            reportKind(
                node, expected: "a list of rules",
                help: "write `rules: [{ at-least-one: [name, email] }]`")
            return []
        }
        return node.items.compactMap { crossRule($0) }
    }

    private mutating func crossRule(_ node: YAMLNode) -> CrossRuleSyntax? {
        var rules: [CrossRuleSyntax] = []
        var id: Located<String>?
        var options = RuleOptionsSyntax()
        let errors = bag.errorCount
        let help = node.kind == .scalar ? "write `- { expr: \(node.text.prefix(60)) }`" : nil
        visit(node, as: .crossRule, help: help) { parser, key, entry in
            if let kind = CrossRuleSyntax.Kind(rawValue: key) {
                rules.append(parser.crossRule(Located(kind, at: entry.key.span), entry.value))
            } else if key == "id" {
                id = parser.text(entry.value, expecting: "a name for the rule")
            } else {
                return parser.ruleOption(key, at: entry.value, into: &options)
            }
            return true
        }
        if rules.count > 1 { reportConflict(rules[1].kind.word, with: rules[0].kind.word) }
        guard var rule = rules.first else {
            if bag.errorCount == errors {
                let kinds = CrossRuleSyntax.Kind.allCases.map { "`\($0.rawValue)`" }
                bag.report(
                    .missingKey, "the rule requires nothing", at: node.span,
                    help: "add one of \(kinds.joined(separator: ", "))")
            }
            return nil
        }
        rule.id = id
        rule.options = options
        return rule
    }

    private mutating func crossRule(
        _ kind: Located<CrossRuleSyntax.Kind>, _ node: YAMLNode
    ) -> CrossRuleSyntax {
        var rule = CrossRuleSyntax(kind: kind)
        switch kind.value {
        case .expression: rule.condition = expression(node)
        case .requiredIf, .forbiddenIf:
            guard node.kind == .mapping, node.entries.count == 1 else {
                reportKind(
                    node, expected: "a field with a condition",
                    help: "write `\(kind.value.rawValue): { card: method == \"card\" }`")
                break
            }
            rule.names = [node.entries[0].key.located]
            rule.condition = expression(node.entries[0].value)
        case .atLeastOne, .atMostOne, .exactlyOne, .equalTo, .lessThan:
            rule.names = texts(node, expecting: "a field")?.value ?? []
        }
        return rule
    }

    private mutating func expression(
        _ node: YAMLNode
    ) -> (expression: ExpressionSyntax, text: String)? {
        guard let text = text(node, expecting: "an expression") else { return nil }
        var parser = ExpressionParser(node)
        if let expression = parser.parse() { return (expression, text.value) }
        let problem = parser.problem ?? (0..<0, "an expression")
        bag.report(
            .badCrossRule, "the expression cannot be read", at: node.place(ofText: problem.place),
            label: "expected \(problem.expected)",
            help: Self.help(forOperator: text.value.utf8.dropFirst(problem.place.lowerBound))
                ?? "expressions read like `start < end`, `count(tags) > 0 and not present(note)`")
        return nil
    }

    /// The help for an operator of other languages.
    private static func help(forOperator text: Substring.UTF8View) -> String? {
        let meant = [("&&", "and"), ("||", "or"), ("=", "=="), ("!", "not")]
        if let (_, word) = meant.first(where: { text.starts(with: $0.0.utf8) }) {
            return "did you mean `\(word)`?"
        }
        return text.first == UInt8(ascii: "/") ? "write a product: `a == b * c`" : nil
    }
}
