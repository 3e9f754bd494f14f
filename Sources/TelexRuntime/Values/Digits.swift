extension Int {
    /// The number that ASCII digits stand for, and nothing but digits: no sign, no space. Nil also
    /// if it is too large.
    init?(digits: some StringProtocol) {
        guard digits.areDigits, let number = Int(digits) else { return nil }
        self = number
    }
}

extension StringProtocol {
    /// Whether there are ASCII digits and nothing else.
    var areDigits: Bool {
        !utf8.isEmpty && utf8.allSatisfy { (0x30...0x39).contains($0) }
    }

    /// Without the white space that header fields may have around values (RFC 9110, section 5.6.3).
    var withoutOptionalSpace: SubSequence {
        let isSpace = { (letter: Character) in letter == " " || letter == "\t" }
        let start = self.drop(while: isSpace)
        let end = start.lastIndex { !isSpace($0) }
        return end.map { start[...$0] } ?? start[start.endIndex...]
    }
}
