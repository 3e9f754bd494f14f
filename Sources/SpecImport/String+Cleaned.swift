extension String {
    /// The text with `\n` as line ends, spaces for tabs, and without white space at its ends and
    /// those of its lines.
    var cleaned: String {
        var bytes: [UInt8] = []
        bytes.reserveCapacity(utf8.count)
        for byte in utf8 {
            switch byte {
            case UInt8(ascii: "\r"), UInt8(ascii: "\n"):
                // The second half of `\r\n` ends no line of its own.
                if byte == UInt8(ascii: "\n"), bytes.last == UInt8(ascii: "\r") {
                    bytes[bytes.count - 1] = byte
                    continue
                }
                while bytes.last == 0x20 { bytes.removeLast() }
                bytes.append(byte)
            case UInt8(ascii: "\t"): bytes += [0x20, 0x20, 0x20, 0x20]
            default: bytes.append(byte)
            }
        }
        for index in bytes.indices where bytes[index] == UInt8(ascii: "\r") {
            bytes[index] = UInt8(ascii: "\n")
        }
        return String(decoding: bytes, as: UTF8.self).trimmed
    }

    /// The text on one line; nil if it is empty.
    var oneLine: String? {
        let line = cleaned.split(whereSeparator: \.isNewline).joined(separator: " ")
        return line.isEmpty ? nil : line
    }

    /// Without white space at its ends.
    var trimmed: String {
        let isSpace = { (scalar: Unicode.Scalar) in scalar.properties.isWhitespace }
        let start = unicodeScalars.drop(while: isSpace)
        guard let end = start.lastIndex(where: { !isSpace($0) }) else { return "" }
        return String(start[...end])
    }
}
