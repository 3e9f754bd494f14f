/// Escapes text for the markup of Swift's comments (CommonMark, and the fields of Apple's "Markup
/// Formatting Reference").
enum Markup {
    private static let fields: Set<String> = [
        "attention", "author", "authors", "bug", "complexity", "copyright", "custom", "date",
        "experiment", "important", "invariant", "keyword", "localizationkey", "mutatingvariant",
        "nonmutatingvariant", "note", "parameter", "parameters", "postcondition", "precondition",
        "recommended", "recommendedover", "remark", "remarks", "requires", "returns", "seealso",
        "since", "tag", "throws", "tip", "todo", "version", "warning",
    ]

    /// The code fence at the start of a line; nil if there is none.
    static func fence(_ line: String) -> String? {
        let text = line.drop { $0 == " " }
        return ["```", "~~~"].first(where: text.hasPrefix)
    }

    /// A text as a CommonMark code span: on one line, between more backticks than its longest run.
    static func code(_ text: String) -> String {
        let text = SwiftLiteral.commentLines(text).joined(separator: " ")
        let longest = text.split { $0 != "`" }.map(\.count).max() ?? 0
        guard longest > 0 else { return "`\(text)`" }
        let fence = String(repeating: "`", count: longest + 1)
        return "\(fence) \(text) \(fence)"
    }

    /// Whether a Swift name has the letters and digits of a key, so that the key says no more.
    ///
    /// - Parameter atEnd: Whether the name may begin with other words.
    static func repeats(_ key: String, _ name: String, atEnd: Bool = false) -> Bool {
        func plain(_ text: String) -> String {
            text.filter { $0.isLetter || $0.isNumber }.lowercased()
        }
        let (key, name) = (plain(key), plain(name))
        return atEnd ? name.hasSuffix(key) : name == key
    }

    /// A line of text, escaped if it begins like a field.
    static func escapedField(_ line: String) -> String {
        let text = line.drop { $0 == " " }
        guard let first = text.first, "-*+".contains(first) else { return line }
        let word = text.dropFirst().drop { $0 == " " }.prefix { $0.isLetter }
        let isField = fields.contains(word.lowercased()) && text.contains(":")
        return isField ? "\\" + text : line
    }

    /// A continuation line, escaped if it begins like a list, heading, quote or code.
    static func escapedLineStart(_ line: String) -> String {
        guard let first = line.first else { return line }
        if "-*+#>".contains(first) || fence(line) != nil { return "\\" + line }
        let digits = line.prefix { $0.isASCII && $0.isNumber }
        let rest = line.dropFirst(digits.count)
        guard !digits.isEmpty, digits.count < 10, let mark = rest.first, ".)".contains(mark),
            rest.dropFirst().first ?? " " == " "
        else { return line }
        return digits + "\\" + rest
    }
}
