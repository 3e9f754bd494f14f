#if canImport(FoundationEssentials)
    import FoundationEssentials
#else
    import Foundation
#endif

/// A charset of text in a reply.
struct Charset: Sendable {
    /// The name in messages.
    let name: String
    private let encoding: String.Encoding

    /// Returns the charset of a label (WHATWG Encoding Standard, section 4.2); nil if it is not
    /// known. ASCII and ISO 8859-1 are read as Windows-1252, as in browsers.
    init?(_ label: String) {
        let label = label.lowercased()
        guard let encoding = Self.encodings[label] else { return nil }
        name = label.uppercased()
        self.encoding = encoding
    }

    private static let encodings: [String: String.Encoding] = [
        "utf-8": .utf8, "utf8": .utf8,
        "us-ascii": .windowsCP1252, "ascii": .windowsCP1252, "iso-8859-1": .windowsCP1252,
        "latin1": .windowsCP1252, "windows-1252": .windowsCP1252, "cp1252": .windowsCP1252,
        "utf-16": .utf16LittleEndian, "utf-16le": .utf16LittleEndian,
        "utf-16be": .utf16BigEndian,
        "iso-8859-2": .isoLatin2, "windows-1250": .windowsCP1250, "windows-1251": .windowsCP1251,
        "windows-1253": .windowsCP1253, "windows-1254": .windowsCP1254,
        "shift_jis": .shiftJIS, "euc-jp": .japaneseEUC, "iso-2022-jp": .iso2022JP,
    ]

    /// Returns the text of bytes, without a byte order mark, which takes precedence over the label;
    /// nil if the bytes are not in the charset, or if this system cannot read it.
    func text(_ bytes: [UInt8]) -> String? {
        if bytes.starts(with: [0xEF, 0xBB, 0xBF]) {
            return String(validating: bytes.dropFirst(3), as: UTF8.self)
        }
        if bytes.starts(with: [0xFE, 0xFF]) { return Self.utf16(bytes.dropFirst(2), isBig: true) }
        if bytes.starts(with: [0xFF, 0xFE]) { return Self.utf16(bytes.dropFirst(2), isBig: false) }
        return switch encoding {
        case .utf8: String(validating: bytes, as: UTF8.self)
        case .windowsCP1252: Self.western(bytes)
        case .utf16BigEndian: Self.utf16(bytes[...], isBig: true)
        case .utf16LittleEndian: Self.utf16(bytes[...], isBig: false)
        default: String(bytes: bytes, encoding: encoding)
        }
    }

    private static func utf16(_ bytes: ArraySlice<UInt8>, isBig: Bool) -> String? {
        guard bytes.count % 2 == 0 else { return nil }
        let units = stride(from: bytes.startIndex, to: bytes.endIndex, by: 2).map { index in
            let (first, second) = (UInt16(bytes[index]), UInt16(bytes[index + 1]))
            return isBig ? first << 8 | second : second << 8 | first
        }
        return String(validating: units, as: UTF16.self)
    }

    /// The characters of Windows-1252 from 0x80 to 0x9F (WHATWG Encoding Standard, index
    /// windows-1252).
    private static let upperControls = Array(
        "\u{20AC}\u{81}\u{201A}\u{192}\u{201E}\u{2026}\u{2020}\u{2021}\u{2C6}\u{2030}\u{160}"
            + "\u{2039}\u{152}\u{8D}\u{17D}\u{8F}\u{90}\u{2018}\u{2019}\u{201C}\u{201D}\u{2022}"
            + "\u{2013}\u{2014}\u{2DC}\u{2122}\u{161}\u{203A}\u{153}\u{9D}\u{17E}\u{178}"
    ).map { $0.unicodeScalars.first ?? "\u{FFFD}" }

    private static func western(_ bytes: [UInt8]) -> String {
        var text = String.UnicodeScalarView()
        for byte in bytes {
            let isControl = (0x80...0x9F).contains(byte)
            text.append(isControl ? upperControls[Int(byte) - 0x80] : Unicode.Scalar(byte))
        }
        return String(text)
    }
}
