import Foundation
import SpecIR
import TelexJSON
import TelexValues

/// A rule between the fields of an object, or between the parameters of a method.
struct CrossRuleCheck: Sendable {
    /// A field that the rule is about.
    struct Operand: Sendable {
        /// Its number among the values.
        let number: Int
        /// The keys that lead to it.
        let keys: [String]
        let isSensitive: Bool
    }

    private let rule: CrossRule
    private let operands: [String: Operand]
    private let table: ModelTable

    init(_ rule: CrossRule, _ operands: [String: Operand], _ table: ModelTable) {
        self.rule = rule
        self.operands = operands
        self.table = table
    }

    /// Reports a violation to a checker that has just read the object with these values.
    func check<Checker: RuleChecker & ~Copyable>(
        _ values: [CheckedValue?], with checker: inout Checker
    ) {
        guard checker.checksRules, holds(rule.condition, false, values) else { return }
        let fields = rule.fields.compactMap { operands[$0] }
        let found = fields.map { field in
            let value = values[field.number]?.unlessNull
            let shown: Any? = field.isSensitive ? Violation.redacted : value?.shown ?? [Int]()
            return (field.keys.joined(separator: "."), value == nil ? nil : shown)
        }
        checker.broken(
            rule.name, at: fields.first?.keys ?? [], expected: rule.text, found: found,
            message: rule.message, severity: rule.isWarning ? .warning : .error)
    }

    /// Whether a condition is true, or false. A comparison with an absent value is neither.
    private func holds(
        _ expression: RuleExpression, _ truth: Bool, _ values: [CheckedValue?]
    ) -> Bool {
        switch expression {
        case .not(let inner): holds(inner, !truth, values)
        case .and(let one, let other) where truth, .or(let one, let other) where !truth:
            holds(one, truth, values) && holds(other, truth, values)
        case .and(let one, let other), .or(let one, let other):
            holds(one, truth, values) || holds(other, truth, values)
        case .isPresent(let name): isPresent(name, values) == truth
        case .isTrue(let name): value(.field(name), values) == .bool(truth)
        case .compared(let comparison, let one, let other):
            compared(truth ? comparison : comparison.opposite, one, other, values)
        case .field, .constant, .length, .count, .presentCount, .decimal, .arithmetic: false
        }
    }

    private func isPresent(_ name: String, _ values: [CheckedValue?]) -> Bool {
        operands[name].map { values[$0.number] != nil } ?? false
    }

    private func compared(
        _ comparison: RuleExpression.Comparison, _ one: RuleExpression, _ other: RuleExpression,
        _ values: [CheckedValue?]
    ) -> Bool {
        guard let one = value(one, values), let other = value(other, values) else { return false }
        return switch comparison {
        case .equal: one == other
        case .unequal: one != other
        case .less: CheckedValue.isLess(one, other) ?? false
        case .greater: CheckedValue.isLess(other, one) ?? false
        case .atMost: one == other || CheckedValue.isLess(one, other) ?? false
        case .atLeast: one == other || CheckedValue.isLess(other, one) ?? false
        }
    }

    private func value(
        _ expression: RuleExpression, _ values: [CheckedValue?]
    ) -> CheckedValue? {
        switch expression {
        case .field(let name): operands[name].flatMap { values[$0.number]?.unlessNull }
        case .constant(let literal, let type): table.value(literal, type)
        case .length(let inner):
            RuleTerm.length(value(inner, values)?.text).map(CheckedValue.integer)
        case .count(let inner): value(inner, values)?.count.map(CheckedValue.integer)
        case .presentCount(let names): .integer(names.count { isPresent($0, values) })
        case .decimal(let inner): value(inner, values)?.number.map(CheckedValue.decimal)
        case .arithmetic(let name, let one, let other):
            arithmetic(name, value(one, values)?.number, value(other, values)?.number)
        case .isPresent, .isTrue, .compared, .not, .and, .or: nil
        }
    }

    private func arithmetic(
        _ name: RuleExpression.Arithmetic, _ one: Decimal?, _ other: Decimal?
    ) -> CheckedValue? {
        let result =
            switch name {
            case .sum: RuleTerm.sum(one, other)
            case .difference: RuleTerm.difference(one, other)
            case .product: RuleTerm.product(one, other)
            }
        return result.map(CheckedValue.decimal)
    }
}
