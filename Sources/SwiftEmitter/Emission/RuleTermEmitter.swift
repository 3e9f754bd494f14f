import SpecIR

/// Emits the conditions of rules between fields.
struct RuleTermEmitter {
    /// A field or a parameter in Swift.
    struct Operand {
        /// The keys that lead to it in JSON, or the name of a parameter.
        let keys: [String]
        /// The name that rules refer to.
        let name: String
        /// The expression that is nil if it is absent.
        let presence: String
        /// The expression of its value, an optional if it may be absent.
        let value: String
        let isOptional: Bool
        let isSensitive: Bool

        init(_ field: Field, of owner: String) {
            keys = field.path
            name = field.name
            presence = "\(owner).\(SwiftLiteral.member(field.name))"
            value = field.keepsNull ? presence + "?.optional" : presence
            isOptional = field.isSwiftOptional
            isSensitive = field.isSensitive
        }

        init(_ parameter: Parameter) {
            keys = [parameter.key]
            name = parameter.name
            presence = parameter.local
            value = parameter.sentExpression(parameter.local)
            isOptional = parameter.swift?.hasSuffix("?") == true
            isSensitive = parameter.isSensitive
        }
    }

    private let operands: [String: Operand]

    init(_ operands: [Operand]) {
        self.operands = Dictionary(
            operands.map { ($0.name, $0) }, uniquingKeysWith: { first, _ in first })
    }

    /// The operands of a rule, in its order.
    func operands(of rule: CrossRule) -> [Operand] { rule.fields.compactMap { operands[$0] } }

    /// The conditions that hold together if an expression is true, or false. Each is a list of
    /// alternatives.
    func conditions(_ expression: RuleExpression, _ truth: Bool) -> [[Layout]] {
        switch (expression, truth) {
        case (.not(let inner), _): conditions(inner, !truth)
        case (.and(let one, let other), true), (.or(let one, let other), false):
            conditions(one, truth) + conditions(other, truth)
        case (.and(let one, let other), false), (.or(let one, let other), true):
            [alternatives(one, truth) + alternatives(other, truth)]
        default: [[single(expression, truth)]]
        }
    }

    private func alternatives(_ expression: RuleExpression, _ truth: Bool) -> [Layout] {
        let parts = conditions(expression, truth)
        if parts.count == 1 { return parts[0] }
        let texts = parts.map { $0.count == 1 ? $0[0].flat : "(\(Self.flat($0)))" }
        return [.text("(\(texts.joined(separator: " && ")))")]
    }

    /// Alternatives in one line.
    static func flat(_ alternatives: [Layout]) -> String {
        alternatives.map(\.flat).joined(separator: " || ")
    }

    private func single(_ expression: RuleExpression, _ truth: Bool) -> Layout {
        switch expression {
        case .isPresent(let name): .text("\(presence(name)) \(truth ? "!=" : "==") nil")
        case .isTrue(let name): .text("\(value(name)) == \(truth)")
        case .compared(let comparison, let one, let other):
            compared(truth ? comparison : comparison.opposite, one: swift(one), other: swift(other))
        default: .text(swift(expression))
        }
    }

    private func compared(
        _ comparison: RuleExpression.Comparison, one: String, other: String
    ) -> Layout {
        let (name, operands) =
            switch comparison {
            case .equal: ("isEqual", [one, other])
            case .unequal: ("isUnequal", [one, other])
            case .less: ("isLess", [one, other])
            case .atMost: ("isAtMost", [one, other])
            case .greater: ("isLess", [other, one])
            case .atLeast: ("isAtMost", [other, one])
            }
        return .call("RuleTerm.\(name)", operands.map(Layout.text))
    }

    /// The expression of a value.
    private func swift(_ expression: RuleExpression) -> String {
        switch expression {
        case .field(let name): value(name)
        case .constant(.number(let digits), .decimal):
            "RuleTerm.number(\(SwiftLiteral.string(digits)))"
        case .constant(let literal, let type): literal.typed(type)
        case .length(let inner): "RuleTerm.length(\(swift(inner)))"
        case .count(let inner): "RuleTerm.count(\(swift(inner)))"
        case .presentCount(let names):
            "[\(names.map { "\(presence($0)) != nil" }.joined(separator: ", "))].count { $0 }"
        case .decimal(let inner): "RuleTerm.number(\(swift(inner)))"
        case .arithmetic(let name, let one, let other):
            "RuleTerm.\(name)(\(swift(one)), \(swift(other)))"
        case .isPresent, .isTrue, .compared, .not, .and, .or:
            Self.flat(alternatives(expression, true))
        }
    }

    private func presence(_ name: String) -> String { operands[name]?.presence ?? "" }
    private func value(_ name: String) -> String { operands[name]?.value ?? "" }
}

extension SwiftWriter {
    /// Writes the statements that check rules between fields or parameters.
    mutating func crossRules(
        _ rules: [CrossRule], sent: Bool, checker: String, _ operands: [RuleTermEmitter.Operand]
    ) {
        let emitter = RuleTermEmitter(operands)
        for rule in rules where rule.isChecked(sent: sent) {
            branch(emitter.conditions(rule.condition, false)) { writer in
                writer.expression(
                    "", rule.violation(checker: checker, emitter.operands(of: rule)))
            }
        }
    }

    /// Writes an `if`, with one condition per line if it is too long.
    private mutating func branch(_ conditions: [[Layout]], _ body: (inout SwiftWriter) -> Void) {
        let items = conditions.map { RuleTermEmitter.flat($0) }
        let single = "if \(items.joined(separator: ", "))"
        if fits(single + " {") { return block(single, body) }
        for (index, alternatives) in conditions.enumerated() {
            let head = index == 0 ? "if " : "    "
            let comma = index == items.count - 1 ? "" : ","
            condition(
                head: head, alternatives: alternatives, tail: comma,
                indentation: index == 0 ? "    " : "        ")
        }
        line("{")
        indented(body)
        line("}")
    }

    /// Writes one condition: its alternatives, or the arguments of its call, on lines of their own
    /// if it is too long.
    private mutating func condition(
        head: String, alternatives: [Layout], tail: String, indentation: String
    ) {
        let single = head + RuleTermEmitter.flat(alternatives) + tail
        if fits(single) { return line(single) }
        guard alternatives.count == 1, case .call(let name, let operands) = alternatives[0] else {
            for (index, alternative) in alternatives.enumerated() {
                let start = index == 0 ? head : indentation + "|| "
                line(start + alternative.flat + (index == alternatives.count - 1 ? tail : ""))
            }
            return
        }
        line(head + name + "(")
        let last = indentation + operands.map(\.flat).joined(separator: ", ") + ")" + tail
        if fits(last) { return line(last) }
        for (index, operand) in operands.enumerated() {
            line(indentation + operand.flat + (index == operands.count - 1 ? ")" + tail : ","))
        }
    }
}

extension CrossRule {
    /// The call that reports a violation.
    fileprivate func violation(
        checker: String, _ operands: [RuleTermEmitter.Operand]
    ) -> Layout {
        let found = operands.map { operand in
            let name = SwiftLiteral.string(operand.keys.joined(separator: "."))
            return Layout.text("\(name): \(operand.found)")
        }
        var arguments: [Layout] = [
            .string("", name), .strings("at: ", operands.first?.keys ?? []),
            .string("expected: ", text), .array("found: ", found),
        ]
        if let message { arguments.append(.string("message: ", message)) }
        if isWarning { arguments.append(.text("severity: .warning")) }
        return .call("\(checker).broken", arguments)
    }
}

extension RuleTermEmitter.Operand {
    /// The value that a violation shows.
    fileprivate var found: String {
        guard isSensitive else { return value }
        return (isOptional ? "\(presence) == nil ? nil : " : "") + "Violation.redacted"
    }
}
