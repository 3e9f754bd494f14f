import TemplateRules

/// Texts of YAML that every reader of it understands alike.
enum YAMLText {
    /// libyaml reads no longer keys without `?` before them.
    private static let longestKey = 1000

    /// A type, in short form if it has no attributes.
    static func type(_ type: String, _ attributes: [String]) -> String {
        if attributes.isEmpty { return plain(type) }
        let word = type.utf8.allSatisfy(isNamePart) ? type : quoted(type)
        return "{ \((["type: \(word)"] + attributes).joined(separator: ", ")) }"
    }

    /// A type outside of braces, in quotes if it needs them.
    static func plain(_ type: String) -> String {
        let isList = type.first == "[" && type.last == "]"
        let inner = isList ? type.dropFirst().dropLast() : type[...]
        let isWord = inner.utf8.allSatisfy { isNamePart($0) || !isList && " |?".utf8.contains($0) }
        return isWord ? type : quoted(type)
    }

    /// A key of a block.
    static func key(_ name: String) -> String {
        name.utf8.allSatisfy(isNamePart) ? name : quoted(name)
    }

    /// A text in double quotes (YAML 1.2.2, section 5.7). What a reader could not see is escaped.
    static func quoted(_ text: String) -> String {
        "\"" + text.unicodeScalars.map(escaped).joined() + "\""
    }

    private static func escaped(_ scalar: Unicode.Scalar) -> String {
        if scalar == "\"" || scalar == "\\" { return "\\" + String(scalar) }
        guard scalar != " " else { return " " }
        switch scalar.properties.generalCategory {
        case .control, .format, .lineSeparator, .paragraphSeparator, .spaceSeparator, .privateUse,
            .unassigned:
            let digits = String(scalar.value, radix: 16, uppercase: true)
            return "\\U" + String(repeating: "0", count: 8 - digits.count) + digits
        default: return String(scalar)
        }
    }

    /// A JSON value in flow style.
    static func json(_ node: TemplateNode) -> String {
        switch node.value {
        case .null: "null"
        case .bool(let truth): "\(truth)"
        case .number(let text): text
        case .string(let text): quoted(text)
        case .array(let items): "[\(items.map(json).joined(separator: ", "))]"
        case .object(let members): "{\(members.map(member).joined(separator: ", "))}"
        }
    }

    private static func member(_ member: TemplateMember) -> String {
        let key = quoted(member.key)
        return (key.utf8.count > longestKey ? "? " : "") + key + " : " + json(member.value)
    }

    static func isLetter(_ byte: UInt8) -> Bool {
        (UInt8(ascii: "A")...UInt8(ascii: "Z")).contains(byte)
            || (UInt8(ascii: "a")...UInt8(ascii: "z")).contains(byte)
    }

    /// Whether a byte may be in a plain word.
    static func isNamePart(_ byte: UInt8) -> Bool {
        isLetter(byte) || (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte)
            || byte == UInt8(ascii: "_")
    }
}
