import TelexJSON

/// A charset of text in a reply or a body.
package enum Charset: String {
    case utf8 = "UTF-8"
    case western = "Windows-1252"
    case utf16LittleEndian = "UTF-16LE"
    case utf16BigEndian = "UTF-16BE"

    /// Returns the charset of a label; nil if it is not supported. As the WHATWG Encoding Standard
    /// (section 4.2) has it, ASCII and ISO 8859-1 are read as Windows-1252, and UTF-16 is
    /// little-endian.
    package init?(label: String) {
        switch label.lowercased() {
        case "utf-8", "utf8": self = .utf8
        case "us-ascii", "ascii", "iso-8859-1", "latin1", "windows-1252", "cp1252": self = .western
        case "utf-16", "utf-16le": self = .utf16LittleEndian
        case "utf-16be": self = .utf16BigEndian
        default: return nil
        }
    }

    /// Returns the text of bytes, without a byte order mark, which takes precedence over the
    /// charset; nil if the bytes are not in it.
    package func text(_ bytes: [UInt8]) -> String? {
        let marks: [(Charset, [UInt8])] = [
            (.utf8, [0xEF, 0xBB, 0xBF]), (.utf16BigEndian, [0xFE, 0xFF]),
            (.utf16LittleEndian, [0xFF, 0xFE]),
        ]
        if let (charset, mark) = marks.first(where: { bytes.starts(with: $0.1) }) {
            return charset.plainText(bytes.dropFirst(mark.count))
        }
        return plainText(bytes[...])
    }

    /// Returns the bytes of a text in the charset of a label; nil if the charset is not supported or
    /// does not have all of its characters. Characters that only Windows-1252 has are not written
    /// under the names of its subsets.
    package static func bytes(of text: String, label: String) -> [UInt8]? {
        switch (Charset(label: label), label.lowercased()) {
        case (nil, _): return nil
        case (.utf8, _): return Array(text.utf8)
        case (.utf16BigEndian, _): return text.utf16.flatMap { [UInt8($0 >> 8), UInt8($0 & 0xFF)] }
        case (.utf16LittleEndian, let label):
            let bytes = text.utf16.flatMap { [UInt8($0 & 0xFF), UInt8($0 >> 8)] }
            // Without a mark, its readers differ in the order of bytes (RFC 2781, section 4.3).
            return label == "utf-16" ? [0xFF, 0xFE] + bytes : bytes
        case (.western, let label):
            let isASCII = label.hasSuffix("ascii")
            let bytes = text.unicodeScalars.compactMap { scalar in
                Self.byte(scalar, hasUpperControls: label.hasSuffix("1252"))
            }
            let isWhole = bytes.count == text.unicodeScalars.count
            return isWhole && (!isASCII || bytes.allSatisfy { $0 < 0x80 }) ? bytes : nil
        }
    }

    private static func byte(_ scalar: Unicode.Scalar, hasUpperControls: Bool) -> UInt8? {
        if let index = upperControls.firstIndex(of: scalar) {
            return hasUpperControls ? 0x80 + UInt8(index) : nil
        }
        return UInt8(exactly: scalar.value).flatMap { (0x80...0x9F).contains($0) ? nil : $0 }
    }

    private func plainText(_ bytes: ArraySlice<UInt8>) -> String? {
        switch self {
        case .utf8: return String(validUTF8: bytes)
        case .western: return String(String.UnicodeScalarView(bytes.map(Self.scalar)))
        case .utf16LittleEndian, .utf16BigEndian:
            guard bytes.count % 2 == 0 else { return nil }
            let units = stride(from: bytes.startIndex, to: bytes.endIndex, by: 2).map { index in
                let unit = UInt16(bytes[index]) << 8 | UInt16(bytes[index + 1])
                return self == .utf16BigEndian ? unit : unit.byteSwapped
            }
            // A lone surrogate would be replaced.
            let text = String(decoding: units, as: UTF16.self)
            return text.utf16.elementsEqual(units) ? text : nil
        }
    }

    /// The characters of Windows-1252 from 0x80 to 0x9F (WHATWG Encoding Standard, index
    /// windows-1252).
    private static let upperControls = Array(
        "€\u{81}‚ƒ„…†‡ˆ‰Š‹Œ\u{8D}Ž\u{8F}\u{90}‘’“”•–—˜™š›œ\u{9D}žŸ".unicodeScalars)

    private static func scalar(_ byte: UInt8) -> Unicode.Scalar {
        (0x80...0x9F).contains(byte) ? upperControls[Int(byte) - 0x80] : Unicode.Scalar(byte)
    }
}
