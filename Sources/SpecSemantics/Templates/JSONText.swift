import TemplateRules

/// JSON as a text for readers: a member a line, short rules on one.
enum JSONText {
    static func pretty(_ node: TemplateNode, indentation: String = "") -> String {
        let inner = indentation + "  "
        switch node.value {
        case .array(let items) where !items.isEmpty:
            let lines = items.map { inner + pretty($0, indentation: inner) }
            return "[\n\(lines.joined(separator: ",\n"))\n\(indentation)]"
        case .object(let members) where !members.isEmpty:
            let lines = members.map { member in
                let value =
                    member.isRules
                    ? compact(member.value) : pretty(member.value, indentation: inner)
                return "\(inner)\(quoted(member.key)): \(value)"
            }
            return "{\n\(lines.joined(separator: ",\n"))\n\(indentation)}"
        default: return compact(node)
        }
    }

    private static func compact(_ node: TemplateNode) -> String {
        switch node.value {
        case .null: return "null"
        case .bool(let truth): return "\(truth)"
        case .number(let text): return text
        case .string(let text): return quoted(text)
        case .array(let items): return "[\(items.map(compact).joined(separator: ", "))]"
        case .object(let members):
            let texts = members.map { "\(quoted($0.key)): \(compact($0.value))" }
            return texts.isEmpty ? "{}" : "{ \(texts.joined(separator: ", ")) }"
        }
    }

    /// A text in quotes (RFC 8259, section 7).
    private static func quoted(_ text: String) -> String {
        let escaped = text.unicodeScalars.map { scalar -> String in
            switch scalar {
            case "\"", "\\": return "\\" + String(scalar)
            case "\n": return "\\n"
            case "\r": return "\\r"
            case "\t": return "\\t"
            case "\u{0}"..<" ", "\u{7F}"..<"\u{A0}":
                let digits = String(scalar.value, radix: 16)
                return "\\u" + String(repeating: "0", count: 4 - digits.count) + digits
            default: return String(scalar)
            }
        }
        return "\"" + escaped.joined() + "\""
    }
}
