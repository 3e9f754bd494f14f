/// A charset of text in a reply.
enum Charset: String {
    case utf8 = "UTF-8"
    case western = "Windows-1252"
    case utf16LittleEndian = "UTF-16LE"
    case utf16BigEndian = "UTF-16BE"

    /// Returns the charset of a label; nil if it is not supported. As the WHATWG Encoding Standard
    /// (section 4.2) has it, ASCII and ISO 8859-1 are read as Windows-1252, and UTF-16 is
    /// little-endian.
    init?(label: String) {
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
    func text(_ bytes: [UInt8]) -> String? {
        let marks: [(Charset, [UInt8])] = [
            (.utf8, [0xEF, 0xBB, 0xBF]), (.utf16BigEndian, [0xFE, 0xFF]),
            (.utf16LittleEndian, [0xFF, 0xFE]),
        ]
        if let (charset, mark) = marks.first(where: { bytes.starts(with: $0.1) }) {
            return charset.plainText(bytes.dropFirst(mark.count))
        }
        return plainText(bytes[...])
    }

    private func plainText(_ bytes: ArraySlice<UInt8>) -> String? {
        switch self {
        case .utf8: return String(validating: bytes, as: UTF8.self)
        case .western: return String(String.UnicodeScalarView(bytes.map(Self.scalar)))
        case .utf16LittleEndian, .utf16BigEndian:
            guard bytes.count % 2 == 0 else { return nil }
            let units = stride(from: bytes.startIndex, to: bytes.endIndex, by: 2).map { index in
                let unit = UInt16(bytes[index]) << 8 | UInt16(bytes[index + 1])
                return self == .utf16BigEndian ? unit : unit.byteSwapped
            }
            return String(validating: units, as: UTF16.self)
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
