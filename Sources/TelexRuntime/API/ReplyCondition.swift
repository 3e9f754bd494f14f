import TelexJSON

extension ReplyRules {
    /// A value that a successful reply has at a key path: one of a few constants.
    public struct Condition: Sendable, Hashable {
        /// The key path of the value.
        public var path: [String]
        /// What the value may be.
        public var values: [Constant]

        /// Any of `values` at `path` lets the reply be a success; nothing or `null` there does not.
        public static func value(at path: [String], in values: [Constant]) -> Condition {
            Condition(path: path, values: values)
        }
    }

    /// What a value in a reply is compared with. A truth value is none but itself.
    public enum Constant: Sendable, Hashable {
        /// `true` or `false`.
        case flag(Bool)
        /// A number or a text, as codes of errors are: a whole number is the same however it is
        /// written, `0`, `0.0` or `"0"`.
        case code(String)
    }
}

extension ReplyRules.Constant: ExpressibleByBooleanLiteral, ExpressibleByIntegerLiteral,
    ExpressibleByStringLiteral
{
    /// A truth value.
    public init(booleanLiteral value: Bool) { self = .flag(value) }

    /// A whole number.
    public init(integerLiteral value: Int) { self = .code(String(value)) }

    /// A text.
    public init(stringLiteral value: String) { self = .code(value) }
}

extension ReplyRules.Constant: CustomStringConvertible {
    /// As a reply has it; a number is shown as a text is, but for its quotes.
    public var description: String {
        switch self {
        case .flag(let flag): "\(flag)"
        case .code(let code): Int(code) == nil ? Violation.quoted(code) : code
        }
    }

    /// Nil for a value that is no constant.
    init?(_ value: JSONValue) {
        if let flag = value.asBool {
            self = .flag(flag)
        } else if let code = value.codeText {
            self = .code(code)
        } else {
            return nil
        }
    }
}

extension ReplyRules.Condition {
    /// What is wrong with the value in a body; nil if it is one of those allowed.
    func violation(in body: [UInt8], limits: JSONLimits) -> Violation? {
        var found = "nothing"
        if let bytes = JSONReader.bytes(at: path, in: body, limits: limits) {
            // It may be large, and is no constant then.
            switch bytes.first {
            case UInt8(ascii: "{"): found = "an object"
            case UInt8(ascii: "["): found = "a list"
            default:
                let value = JSONReader.value(at: [], in: Array(bytes), limits: limits)
                if let constant = value.flatMap(ReplyRules.Constant.init) {
                    if values.contains(constant) { return nil }
                    found = constant.description
                }
            }
        }
        return Violation(
            path: path.joined(separator: "."), check: .keys, rule: "where",
            expected: values.map(\.description).joined(separator: " or "), found: found)
    }
}

extension JSONValue {
    /// A number or a text as the code that it is; nil for anything else. A whole number is the same
    /// however it is written.
    var codeText: String? { asString ?? wholeNumberText ?? numberText }
}
