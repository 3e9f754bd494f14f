/// Decodes the escape sequences of JSON strings (RFC 8259, section 7).
package enum JSONEscape {
    /// The UTF-8 bytes of a decoded character, and the end of its escape sequence.
    package typealias Character = (bytes: [UInt8], end: Int)

    /// Decodes the escape sequence that begins with the backslash at `place`; `nil` if it is
    /// invalid. A backslash before an unknown character stands for that character.
    package static func character(in text: [UInt8], at place: Int) -> Character? {
        guard place + 1 < text.count else { return nil }
        switch text[place + 1] {
        case UInt8(ascii: "n"): return ([0x0A], place + 2)
        case UInt8(ascii: "r"): return ([0x0D], place + 2)
        case UInt8(ascii: "t"): return ([0x09], place + 2)
        case UInt8(ascii: "b"): return ([0x08], place + 2)
        case UInt8(ascii: "f"): return ([0x0C], place + 2)
        case UInt8(ascii: "u"): return unicode(in: text, at: place)
        case let byte: return ([byte], place + 2)
        }
    }

    /// Decodes a part of a text. `places` holds the source offset of each decoded byte, followed by
    /// the end offset.
    ///
    /// - Parameter limit: The number of bytes after which decoding stops; the last character may
    ///   exceed it.
    package static func decoded(
        _ range: Range<Int>, of text: [UInt8], upTo limit: Int = .max
    ) -> (text: [UInt8], places: [Int]) {
        var decoded: (text: [UInt8], places: [Int]) = ([], [])
        var next = range.lowerBound
        while next < range.upperBound, decoded.text.count < limit {
            let escape = text[next] == UInt8(ascii: "\\") ? character(in: text, at: next) : nil
            let (bytes, end) = escape ?? ([text[next]], next + 1)
            decoded.text += bytes
            decoded.places += repeatElement(next, count: bytes.count)
            next = end
        }
        // An escape sequence may extend beyond the range.
        decoded.places.append(min(next, range.upperBound))
        return decoded
    }

    /// Decodes `\u0041`, or a surrogate pair of two such sequences.
    private static func unicode(in text: [UInt8], at place: Int) -> Character? {
        guard let first = hex(in: text, at: place + 2, digits: 4) else { return nil }
        if let scalar = Unicode.Scalar(first) { return (scalar.bytes, place + 6) }
        guard place + 7 < text.count, text[place + 6] == UInt8(ascii: "\\"),
            let second = hex(in: text, at: place + 8, digits: 4),
            (0xD800..<0xDC00).contains(first), (0xDC00..<0xE000).contains(second),
            let scalar = Unicode.Scalar(0x10000 + ((first - 0xD800) << 10) + (second - 0xDC00))
        else { return nil }
        return (scalar.bytes, place + 12)
    }

    /// Returns the hexadecimal number of `digits` digits at `place`; `nil` if there are fewer.
    static func hex(in text: [UInt8], at place: Int, digits: Int) -> UInt32? {
        guard place + digits <= text.count else { return nil }
        var value: UInt32 = 0
        for byte in text[place..<place + digits] {
            guard let digit = digit(byte) else { return nil }
            value = value << 4 | digit
        }
        return value
    }

    private static func digit(_ byte: UInt8) -> UInt32? {
        switch byte {
        case UInt8(ascii: "0")...UInt8(ascii: "9"): UInt32(byte) - 0x30
        case UInt8(ascii: "A")...UInt8(ascii: "F"): UInt32(byte) - 0x37
        case UInt8(ascii: "a")...UInt8(ascii: "f"): UInt32(byte) - 0x57
        default: nil
        }
    }
}

extension Unicode.Scalar {
    fileprivate var bytes: [UInt8] { Array(String(Character(self)).utf8) }
}
