import SpecIR

/// A documentation comment: paragraphs and lists of prose, wrapped at the line's end.
struct DocComment {
    private struct Line {
        var prefix = ""
        var text = ""
        /// Whether it is part of a code block.
        var isCode = false
    }

    private var lines: [Line] = []

    /// Adds a paragraph of text from a spec, with its line breaks. Text that would start a field of
    /// Swift's markup is escaped. Fenced code is unchanged, and ends with the paragraph.
    mutating func paragraph(_ text: String) {
        separate()
        var fence: String?
        for line in SwiftLiteral.commentLines(text) {
            let mark = Markup.fence(line)
            let isCode = fence != nil || mark != nil
            lines.append(Line(text: isCode ? line : Markup.escapedField(line), isCode: isCode))
            if fence == nil { fence = mark } else if fence == mark { fence = nil }
        }
        if let fence { lines.append(Line(text: fence, isCode: true)) }
        while lines.last?.text.isEmpty == true { lines.removeLast() }
    }

    /// Adds an item of a list; `level` 1 is nested in level 0.
    mutating func item(_ name: String, text: String, level: Int = 0) {
        let prefix = String(repeating: "  ", count: level) + "- "
        let prose = SwiftLiteral.commentLines(text).joined(separator: " ")
        lines.append(Line(prefix: prefix, text: name.isEmpty ? prose : "\(name): \(prose)"))
    }

    /// Adds an item of a list without a description, for instance `Parameters:`.
    mutating func item(_ text: String) {
        lines.append(Line(prefix: "- ", text: text))
    }

    /// Adds an empty line, unless the comment is empty.
    mutating func separate() {
        if !lines.isEmpty { lines.append(Line()) }
    }

    /// Writes the comment above a declaration.
    func write(to writer: inout SwiftWriter) {
        for line in lines {
            let indent = String(repeating: " ", count: line.prefix.count)
            let pieces = Self.wrapped(line, width: writer.width - 4 - line.prefix.count)
            for (index, piece) in pieces.enumerated() {
                var text = (index == 0 ? line.prefix : indent) + piece
                while text.unicodeScalars.last == " " { text.unicodeScalars.removeLast() }
                writer.line(text.isEmpty ? "///" : "/// " + text)
            }
        }
    }

    /// Lines of at most `width` columns, broken at spaces; a longer word is a line of its own. A
    /// word that would have a meaning at the beginning of a line is escaped.
    private static func wrapped(_ whole: Line, width: Int) -> [String] {
        // There are at most as many characters as bytes, and counting them is slow.
        if whole.text.utf8.count <= width { return [whole.text] }
        let count = whole.text.count
        if count <= width { return [whole.text] }
        let isASCII = count == whole.text.utf8.count
        func columns(_ text: some StringProtocol) -> Int {
            isASCII ? text.utf8.count : text.count
        }
        var result: [String] = []
        var line = ""
        for word in whole.text.split(separator: " ") {
            if line.isEmpty {
                line = String(word)
            } else if columns(line) + 1 + columns(word) > width {
                result.append(line)
                line = whole.isCode ? String(word) : Markup.escapedLineStart(String(word))
            } else {
                line += " " + word
            }
        }
        return result + [line]
    }
}

extension DocComment {
    /// Creates a comment with the spec's text, or with a summary if there is none.
    ///
    /// - Parameter summary: Nil for a comment that begins empty.
    init(_ documentation: Documentation, otherwise summary: String?) {
        let text = documentation.text.flatMap { $0.isEmpty ? nil : $0 }
        if let summary = text ?? summary { paragraph(summary) }
    }

    /// Creates a comment with the spec's text, or with the key if the Swift name differs from it in
    /// more than its spelling.
    init(_ documentation: Documentation, key: String, name: String) {
        self.init(
            documentation,
            otherwise: Markup.repeats(key, name) ? nil : Markup.code(key))
    }

    /// Ends the comment with the link.
    mutating func link(_ documentation: Documentation) {
        guard let link = documentation.link else { return }
        separate()
        item("SeeAlso", text: "<\(link)>")
    }
}

extension DocComment {
    /// Ends the comment with the link and the deprecation notice. The notice is prose, because an
    /// attribute would cause warnings inside the generated code.
    mutating func end(_ documentation: Documentation) {
        link(documentation)
        if let deprecation = documentation.deprecation {
            item("Warning", text: deprecation.sentence)
        }
    }
}

extension Deprecation {
    /// The deprecation notice in prose.
    var sentence: String {
        let start = "Deprecated" + (since.map { " since \($0)" } ?? "") + "."
        return ([start] + reasons).joined(separator: " ")
    }

    private var reasons: [String] {
        [message, use.map { "Use \($0)." }].compactMap(\.self).map(Self.ended)
    }

    /// The text with a full stop.
    private static func ended(_ text: String) -> String {
        text.last.map { ".!?…".contains($0) } == false ? text + "." : text
    }

    /// The attribute, with the reason as its message.
    var attribute: String {
        let parts = (since.map { ["since \($0)."] } ?? []) + reasons
        let message = parts.joined(separator: " ")
        return message.isEmpty
            ? "@available(*, deprecated)"
            : "@available(*, deprecated, message: \(SwiftLiteral.string(message)))"
    }
}
