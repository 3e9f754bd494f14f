/// Swift literals, identifiers and comments from text of a spec. Each function escapes its text, so
/// that a spec cannot inject code.
enum SwiftLiteral {
    /// An identifier; a keyword gets backticks (The Swift Programming Language, Keywords).
    static func identifier(_ name: String) -> String {
        keywords.contains(name) ? "`\(name)`" : name
    }

    /// A member after a dot, where only a few keywords need backticks.
    static func member(_ name: String) -> String {
        ["init", "self", "Type", "Protocol"].contains(name) ? "`\(name)`" : name
    }

    /// A parameter's label in a declaration: only these three need backticks there.
    static func label(_ name: String) -> String {
        ["inout", "var", "let"].contains(name) ? "`\(name)`" : name
    }

    /// An argument's label in a call: only this one needs backticks there.
    static func argument(_ name: String) -> String { name == "inout" ? "`inout`" : name }

    /// A local name that is not reserved in its scope. A reserved name, also one with trailing
    /// underscores, gets another underscore, so that names stay unique.
    static func local(_ name: String, besides reserved: [String]) -> String {
        let isTaken = reserved.contains { word in
            name.hasPrefix(word) && name.dropFirst(word.count).allSatisfy { $0 == "_" }
        }
        return isTaken ? name + "_" : identifier(name)
    }

    /// A string literal. Quotes, backslashes and everything invisible is escaped.
    static func string(_ text: String) -> String {
        "\"" + text.unicodeScalars.map(escaped).joined() + "\""
    }

    /// A line of JSON in a raw string literal of several lines, `#"""`. JSON has no three quotes in a
    /// row; what would be an escape of Swift, or invisible, becomes an escape of JSON.
    static func rawJSON(_ line: String) -> String {
        var result = ""
        var last: Unicode.Scalar = " "
        for scalar in line.unicodeScalars {
            if isHidden(scalar) || scalar == "#" && last == "\\" {
                for unit in String(scalar).utf16 {
                    let digits = String(unit, radix: 16, uppercase: true)
                    result += "\\u" + String(repeating: "0", count: 4 - digits.count) + digits
                }
            } else {
                result.unicodeScalars.append(scalar)
            }
            last = scalar
        }
        return result
    }

    private static func escaped(_ scalar: Unicode.Scalar) -> String {
        switch scalar {
        case "\"": "\\\""
        case "\\": "\\\\"
        case "\n": "\\n"
        case "\r": "\\r"
        case "\t": "\\t"
        // Swift refuses the escapes of these noncharacters.
        case let scalar where (0xFDD0...0xFDEF).contains(scalar.value): String(scalar)
        default:
            isHidden(scalar)
                ? "\\u{" + String(scalar.value, radix: 16, uppercase: true) + "}" : String(scalar)
        }
    }

    /// A list of string literals.
    static func strings(_ texts: [String]) -> String {
        "[" + texts.map(string).joined(separator: ", ") + "]"
    }

    /// A number literal, with digits grouped by `_` from 10,000 on.
    static func integer(_ digits: String) -> String {
        let isNegative = digits.hasPrefix("-")
        let plain = Array(isNegative ? digits.dropFirst() : digits[...])
        guard plain.count > 4, plain.allSatisfy({ $0.isASCII && $0.isNumber }) else {
            return digits
        }
        var grouped = ""
        for (index, digit) in plain.enumerated() {
            if index > 0, (plain.count - index) % 3 == 0 { grouped.append("_") }
            grouped.append(digit)
        }
        return (isNegative ? "-" : "") + grouped
    }

    /// An integer literal whose type is not inferred, because `Int` has 32 bits on some systems.
    static func int64(_ digits: String) -> String {
        Int32(digits) == nil ? integer(digits) + " as Int64" : integer(digits)
    }

    /// A bound, a size or a limit of type `Int` or `UInt`. Where these have 32 bits, a larger number
    /// counts as their largest.
    static func bound(_ digits: String, _ type: String = "Int") -> String {
        if Int32(digits) != nil { return integer(digits) }
        return "\(type)(clamping: \(integer(digits)) as \(type)64)"
    }

    /// A bound, a size or a limit of type `Int`.
    static func bound(_ number: Int) -> String { bound(String(number)) }

    /// A literal of a `Double`. Digits beyond the precision of a `Double`, which cause a warning,
    /// are rounded.
    static func double(_ digits: String) -> String {
        digits.utf8.count <= 15 ? digits : Double(digits)?.description ?? digits
    }

    /// The lines of a comment, without line breaks and invisible characters.
    static func commentLines(_ text: String) -> [String] {
        if isPlain(text) { return [text] }
        var lines = [""]
        var wasReturn = false
        for scalar in text.unicodeScalars {
            let isBreak = lineBreaks.contains(scalar)
            if isBreak {
                if !(wasReturn && scalar == "\n") { lines.append("") }
            } else if scalar == "\t" {
                lines[lines.count - 1] += "    "
            } else if !isHidden(scalar) || joiners.contains(scalar) {
                lines[lines.count - 1].unicodeScalars.append(scalar)
            } else {
                lines[lines.count - 1] += "\u{FFFD}"
            }
            wasReturn = scalar == "\r"
        }
        return lines
    }

    /// Whether a text has visible ASCII characters and spaces only. A loop without an iterator,
    /// because every text passes here, also in a debug build.
    private static func isPlain(_ text: String) -> Bool {
        var text = text
        return text.withUTF8 { bytes in
            var place = 0
            while place < bytes.count, bytes[place] >= 0x20, bytes[place] <= 0x7E { place += 1 }
            return place == bytes.count
        }
    }

    /// Invisible characters that are part of emoji and of words in several languages.
    private static let joiners: Set<Unicode.Scalar> = ["\u{200C}", "\u{200D}"]

    private static let lineBreaks: Set<Unicode.Scalar> = [
        "\n", "\r", "\u{B}", "\u{C}", "\u{85}", "\u{2028}", "\u{2029}",
    ]

    /// Whether a scalar would be invisible, or change how its neighbours look, in an editor.
    private static func isHidden(_ scalar: Unicode.Scalar) -> Bool {
        if scalar.isASCII { return scalar.value < 0x20 || scalar.value == 0x7F }
        return switch scalar.properties.generalCategory {
        case .control, .format, .lineSeparator, .paragraphSeparator, .surrogate, .privateUse,
            .unassigned:
            true
        default: false
        }
    }

    private static let keywords: Set<String> = [
        "Any", "Protocol", "Self", "Type", "as", "associatedtype", "await", "break", "case",
        "catch", "class", "continue", "default", "defer", "deinit", "do", "else", "enum",
        "extension", "fallthrough", "false", "fileprivate", "for", "func", "guard", "if",
        "import", "in", "init", "inout", "internal", "is", "let", "nil", "operator",
        "precedencegroup", "private", "protocol", "public", "repeat", "rethrows", "return",
        "self", "static", "struct", "subscript", "super", "switch", "throw", "throws", "true",
        "try", "typealias", "var", "where", "while",
    ]
}
