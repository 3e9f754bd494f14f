import TelexJSON

extension ReplyRules {
    /// A condition on a successful reply: the value at a key path is one of a few constants.
    public struct Condition: Sendable, Hashable {
        /// The key path of the value.
        public var path: [String]
        /// The allowed values.
        public var values: [Constant]

        /// The reply is a success if any of `values` is at `path`; a missing or `null` value is
        /// not.
        public static func value(at path: [String], in values: [Constant]) -> Condition {
            Condition(path: path, values: values)
        }
    }

    /// A constant that a value in a reply is compared with. A Boolean equals only itself.
    public enum Constant: Sendable, Hashable {
        /// `true` or `false`.
        case flag(Bool)
        /// A number or a string, like error codes. A whole number is equal in all its spellings:
        /// `0`, `0.0` or `"0"`.
        case code(String)
        /// The id of the call, as the request has it. Without a call, any value is allowed.
        case callID
    }
}

extension ReplyRules {
    /// A reply to a procedure call of JSON-RPC 2.0 (section 5): the result, and the id of the call.
    public static let jsonRPC = ReplyRules(
        absent: ["error"], conditions: [.value(at: ["id"], in: [.callID])], unwrap: ["result"])
}

extension ReplyRules.Constant: ExpressibleByBooleanLiteral, ExpressibleByIntegerLiteral,
    ExpressibleByStringLiteral
{
    /// A Boolean.
    public init(booleanLiteral value: Bool) { self = .flag(value) }

    /// A whole number.
    public init(integerLiteral value: Int) { self = .code(String(value)) }

    /// A string.
    public init(stringLiteral value: String) { self = .code(value) }
}

extension ReplyRules.Constant: CustomStringConvertible {
    /// The constant as in a reply; strings that are numbers are shown without quotes.
    public var description: String {
        switch self {
        case .flag(let flag): "\(flag)"
        case .code(let code): Int(code) == nil ? Violation.quoted(code) : code
        case .callID: "the id of the call"
        }
    }

    /// Creates a constant from a value; nil if the value is neither a Boolean, a number nor a
    /// string.
    package init?(_ value: JSONValue) {
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
    /// Returns the violation of the condition in a body; nil if the value is allowed.
    ///
    /// - Parameter callID: The id that the request has; nil outside a call.
    package func violation(in body: [UInt8], limits: JSONLimits, callID: String? = nil)
        -> Violation?
    {
        let named = values.contains(.callID)
        if named, callID == nil { return nil }
        let values = named ? values + [.code(callID ?? "")] : values
        var found = "nothing"
        if let bytes = JSONReader.bytes(at: path, in: body, limits: limits) {
            // Objects and lists are not parsed, because they may be large and are never constants.
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
    /// The code that a number or a string stands for; nil for other values. A whole number is
    /// normalised to digits.
    package var codeText: String? { asString ?? wholeNumberText ?? numberText }

    /// The number without fraction or exponent if it is whole: `5` for `5.0` and `5e0`.
    var wholeNumberText: String? {
        guard let number = asDouble, let whole = Int(exactly: number),
            // From 2^53 on, one `Double` represents several whole numbers.
            whole.magnitude < 1 << 53
        else { return nil }
        return "\(whole)"
    }
}
