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

extension String {
    /// Whether all characters are of ASCII. The loop has no iterator, because most scalars of a spec
    /// pass here, also in a debug build.
    package var isASCII: Bool {
        var text = self
        return text.withUTF8 { bytes in
            guard let base = bytes.baseAddress else { return true }
            var place = 0
            while place < bytes.count {
                if base[place] >= 0x80 { return false }
                place &+= 1
            }
            return true
        }
    }
}
