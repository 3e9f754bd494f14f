import SpecDiagnostics
import SpecIR
import SpecSyntax

/// Checks and resolves the rules between fields or parameters. All kinds become expressions.
struct CrossRuleResolver {
    let operands: [RuleOperand]
    /// What the operands are, in messages.
    let noun: String
    /// Knows the values of enumerations.
    var literals: LiteralReader
    var bag = DiagnosticBag()
    /// The operands of the current rule by their Swift names, in order.
    var mentioned: [String] = []

    static func rules(
        _ syntax: [CrossRuleSyntax], of operands: [RuleOperand], named noun: String,
        _ literals: inout LiteralReader, into bag: inout DiagnosticBag
    ) -> [CrossRule] {
        var resolver = CrossRuleResolver(operands: operands, noun: noun, literals: literals)
        let rules = syntax.compactMap { resolver.rule($0) }
        literals = resolver.literals
        bag.report(contentsOf: resolver.bag)
        return rules
    }

    private mutating func rule(_ syntax: CrossRuleSyntax) -> CrossRule? {
        mentioned = []
        guard let (condition, text) = content(of: syntax) else { return nil }
        return CrossRule(
            name: syntax.id?.value ?? syntax.kind.value.rawValue, condition: condition,
            fields: mentioned, text: text, message: syntax.options.message,
            isWarning: syntax.options.isWarning, direction: syntax.options.direction)
    }

    private mutating func content(
        of syntax: CrossRuleSyntax
    ) -> (condition: RuleExpression, text: String)? {
        switch syntax.kind.value {
        case .expression:
            guard let condition = syntax.condition, let made = self.condition(condition.expression)
            else { return nil }
            if mentioned.isEmpty {
                report("the rule is about no \(noun)", at: condition.expression.span)
                return nil
            }
            return (made, Self.code(condition.text))
        case .requiredIf, .forbiddenIf: return conditional(syntax)
        case .atLeastOne, .atMostOne, .exactlyOne: return choice(syntax)
        case .equalTo, .lessThan:
            guard syntax.names.count == 2 else {
                report(
                    "`\(syntax.kind.value.rawValue)` compares two \(noun)s", at: syntax.kind.span)
                return nil
            }
            let pair = syntax.names.map { ExpressionSyntax(form: .name($0.value), span: $0.span) }
            let isEqual = syntax.kind.value == .equalTo
            let made = comparison(
                isEqual ? .equal : .less, left: pair[0], right: pair[1], at: syntax.names[1].span)
            let words = isEqual ? "equal to" : "less than"
            return made.map {
                ($0, "`\(syntax.names[0].value)` \(words) `\(syntax.names[1].value)`")
            }
        }
    }

    // MARK: Presence

    /// `required-if` and `forbidden-if`
    private mutating func conditional(
        _ syntax: CrossRuleSyntax
    ) -> (condition: RuleExpression, text: String)? {
        guard let name = syntax.names.first, let condition = syntax.condition,
            let isPresent = presence(of: name),
            let cause = self.condition(condition.expression)
        else { return nil }
        let isRequired = syntax.kind.value == .requiredIf
        return (
            .or(.not(cause), isRequired ? isPresent : .not(isPresent)),
            (isRequired ? "" : "no ") + "`\(name.value)` if \(Self.code(condition.text))"
        )
    }

    /// `at-least-one`, `at-most-one` and `exactly-one`
    private mutating func choice(
        _ syntax: CrossRuleSyntax
    ) -> (condition: RuleExpression, text: String)? {
        let parts = syntax.names.compactMap { presence(of: $0) }
        guard parts.count == syntax.names.count, let first = parts.first else { return nil }
        guard Set(syntax.names.map(\.value)).count == syntax.names.count, parts.count > 1 else {
            report(
                "`\(syntax.kind.value.rawValue)` needs two or more different \(noun)s",
                at: syntax.kind.span)
            return nil
        }
        let one = RuleExpression.constant(.integer("1"), .integer(.int, from: .native))
        let count = RuleExpression.presentCount(mentioned)
        let list = syntax.names.map { "`\($0.value)`" }.joined(separator: ", ")
        return switch syntax.kind.value {
        case .atLeastOne:
            (parts.dropFirst().reduce(first) { .or($0, $1) }, "at least one of \(list)")
        case .atMostOne: (.compared(.atMost, count, one), "at most one of \(list)")
        default: (.compared(.equal, count, one), "exactly one of \(list)")
        }
    }

    /// Whether an operand is present; one that always is has been reported.
    mutating func presence(of name: Located<String>) -> RuleExpression? {
        guard let operand = operand(name) else { return nil }
        if operand.mayBeAbsent { return .isPresent(operand.swiftName) }
        report(
            "`\(name.value)` is always present", at: name.span,
            help: "name a \(noun) with `?`, or remove it from the rule")
        return nil
    }

    // MARK: Names

    mutating func operand(_ name: Located<String>) -> RuleOperand? {
        let named = operands.filter { $0.name == name.value }
        if let operand = named.first, named.count == 1, !operand.isConstant {
            if !mentioned.contains(operand.swiftName) { mentioned.append(operand.swiftName) }
            return operand
        }
        let near = didYouMean(name.value, among: operands.map(\.name))
        if named.count > 1 {
            report("several \(noun)s are called `\(name.value)`", at: name.span)
        } else if named.isEmpty {
            let help = ["true", "false"].contains(name.value) ? "write `paid` or `not paid`" : near
            report("unknown \(noun) `\(name.value)`", at: name.span, help: help)
        } else {
            report("`\(name.value)` is a constant", at: name.span)
        }
        return nil
    }

    mutating func report(_ message: String, at span: Span, help: String? = nil) {
        bag.report(.badCrossRule, message, at: span, help: help)
    }

    /// An expression in a sentence, on one line.
    private static func code(_ text: String) -> String {
        "`" + text.split { $0 == "\n" || $0 == "`" }.joined(separator: " ") + "`"
    }
}
