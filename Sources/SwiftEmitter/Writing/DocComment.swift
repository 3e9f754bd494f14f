import SpecIR

/// A documentation comment: paragraphs and lists of prose, wrapped at the line's end.
struct DocComment {
    private var lines: [(prefix: String, text: String)] = []

    /// Adds a paragraph of text from a spec, its own line breaks kept. Text that would start a list
    /// of parameters, or another field of Swift's markup, is kept from doing so.
    mutating func paragraph(_ text: String) {
        separate()
        for line in Leaf.commentLines(text) { lines.append(("", Self.defused(line))) }
        while lines.last?.text.isEmpty == true { lines.removeLast() }
    }

    /// Adds an item of a list; `level` 1 stands below one of level 0.
    mutating func item(_ name: String, _ text: String, level: Int = 0) {
        let prefix = String(repeating: "  ", count: level) + "- "
        let prose = Leaf.commentLines(text).joined(separator: " ")
        lines.append((prefix, name.isEmpty ? prose : "\(name): \(prose)"))
    }

    /// Adds an item of a list that says nothing more, for instance `Parameters:`.
    mutating func item(_ text: String) {
        lines.append(("- ", text))
    }

    /// Separates what follows from what was added before.
    mutating func separate() {
        if !lines.isEmpty { lines.append(("", "")) }
    }

    /// Writes the comment above a declaration.
    func write(to writer: inout SwiftWriter) {
        for line in lines {
            let indent = String(repeating: " ", count: line.prefix.count)
            let pieces = Self.wrapped(line.text, width: writer.width - 4 - line.prefix.count)
            for (index, piece) in pieces.enumerated() {
                var text = (index == 0 ? line.prefix : indent) + piece
                while text.unicodeScalars.last == " " { text.unicodeScalars.removeLast() }
                writer.line(text.isEmpty ? "///" : "/// " + text)
            }
        }
    }

    /// A line that begins like a field of Swift's markup gets an escape in front.
    private static func defused(_ line: String) -> String {
        let trimmed = line.drop { $0 == " " }
        guard let first = trimmed.first, "-*+".contains(first), trimmed.contains(":") else {
            return line
        }
        return "\\" + trimmed
    }

    /// Lines of at most `width` columns, broken at spaces; a longer word stands alone.
    private static func wrapped(_ text: String, width: Int) -> [String] {
        if text.count <= width { return [text] }
        var result: [String] = []
        var line = ""
        for word in text.split(separator: " ") {
            if !line.isEmpty, line.count + 1 + word.count > width {
                result.append(line)
                line = ""
            }
            line += (line.isEmpty ? "" : " ") + word
        }
        return result + [line]
    }
}

extension DocComment {
    /// A comment that begins with a summary, and the spec's text if it has one.
    init(_ documentation: Documentation, otherwise summary: String) {
        paragraph(documentation.text.map { $0.isEmpty ? summary : $0 } ?? summary)
    }

    /// Ends the comment with the link.
    mutating func link(_ documentation: Documentation) {
        guard let link = documentation.link else { return }
        separate()
        item("SeeAlso", "<\(link)>")
    }
}

extension Deprecation {
    /// The attribute, with the reason as its message.
    var attribute: String {
        var parts: [String] = []
        if let since { parts.append("deprecated since \(since)") }
        if let message { parts.append(message) }
        if let use { parts.append("use \(use)") }
        let message = parts.joined(separator: "; ")
        return message.isEmpty
            ? "@available(*, deprecated)"
            : "@available(*, deprecated, message: \(Leaf.string(message)))"
    }
}
