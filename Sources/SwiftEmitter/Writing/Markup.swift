/// What the beginning of a line means in the markup of Swift's comments (CommonMark, and the fields of
/// "Markup Formatting Reference" by Apple).
enum Markup {
    private static let fields: Set<String> = [
        "attention", "author", "authors", "bug", "complexity", "copyright", "custom", "date",
        "experiment", "important", "invariant", "keyword", "localizationkey", "mutatingvariant",
        "nonmutatingvariant", "note", "parameter", "parameters", "postcondition", "precondition",
        "recommended", "recommendedover", "remark", "remarks", "requires", "returns", "seealso",
        "since", "tag", "throws", "tip", "todo", "version", "warning",
    ]

    /// What begins or ends code on a line; nil if nothing does.
    static func fence(_ line: String) -> String? {
        let text = line.drop { $0 == " " }
        return ["```", "~~~"].first(where: text.hasPrefix)
    }

    /// A text as code (CommonMark, code spans): on one line, between more backticks than stand together
    /// in it.
    static func code(_ text: String) -> String {
        let text = SwiftLiteral.commentLines(text).joined(separator: " ")
        let longest = text.split { $0 != "`" }.map(\.count).max() ?? 0
        guard longest > 0 else { return "`\(text)`" }
        let fence = String(repeating: "`", count: longest + 1)
        return "\(fence) \(text) \(fence)"
    }

    /// A line of text; if it begins like a field, with an escape in front.
    static func escapedField(_ line: String) -> String {
        let text = line.drop { $0 == " " }
        guard let first = text.first, "-*+".contains(first) else { return line }
        let word = text.dropFirst().drop { $0 == " " }.prefix { $0.isLetter }
        let isField = fields.contains(word.lowercased()) && text.contains(":")
        return isField ? "\\" + text : line
    }

    /// A line that goes on with a sentence, so that it begins nothing new: no list, heading, quote or
    /// code.
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
