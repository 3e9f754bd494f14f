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
        rules.map { rule in
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

    /// The rules that may stand with their value, and their cases of `ValueRule`.
    private static let cases: [Set<RuleName>: String] = [
        [.min]: "min", [.max]: "max", [.min, .max]: "between", [.above]: "above", [.below]: "below",
        [.minLength]: "minLength", [.maxLength]: "maxLength", [.length]: "length",
        [.minLength, .maxLength]: "lengthBetween", [.pattern]: "pattern", [.format]: "format",
        [.minItems]: "minItems", [.maxItems]: "maxItems", [.minItems, .maxItems]: "itemsBetween",
    ]

    /// The argument that stands with the value and replaces the statements, as `.min(0)`; nil if the
    /// rules have none.
    func argument(_ rules: [Rule]) -> String? {
        guard type.isRuledValue, rules.allSatisfy({ $0.message == nil && !$0.isWarning }),
            let name = Self.cases[Set(rules.map(\.name))], rules.count <= 2
        else { return nil }
        let lows: Set<RuleName> = [.min, .minLength, .minItems]
        let ordered =
            rules.filter { lows.contains($0.name) } + rules.filter { !lows.contains($0.name) }
        let bounds = ordered.map { arguments($0.argument).dropFirst(2) }
        return ".\(name)(\(bounds.joined(separator: ", ")))"
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

    /// The rules of a value as an argument that stands with it; nil if they need statements.
    func ruleArgument(_ value: Value, sent: Bool) -> String? {
        if sent, value.knownCheck { return nil }
        return RuleEmitter(
            checker: "", value: "", type: value.type, patterns: patterns, replyChecks: replyChecks
        ).argument(value.rules(sent: sent))
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

extension ValueType {
    /// Whether the type is a `RuledValue`, whose rules may stand with the value.
    fileprivate var isRuledValue: Bool {
        switch self {
        case .string, .integer(.int, _), .double: true
        case .list(let element): element.type != .file
        default: false
        }
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
