import SpecDiagnostics
import SpecIR
import SpecSyntax

/// Finds the types of expressions.
extension CrossRuleResolver {
    /// An expression and what it is.
    private struct Typed {
        /// What values are compared as.
        enum Kind: Equatable {
            case condition
            case number(ValueType)
            case digits(String)
            case text
            case quotedText(String)
            case date
            case enumeration(String, isInteger: Bool)
            /// Another type, whose values are compared with each other only.
            case other(ValueType)

            var isLiteral: Bool {
                switch self {
                case .digits, .quotedText: true
                default: false
                }
            }

            /// Whether one value is less than another.
            var isOrdered: Bool {
                switch self {
                case .number, .digits, .date, .other(.duration): true
                case .condition, .text, .quotedText, .enumeration, .other: false
                }
            }

            /// The kind in messages.
            var words: String {
                switch self {
                case .condition: "a condition"
                case .number, .digits: "a number"
                case .text, .quotedText: "a text"
                case .date: "a date"
                case .enumeration: "a value of an enumeration"
                case .other(let type): type.expectation
                }
            }
        }

        let expression: RuleExpression
        let kind: Kind
    }

    private static let int = ValueType.integer(.int, from: .native)

    /// The expression as a condition.
    mutating func condition(_ syntax: ExpressionSyntax) -> RuleExpression? {
        guard let typed = typed(syntax) else { return nil }
        if typed.kind == .condition { return typed.expression }
        report(
            "expected a condition, found \(typed.kind.words)", at: syntax.span,
            help: "compare it with something, or write `present(…)`")
        return nil
    }

    private mutating func typed(_ syntax: ExpressionSyntax) -> Typed? {
        switch syntax.form {
        case .name(let name): return field(Located(name, at: syntax.span))
        case .number(let digits):
            return Typed(
                expression: .constant(.number(digits), .decimal(from: .native)),
                kind: .digits(digits))
        case .text(let text):
            return Typed(
                expression: .constant(.string(text), .string(from: .native)),
                kind: .quotedText(text))
        case .call(let function, let argument): return call(function, argument)
        case .not(let inner):
            return condition(inner).map { Typed(expression: .not($0), kind: .condition) }
        case .binary(let name, let left, let right):
            return binary(name, left: left, right: right, at: syntax.span)
        }
    }

    private mutating func field(_ name: Located<String>) -> Typed? {
        guard let operand = operand(name) else { return nil }
        let field = RuleExpression.field(operand.swiftName)
        switch operand.type {
        case .bool: return Typed(expression: .isTrue(operand.swiftName), kind: .condition)
        case .integer(let width, _):
            return Typed(expression: field, kind: .number(.integer(width, from: .native)))
        case .double: return Typed(expression: field, kind: .number(.double(from: .native)))
        case .decimal: return Typed(expression: field, kind: .number(.decimal(from: .native)))
        case .string: return Typed(expression: field, kind: .text)
        case .date: return Typed(expression: field, kind: .date)
        case .enumeration(let type, let isInteger):
            return Typed(expression: field, kind: .enumeration(type, isInteger: isInteger))
        case .duration, .url, .uuid, .bytes, .json:
            return Typed(expression: field, kind: .other(operand.type))
        case .list, .map, .object, .union, .file:
            report(
                "`\(name.value)` is \(operand.type.expectation), which cannot be compared",
                at: name.span, help: "write `present(…)`, or `count(…)` of a list or a map")
            return nil
        }
    }

    // MARK: Functions

    private mutating func call(
        _ function: Located<String>, _ argument: ExpressionSyntax
    ) -> Typed? {
        guard ["length", "count", "present"].contains(function.value) else {
            report(
                "unknown function `\(function.value)`", at: function.span,
                help: "there are `length`, `count` and `present`")
            return nil
        }
        guard case .name(let text) = argument.form else {
            report("`\(function.value)` takes a \(noun)", at: argument.span)
            return nil
        }
        let name = Located(text, at: argument.span)
        if function.value == "present" {
            return presence(of: name).map { Typed(expression: $0, kind: .condition) }
        }
        guard let operand = operand(name) else { return nil }
        let field = RuleExpression.field(operand.swiftName)
        switch (function.value, operand.type) {
        case ("length", .string): return Typed(expression: .length(field), kind: .number(Self.int))
        case ("count", .list), ("count", .map):
            return Typed(expression: .count(field), kind: .number(Self.int))
        default:
            let expected = function.value == "length" ? "a text" : "a list or a map"
            report(
                "`\(function.value)` takes \(expected), and `\(text)` is "
                    + operand.type.expectation, at: argument.span)
            return nil
        }
    }

    // MARK: Operators

    private mutating func binary(
        _ name: ExpressionSyntax.Operator, left: ExpressionSyntax, right: ExpressionSyntax,
        at span: Span
    ) -> Typed? {
        if let comparison = RuleExpression.Comparison(rawValue: name.rawValue) {
            return self.comparison(comparison, left: left, right: right, at: span).map {
                Typed(expression: $0, kind: .condition)
            }
        }
        if let arithmetic = RuleExpression.Arithmetic(rawValue: name.rawValue) {
            guard let one = number(left), let other = number(right) else { return nil }
            return Typed(
                expression: .arithmetic(arithmetic, one, other),
                kind: .number(.decimal(from: .native)))
        }
        guard let one = condition(left), let other = condition(right) else { return nil }
        return Typed(
            expression: name == .and ? .and(one, other) : .or(one, other), kind: .condition)
    }

    private mutating func number(_ syntax: ExpressionSyntax) -> RuleExpression? {
        guard let typed = typed(syntax) else { return nil }
        if let number = Self.decimal(typed) { return number }
        report("expected a number, found \(typed.kind.words)", at: syntax.span)
        return nil
    }

    /// A number as a decimal one; nil for another value.
    private static func decimal(_ typed: Typed) -> RuleExpression? {
        switch typed.kind {
        case .digits, .number(.decimal): typed.expression
        case .number: .decimal(typed.expression)
        default: nil
        }
    }

    /// A comparison of two values; nil if they cannot be compared, which is reported.
    mutating func comparison(
        _ comparison: RuleExpression.Comparison, left: ExpressionSyntax,
        right: ExpressionSyntax, at span: Span
    ) -> RuleExpression? {
        guard let one = typed(left), let other = typed(right) else { return nil }
        if one.kind.isLiteral, other.kind.isLiteral {
            report("this compares two constants", at: span)
            return nil
        }
        guard let one = converted(one, like: other.kind, at: left.span),
            let other = converted(other, like: one.kind, at: right.span)
        else { return nil }
        if one.kind != other.kind || one.kind == .condition {
            guard let one = Self.decimal(one), let other = Self.decimal(other) else {
                report(
                    "\(one.kind.words) cannot be compared with \(other.kind.words)", at: span,
                    help: one.kind == .condition
                        ? "a condition stands alone: write `paid` or `not paid`" : nil)
                return nil
            }
            return .compared(comparison, one, other)
        }
        if ![.equal, .unequal].contains(comparison), !one.kind.isOrdered {
            report(
                "\(one.kind.words) is neither less nor greater than another", at: span,
                help: "compare it by `==` or `!=`")
            return nil
        }
        return .compared(comparison, one.expression, other.expression)
    }

    /// A literal as a value of the kind that it is compared with, if it can be one. `nil` after an
    /// error.
    private mutating func converted(
        _ literal: Typed, like kind: Typed.Kind, at span: Span
    ) -> Typed? {
        switch (literal.kind, kind) {
        case (.digits(let digits), .number(let type)):
            // Another number is compared as a decimal one.
            guard let value = Self.literal(digits, type) else { return literal }
            return Typed(expression: .constant(value, type), kind: kind)
        case (.quotedText, .text): return Typed(expression: literal.expression, kind: kind)
        case (.quotedText(let text), .date):
            guard let problem = DateSyntaxCheck.problem(of: text) else {
                return Typed(
                    expression: .constant(.string(text), .date(.dateTime)), kind: kind)
            }
            report("`\(text)` is not a date", at: span, help: problem)
            return nil
        case (.quotedText(let value), .enumeration(let type, let isInteger)),
            (.digits(let value), .enumeration(let type, let isInteger)):
            let cases = literals.enumeration(named: type).cases
            if let found = cases.first(where: { $0.value == value }) {
                return Typed(
                    expression: .constant(
                        .enumerationCase(found.name), .enumeration(type, isInteger: isInteger)),
                    kind: kind)
            }
            let known = cases.map(\.value)
            report(
                "`\(value)` is not a value of `\(literals.typeNames.name(of: type))`", at: span,
                help: didYouMean(value, among: known)
                    ?? "its values: \(known.prefix(12).joined(separator: ", "))")
            return nil
        default: return literal
        }
    }

    /// A number as a literal of a type; nil if it does not fit.
    private static func literal(_ digits: String, _ type: ValueType) -> Literal? {
        switch type {
        case .integer(.int, _): Int(digits).map { .integer(String($0)) }
        case .integer(.int32, _): Int32(digits).map { .integer(String($0)) }
        case .integer(.uint, _): UInt(digits).map { .integer(String($0)) }
        default: .number(digits)
        }
    }
}
