import SpecTemplateRules

/// Texts of YAML that every reader of it understands alike.
package enum YAMLText {
    /// libyaml reads no longer keys without `?` before them.
    private static let longestKey = 1000

    /// A type, in short form if it has no attributes.
    package static func type(_ type: String, _ attributes: [String]) -> String {
        if attributes.isEmpty { return plain(type) }
        let word = type.utf8.allSatisfy(\.isNamePart) ? type : quoted(type)
        return "{ \((["type: \(word)"] + attributes).joined(separator: ", ")) }"
    }

    /// A type outside of braces, in quotes if it needs them.
    package static func plain(_ type: String) -> String {
        let isList = type.first == "[" && type.last == "]"
        let inner = isList ? type.dropFirst().dropLast() : type[...]
        let isWord = inner.utf8.allSatisfy { $0.isNamePart || !isList && " |?".utf8.contains($0) }
        return isWord ? type : quoted(type)
    }

    /// A key of a block.
    package static func key(_ name: String) -> String {
        name.utf8.allSatisfy(\.isNamePart) ? name : quoted(name)
    }

    /// A text in double quotes (YAML 1.2.2, section 5.7). What a reader could not see is escaped.
    package static func quoted(_ text: String) -> String {
        let isPlain = text.utf8.allSatisfy { 0x20..<0x7F ~= $0 && $0 != 0x22 && $0 != 0x5C }
        return "\"" + (isPlain ? text : text.unicodeScalars.map(escaped).joined()) + "\""
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
    package static func json(_ node: TemplateNode) -> String {
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

    // MARK: As short as possible

    /// Plain words that a reader of YAML 1.1 or 1.2 takes for something else than a text.
    private static let words: Set<String> = [
        "null", "true", "false", "yes", "no", "on", "off", "y", "n",
    ]

    /// A text without quotes where every reader understands it, otherwise in quotes.
    ///
    /// - Parameter isInFlow: Whether it stands in brackets or braces.
    package static func text(_ text: String, isInFlow: Bool) -> String {
        isPlain(text, isInFlow: isInFlow) ? text : inQuotes(text)
    }

    /// A text in the quotes in which it needs fewer escapes.
    package static func inQuotes(_ text: String) -> String {
        let isSingle =
            isReadable(text) && text.utf8.contains { "\\\"^$".utf8.contains($0) }
            && !text.utf8.contains(0x0A)
        return isSingle ? "'" + text.replacing("'", with: "''") + "'" : quoted(text)
    }

    /// A key of a mapping.
    ///
    /// - Parameter isQuoted: Whether digits are text.
    package static func entryKey(_ name: String, isQuoted: Bool = false) -> String {
        let digits = name.first == "-" ? name.dropFirst() : name[...]
        let isNumber = !digits.isEmpty && digits.utf8.allSatisfy(\.isDigit)
        if isNumber, !isQuoted { return name }
        let isWord = name.utf8.allSatisfy { $0.isNamePart || "-.<>".utf8.contains($0) }
        let isPlain =
            isWord && name.utf8.first.map { $0.isLetter || $0 == 0x5F } == true
            && !words.contains(name.lowercased())
        return isPlain ? name : quoted(name)
    }

    /// A type in short form.
    package static func typeText(_ type: String) -> String {
        let isList = type.first == "[" && type.last == "]"
        let inner = isList ? type.dropFirst().dropLast() : type[...]
        let isWord = inner.utf8.allSatisfy { $0.isNamePart || " |?<>".utf8.contains($0) }
        return isWord && inner.first != " " ? type : quoted(type)
    }

    /// Whether a text has no character that a reader could not see, besides line breaks.
    package static func isReadable(_ text: String) -> Bool {
        text.unicodeScalars.allSatisfy { scalar in
            if scalar.value < 0x7F { return scalar.value >= 0x20 || scalar == "\n" }
            return escaped(scalar).first != "\\"
        }
    }

    private static func isPlain(_ text: String, isInFlow: Bool) -> Bool {
        guard let first = text.utf8.first, first.isLetter || "/_$".utf8.contains(first),
            text.utf8.last != 0x20, text.utf8.last != 0x3A,
            !words.contains(text.lowercased())
        else { return false }
        var before: Unicode.Scalar = " "
        for scalar in text.unicodeScalars {
            switch scalar {
            case "\n": return false
            case "#" where before == " ", " " where before == ":": return false
            case ",", "[", "]", "{", "}": if isInFlow { return false }
            case ":" where isInFlow && before == "?": return false
            default:
                if scalar.value < 0x20 || scalar.value >= 0x7F && escaped(scalar).first == "\\" {
                    return false
                }
            }
            before = scalar
        }
        return true
    }

    /// A text as a block of lines, with the mark before them; nil if it has to stand in one line.
    package static func block(_ text: String, width: Int) -> (mark: String, lines: [String])? {
        guard isReadable(text), let first = text.first, !" \n".contains(first), text.last != " "
        else { return nil }
        let lines = text.split(separator: "\n", omittingEmptySubsequences: false)
        if lines.count > 1 {
            if text.hasSuffix("\n\n") { return nil }
            let isEnded = text.last == "\n"
            let shown = isEnded ? lines.dropLast() : lines[...]
            return (isEnded ? "|" : "|-", shown.map(String.init))
        }
        let words = text.split(separator: " ")
        guard words.count > 1, !text.contains(ascii: "  ") else { return nil }
        return (">-", wrapped(words, width: width))
    }

    /// Words on lines of up to a width.
    package static func wrapped(_ words: [some StringProtocol], width: Int) -> [String] {
        var lines: [String] = []
        var length = 0
        for word in words {
            let count = word.count
            if !lines.isEmpty, length + count < width {
                lines[lines.count - 1] += " " + word
                length += 1 + count
            } else {
                lines.append(String(word))
                length = count
            }
        }
        return lines
    }
}
