import Foundation
import SpecIR
import TelexJSON
import TelexValues

/// A rule of a value, with its argument as the checks of ``RuleChecker`` take it.
struct RuleCheck: Sendable {
    private enum Argument: Sendable {
        case none
        case value(CheckedValue)
        case count(Int)
        case text(String)
        case pattern(Pattern)
        case choices([CheckedValue])
        case texts([String])
        case format(StringFormat)
        case date(Date)
        case seconds(Double)
        /// A field of a list's elements: its name, and its number in their model.
        case field(String, Int)
    }

    private let name: RuleName
    private let argument: Argument
    private let message: String?
    private let severity: Severity

    /// - Parameters:
    ///   - type: The type of the value.
    ///   - table: The models of the API.
    init(_ rule: Rule, _ type: ValueType, _ table: ModelTable) {
        name = rule.name
        message = rule.message
        severity = rule.isWarning ? .warning : .error
        argument =
            switch rule.argument {
            case .flag, .mimeTypes, .size, .check: .none
            case .number(let digits): .value(CheckedValue(digits, type))
            case .divisor(let digits), .text(let digits): .text(digits)
            case .count(let count): .count(count)
            case .pattern(let source, let program): .pattern(Pattern(source, program: program))
            case .choices(let values) where rule.ignoresCase:
                .texts(values.compactMap { table.value($0, type).text })
            case .choices(let values): .choices(values.map { table.value($0, type) })
            case .format(let name): StringFormat(rawValue: name).map(Argument.format) ?? .none
            case .date(let date): .date(Date(literal: date))
            case .seconds(let seconds): .seconds(Double(seconds))
            case .literal(let literal): .value(table.value(literal, type))
            case .field(let field): .field(field, table.number(of: field, inElementsOf: type))
            }
    }

    /// Reports a violation to a checker that has just read the value.
    func check<Checker: RuleChecker & ~Copyable>(
        _ value: CheckedValue, with checker: inout Checker
    ) {
        switch (argument, value) {
        case (.value(let constant), _) where name == .constant:
            checker.constant(value, constant, message: message, severity: severity)
        case (.value(.integer(let bound)), .integer(let value)): check(value, bound, &checker)
        case (.value(.unsigned(let bound)), .unsigned(let value)): check(value, bound, &checker)
        case (.value(.double(let bound)), .double(let value)): check(value, bound, &checker)
        case (.value(.decimal(let bound)), .decimal(let value)): check(value, bound, &checker)
        case (.choices(let values), _) where name == .oneOf:
            checker.oneOf(value, values, message: message, severity: severity)
        case (.choices(let values), _):
            checker.noneOf(value, values, message: message, severity: severity)
        case (.text(let divisor), _) where name == .multipleOf:
            checker.multiple(value, of: divisor, message: message, severity: severity)
        case (.count(let count), _) where name == .digits:
            checker.digits(value, count, message: message, severity: severity)
        case (_, .text(let text)): check(text.text, &checker)
        case (_, .word(let word)): check(word, &checker)
        case (_, .date(let date)): check(date, &checker)
        case (_, .list(let items)): check(items, &checker)
        case (.count(let count), .map(let entries)) where name == .minKeys:
            checker.minKeys(entries, count, message: message, severity: severity)
        case (.count(let count), .map(let entries)):
            checker.maxKeys(entries, count, message: message, severity: severity)
        default: break
        }
    }

    private func check<T: Comparable, Checker: RuleChecker & ~Copyable>(
        _ value: T, _ bound: T, _ checker: inout Checker
    ) {
        switch name {
        case .min: checker.minimum(value, bound, message: message, severity: severity)
        case .max: checker.maximum(value, bound, message: message, severity: severity)
        case .above: checker.above(value, bound, message: message, severity: severity)
        case .below: checker.below(value, bound, message: message, severity: severity)
        default: break
        }
    }

    private func check<Checker: RuleChecker & ~Copyable>(
        _ value: String, _ checker: inout Checker
    ) {
        let (message, severity) = (message, severity)
        switch (name, argument) {
        case (.minLength, .count(let count)):
            checker.minLength(value, count, message: message, severity: severity)
        case (.maxLength, .count(let count)):
            checker.maxLength(value, count, message: message, severity: severity)
        case (.length, .count(let count)):
            checker.length(value, count, message: message, severity: severity)
        case (.minBytes, .count(let count)):
            checker.minBytes(value, count, message: message, severity: severity)
        case (.maxBytes, .count(let count)):
            checker.maxBytes(value, count, message: message, severity: severity)
        case (_, .pattern(let pattern)):
            checker.pattern(value, pattern, message: message, severity: severity)
        case (.prefix, .text(let text)):
            checker.prefix(value, text, message: message, severity: severity)
        case (.suffix, .text(let text)):
            checker.suffix(value, text, message: message, severity: severity)
        case (.contains, .text(let text)):
            checker.contains(value, text, message: message, severity: severity)
        case (.excludes, .text(let text)):
            checker.excludes(value, text, message: message, severity: severity)
        case (.oneOf, .texts(let texts)):
            checker.oneOf(value, ignoringCase: texts, message: message, severity: severity)
        case (.noneOf, .texts(let texts)):
            checker.noneOf(value, ignoringCase: texts, message: message, severity: severity)
        case (_, .format(let format)):
            checker.format(value, format, message: message, severity: severity)
        case (.notBlank, _): checker.notBlank(value, message: message, severity: severity)
        default: break
        }
    }

    private func check<Checker: RuleChecker & ~Copyable>(_ value: Date, _ checker: inout Checker) {
        switch (name, argument) {
        case (.past, _): checker.past(value, message: message, severity: severity)
        case (.future, _): checker.future(value, message: message, severity: severity)
        case (.after, .date(let bound)):
            checker.after(value, bound, message: message, severity: severity)
        case (.before, .date(let bound)):
            checker.before(value, bound, message: message, severity: severity)
        case (_, .seconds(let seconds)):
            checker.within(value, seconds: seconds, message: message, severity: severity)
        default: break
        }
    }

    private func check<Checker: RuleChecker & ~Copyable>(
        _ items: [CheckedValue], _ checker: inout Checker
    ) {
        switch (name, argument) {
        case (.minItems, .count(let count)):
            checker.minItems(items, count, message: message, severity: severity)
        case (.maxItems, .count(let count)):
            checker.maxItems(items, count, message: message, severity: severity)
        case (.unique, _): checker.unique(items, message: message, severity: severity)
        case (_, .field(let field, let number)):
            checker.uniqueBy(items, field, message: message, severity: severity) { item in
                guard case .object(let fields) = item, fields.indices.contains(number) else {
                    return CheckedValue?.none
                }
                return fields[number]?.unlessNull
            }
        default: break
        }
    }
}
