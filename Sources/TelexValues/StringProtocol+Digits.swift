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
        let isText = { (byte: UInt8) in byte != UInt8(ascii: " ") && byte != UInt8(ascii: "\t") }
        let start = utf8.firstIndex(where: isText) ?? endIndex
        var end = start
        for place in utf8[start...].indices where isText(utf8[place]) {
            end = utf8.index(after: place)
        }
        return self[start..<end]
    }
}
