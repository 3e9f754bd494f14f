import SpecIR

/// Emits one call per rule, on a reader, a writer or a request builder.
struct RuleEmitter {
    /// The receiver of the calls, for instance `json`.
    let checker: String
    /// The value, an expression that may be optional.
    let value: String
    let type: ValueType
    let patterns: PatternTable
    /// The protocol of the app's own checks.
    let replyChecks: String

    /// The statements that check the rules of one direction.
    func statements(_ rules: [Rule]) -> [String] {
        if let (bounds, rest) = bounds(rules) {
            return ["\(checker).between(\(value), \(bounds))"] + statements(rest)
        }
        return rules.map { rule in
            var arguments = arguments(rule.argument)
            if rule.ignoresCase { arguments = ", ignoringCase: " + arguments.dropFirst(2) }
            var call = "\(checker).\(rule.name.row.call)(\(value)\(arguments)"
            if let message = rule.message { call += ", message: \(SwiftLiteral.string(message))" }
            if rule.isWarning { call += ", severity: .warning" }
            if case .field(let field) = rule.argument {
                return call + ") { $0.\(SwiftLiteral.member(field)) }"
            }
            if case .check(_, let function) = rule.argument {
                return call + ", by: (any \(replyChecks)).self) "
                    + "{ $0.\(SwiftLiteral.member(function))($1) }"
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
            guard rule.message == nil, !rule.isWarning, case .number(let bound) = rule.argument
            else { return true }
            switch rule.name {
            case .min where low == nil: low = number(bound)
            case .max where high == nil: high = number(bound)
            default: return true
            }
            return false
        }
        guard let low, let high else { return nil }
        return ("\(low), \(high)", rest)
    }

    /// The argument of the rule, as the end of an argument list.
    private func arguments(_ argument: RuleArgument) -> String {
        switch argument {
        case .flag: ""
        case .number(let digits): ", \(number(digits))"
        case .divisor(let digits): ", of: \(SwiftLiteral.string(digits))"
        case .count(let count): ", \(SwiftLiteral.bound(count))"
        case .text(let text), .field(let text): ", \(SwiftLiteral.string(text))"
        case .pattern(let source, let program): ", \(patterns.reference(source, program))"
        case .choices(let values): ", \(list(values))"
        case .format(let name): ", .\(Self.format(name))"
        case .date(let date): ", Date(literal: \(SwiftLiteral.string(date)))"
        case .seconds(let seconds): ", seconds: \(seconds)"
        case .size(let bytes): ", \(SwiftLiteral.bound(bytes))"
        case .mimeTypes(let types): ", \(SwiftLiteral.strings(types))"
        case .literal(let literal): ", \(literal.swift(type))"
        case .check(let id, _): ", \(SwiftLiteral.string(id))"
        }
    }

    private func number(_ digits: String) -> String {
        switch type {
        case .decimal: "Decimal(literal: \(SwiftLiteral.string(digits)))"
        case .integer(.int32, _): SwiftLiteral.integer(digits)
        case .integer(let width, _): SwiftLiteral.bound(digits, width == .uint ? "UInt" : "Int")
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
        for statement in checks(value, checker: checker, expression: expression, sent: true) {
            line(statement)
        }
    }

    /// The statements that check a received value.
    func receivedChecks(_ value: Value, _ expression: String) -> [String] {
        checks(value, checker: "json", expression: expression, sent: false)
    }

    /// The statements that check a value, and then the keys of a map.
    private func checks(
        _ value: Value, checker: String, expression: String, sent: Bool
    ) -> [String] {
        let statements = RuleEmitter(
            checker: checker, value: expression, type: value.type, patterns: patterns,
            replyChecks: replyChecks
        ).statements(value.rules(sent: sent))
        guard case .map(let key, _) = value.type else { return statements }
        let keys = RuleEmitter(
            checker: "$0", value: "$1", type: key.type, patterns: patterns, replyChecks: replyChecks
        ).statements(value.keyRules.filter { $0.isChecked(sent: sent) })
        return statements + keys.map { "\(checker).keys(\(expression)) { \($0) }" }
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
        case .localDateTime(0): ".localDateTime()"
        case .localDateTime(let offset):
            ".localDateTime(offset: \(SwiftLiteral.integer(String(offset))))"
        case .date: ".date"
        case .pattern(let text): ".pattern(\(SwiftLiteral.string(text)))"
        }
    }
}

extension DurationUnit {
    var swift: String {
        switch self {
        case .seconds: ".seconds"
        case .milliseconds: ".milliseconds"
        case .clock: ".clock"
        case .iso8601: ".iso8601"
        }
    }
}

extension BoolForm {
    /// The two words as arguments.
    static func swift(_ words: String) -> String {
        zip(["true: ", "false: "], parts(of: words)).map { $0 + SwiftLiteral.string($1) }
            .joined(separator: ", ")
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
