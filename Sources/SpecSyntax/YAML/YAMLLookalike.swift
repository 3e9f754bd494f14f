/// A character in a plain scalar that looks like YAML syntax: a Unicode space, or curly quotes.
/// Both come from copied text, and both would become part of a name or a value.
struct YAMLLookalike {
    /// The message.
    let message: String
    let help: String
    /// Its UTF-8 offsets in the text.
    let place: Range<Int>

    /// Finds the first lookalike that cannot be intended; nil if there is none.
    init?(in text: String) {
        if text.isASCII { return nil }
        if let quotes = Self.quotes(in: text) {
            self = quotes
        } else {
            self.init(inLine: text)
        }
    }

    /// Finds the first Unicode space of a line where YAML needs an ASCII one.
    init?(inLine line: String) {
        guard let space = Self.oddSpace(in: line) else { return nil }
        let scalars = line.unicodeScalars
        let scalar = scalars[space]
        let code = String(scalar.value, radix: 16, uppercase: true)
        let name = scalar == "\u{A0}" ? "a no-break space" : "the character U+\(code)"
        self.init(
            message: "\(name) is not a space in YAML",
            help: "write an ordinary space; to keep it, put quotes around the text",
            place: line.utf8Range(space..<scalars.index(after: space)))
    }

    private init(message: String, help: String, place: Range<Int>) {
        self.message = message
        self.help = help
        self.place = place
    }

    // MARK: Quotes

    /// A text that is entirely in curly quotes. Curly quotes around a part of a text are prose.
    private static func quotes(in text: String) -> YAMLLookalike? {
        guard let first = text.first, let last = text.last, text.count > 1,
            "“”„«»‘’‚".contains(first), "“”«»‘’".contains(last),
            !text.dropFirst().dropLast().contains(where: "“”„«»".contains)
        else { return nil }
        return YAMLLookalike(
            message: "in YAML, curly quotes are part of the text",
            help: "write `\"\(text.dropFirst().dropLast().prefix(40))\"`; to keep them, put `\"` "
                + "around",
            place: 0..<text.utf8.count)
    }

    // MARK: Spaces

    /// The first Unicode space that cannot be intended: at an end of the text, or where an ASCII
    /// space would make a key or a comment. In the middle of a text it is valid: `5 km`.
    private static func oddSpace(in text: String) -> String.Index? {
        var before: Unicode.Scalar?
        var space: String.Index?
        for index in text.unicodeScalars.indices {
            let scalar = text.unicodeScalars[index]
            if scalar.properties.isWhitespace {
                if scalar.value >= 0x80, space == nil { space = index }
            } else if let space, before == nil || before == ":" || scalar == "#" {
                return space
            } else {
                (before, space) = (scalar, nil)
            }
        }
        return space
    }
}
