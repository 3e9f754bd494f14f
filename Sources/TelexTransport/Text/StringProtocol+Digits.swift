extension Int {
    /// Parses ASCII digits only: no sign, no space. Nil also if the number is too large.
    package init?(digits: some StringProtocol) {
        guard digits.areDigits, let number = Int(digits) else { return nil }
        self = number
    }
}

extension StringProtocol {
    /// Whether the text consists of one or more ASCII digits only.
    package var areDigits: Bool {
        !utf8.isEmpty && utf8.allSatisfy { (0x30...0x39).contains($0) }
    }

    /// The text without the white space that header fields may have around values (RFC 9110,
    /// section 5.6.3).
    package var withoutOptionalSpace: SubSequence {
        let isSpace = { (letter: Character) in letter == " " || letter == "\t" }
        let start = self.drop(while: isSpace)
        let end = start.lastIndex { !isSpace($0) }
        return end.map { start[...$0] } ?? start[start.endIndex...]
    }
}
