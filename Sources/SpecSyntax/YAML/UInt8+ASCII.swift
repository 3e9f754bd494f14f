/// Characters of ASCII.
extension UInt8 {
    /// Whether it is a digit.
    package var isDigit: Bool { 0x30...0x39 ~= self }

    /// Whether it is a letter.
    package var isLetter: Bool { 0x61...0x7A ~= self | 0x20 }

    /// Whether it is a hexadecimal digit.
    package var isHexDigit: Bool { isDigit || 0x61...0x66 ~= self | 0x20 }

    /// Whether it is a letter, a digit or `_`.
    package var isNamePart: Bool { isLetter || isDigit || self == UInt8(ascii: "_") }
}
