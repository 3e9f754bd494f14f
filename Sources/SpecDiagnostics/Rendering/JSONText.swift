/// A JSON value that is written in lines (RFC 8259); members keep their order.
package indirect enum JSONText {
    /// A text.
    case string(String)
    /// A number, a Boolean or null, as JSON writes it.
    case plain(String)
    /// A list.
    case array([JSONText])
    /// An object.
    case object([(String, JSONText)])

    /// A whole number.
    package static func int(_ number: Int) -> JSONText { .plain(String(number)) }

    /// A truth value.
    package static func bool(_ flag: Bool) -> JSONText { .plain(String(flag)) }

    /// The text, two spaces a level.
    package func rendered(indent: String = "") -> String {
        switch self {
        case .string(let text): Self.quoted(text)
        case .plain(let text): text
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
        case "\r": return "\\r"
        case "\t": return "\\t"
        case "\u{0}"..<" ", "\u{7F}"..<"\u{A0}", "\u{2028}", "\u{2029}":
            let digits = String(scalar.value, radix: 16)
            return "\\u" + String(repeating: "0", count: 4 - digits.utf8.count) + digits
        default: return String(scalar)
        }
    }
}
