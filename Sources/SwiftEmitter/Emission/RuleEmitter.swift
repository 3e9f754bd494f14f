import SpecIR

/// Emits one call per rule, on a reader, a writer or a request builder.
struct RuleEmitter {
    /// The receiver of the calls, for instance `json`.
    let checker: String
    /// The value, an expression that may be optional.
    let value: String
    let type: ValueType
    let patterns: PatternTable

    /// The statements that check the rules of one direction.
    func statements(_ rules: [Rule]) -> [String] {
        if let (bounds, rest) = bounds(rules) {
            return ["\(checker).between(\(value), \(bounds))"] + statements(rest)
        }
        return rules.map { rule in
            var call = "\(checker).\(call(rule.kind))"
            if let message = rule.message { call += ", message: \(SwiftLiteral.string(message))" }
            if rule.isWarning { call += ", severity: .warning" }
            if case .uniqueBy(let field) = rule.kind {
                return call + ") { $0.\(SwiftLiteral.member(field)) }"
            }
            return call + ")"
        }
    }

    /// Minimum and maximum for one call, if they have no options, and the remaining rules.
    private func bounds(_ rules: [Rule]) -> (arguments: String, rest: [Rule])? {
        switch type {
        case .integer(.int, _), .double: break
        default: return nil
        }
        var low: String?
        var high: String?
        let rest = rules.filter { rule in
            guard rule.message == nil, !rule.isWarning else { return true }
            switch rule.kind {
            case .min(let bound) where low == nil: low = number(bound)
            case .max(let bound) where high == nil: high = number(bound)
            default: return true
            }
            return false
        }
        guard let low, let high else { return nil }
        return ("\(low), \(high)", rest)
    }

    /// The name of the function and its arguments, without the closing parenthesis.
    private func call(_ kind: RuleKind) -> String {
        switch kind {
        case .min(let bound): "minimum(\(value), \(number(bound))"
        case .max(let bound): "maximum(\(value), \(number(bound))"
        case .above(let bound): "above(\(value), \(number(bound))"
        case .below(let bound): "below(\(value), \(number(bound))"
        case .multiple(let divisor): "multiple(\(value), of: \(SwiftLiteral.string(divisor))"
        case .digits(let count): "digits(\(value), \(count)"
        case .minLength(let count): "minLength(\(value), \(count)"
        case .maxLength(let count): "maxLength(\(value), \(count)"
        case .length(let count): "length(\(value), \(count)"
        case .minBytes(let count): "minBytes(\(value), \(count)"
        case .maxBytes(let count): "maxBytes(\(value), \(count)"
        case .pattern(let source, let program):
            "pattern(\(value), \(patterns.reference(source, program))"
        case .prefix(let text): "prefix(\(value), \(SwiftLiteral.string(text))"
        case .suffix(let text): "suffix(\(value), \(SwiftLiteral.string(text))"
        case .contains(let text): "contains(\(value), \(SwiftLiteral.string(text))"
        case .excludes(let text): "excludes(\(value), \(SwiftLiteral.string(text))"
        case .oneOf(let values): "oneOf(\(value), \(list(values))"
        case .noneOf(let values): "noneOf(\(value), \(list(values))"
        case .format(let name): "format(\(value), .\(Self.format(name))"
        case .notBlank: "notBlank(\(value)"
        case .constant(let literal): "constant(\(value), \(literal.swift(type))"
        case .minItems(let count): "minItems(\(value), \(count)"
        case .maxItems(let count): "maxItems(\(value), \(count)"
        case .unique: "unique(\(value)"
        case .uniqueBy(let field): "uniqueBy(\(value), \(SwiftLiteral.string(field))"
        case .minKeys(let count): "minKeys(\(value), \(count)"
        case .maxKeys(let count): "maxKeys(\(value), \(count)"
        case .past: "past(\(value)"
        case .future: "future(\(value)"
        case .after(let date): "after(\(value), Date(literal: \(SwiftLiteral.string(date)))"
        case .before(let date): "before(\(value), Date(literal: \(SwiftLiteral.string(date)))"
        case .within(let seconds): "within(\(value), seconds: \(seconds)"
        case .maxSize(let bytes): "maxSize(\(value), \(SwiftLiteral.integer(String(bytes)))"
        case .mime(let types): "mime(\(value), \(SwiftLiteral.strings(types))"
        }
    }

    private func number(_ digits: String) -> String {
        switch type {
        case .decimal: "Decimal(literal: \(SwiftLiteral.string(digits)))"
        case .integer: SwiftLiteral.integer(digits)
        default: SwiftLiteral.double(digits)
        }
    }

    private func list(_ values: [Literal]) -> String {
        "[" + values.map { $0.swift(type) }.joined(separator: ", ") + "]"
    }

    private static func format(_ name: String) -> String {
        switch name {
        case "date-time": "dateTime"
        case "json-pointer": "jsonPointer"
        default: name
        }
    }
}

extension SwiftWriter {
    /// Writes the statements that check a sent value: its rules, and that an enumeration's value is
    /// known.
    mutating func sentChecks(_ value: Value, checker: String, expression: String) {
        if value.knownCheck { line("\(checker).known(\(expression))") }
        let emitter = RuleEmitter(
            checker: checker, value: expression, type: value.type, patterns: patterns)
        for statement in emitter.statements(value.rules(sent: true)) { line(statement) }
    }

    /// The statements that check a received value.
    func receivedChecks(_ value: Value, _ expression: String) -> [String] {
        RuleEmitter(checker: "json", value: expression, type: value.type, patterns: patterns)
            .statements(value.rules(sent: false))
    }
}

extension DateForm {
    var swift: String {
        switch self {
        case .unix: ".unix"
        case .unixMilliseconds: ".unixMilliseconds"
        case .unixText: ".unixText"
        case .unixMillisecondsText: ".unixMillisecondsText"
        case .dateTime: ".dateTime"
        case .date: ".date"
        case .pattern(let text): ".pattern(\(SwiftLiteral.string(text)))"
        }
    }
}

extension JSONForm {
    /// The last argument of a reading or writing call, empty for the native spelling.
    var argument: String {
        switch self {
        case .native: ""
        case .int: ", from: .int"
        case .string: ", from: .string"
        case .either: ", from: .either"
        }
    }
}
