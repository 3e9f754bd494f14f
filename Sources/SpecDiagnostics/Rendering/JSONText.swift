/// A minimal JSON value for reports and schemas; members keep their order.
package indirect enum JSONText {
    case string(String)
    case int(Int)
    case bool(Bool)
    case array([JSONText])
    case object([(String, JSONText)])

    /// The text, two spaces a level.
    package func rendered(indent: String = "") -> String {
        switch self {
        case .string(let text): Self.quoted(text)
        case .int(let number): String(number)
        case .bool(let flag): String(flag)
        case .array(let items):
            Self.block(
                "[", lines: items.map { $0.rendered(indent: indent + "  ") }, close: "]",
                indent: indent)
        case .object(let members):
            Self.block(
                "{",
                lines: members.map {
                    Self.quoted($0.0) + ": " + $0.1.rendered(indent: indent + "  ")
                },
                close: "}", indent: indent)
        }
    }

    private static func block(
        _ open: String, lines: [String], close: String, indent: String
    ) -> String {
        guard !lines.isEmpty else { return open + close }
        let body = lines.map { indent + "  " + $0 }.joined(separator: ",\n")
        return "\(open)\n\(body)\n\(indent)\(close)"
    }

    private static func quoted(_ text: String) -> String {
        text.unicodeScalars.reduce(into: "\"") { $0 += escaped($1) } + "\""
    }

    private static func escaped(_ scalar: Unicode.Scalar) -> String {
        switch scalar {
        case "\"": return "\\\""
        case "\\": return "\\\\"
        case "\n": return "\\n"
        case "\u{0}"..<" ", "\u{7F}"..<"\u{A0}", "\u{2028}", "\u{2029}":
            let digits = String(scalar.value, radix: 16)
            return "\\u" + String(repeating: "0", count: 4 - digits.utf8.count) + digits
        default: return String(scalar)
        }
    }
}
