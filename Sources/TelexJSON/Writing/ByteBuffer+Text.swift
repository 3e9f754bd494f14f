internal import CScan

/// Writes strings with their quotes and the escapes that RFC 8259, section 7, requires.
extension ByteBuffer {
    /// The bytes that a text takes besides its own, if it has no escape: a comma, quotes, a colon.
    private static let frame = 4

    /// Begins a value with a text in quotes. Returns the position after it, and the offset of the
    /// first quote.
    @inline(__always)
    mutating func beginText(
        _ text: UnsafeBufferPointer<UInt8>
    ) -> (end: UnsafeMutablePointer<UInt8>, offset: Int) {
        var place = beginValue(atMost: text.count &+ Self.frame)
        let offset = offset(place)
        place.pointee = ASCII.quote
        place += 1
        if let start = text.baseAddress {
            let copied = c_scan_copy(place, start, text.count)
            place += copied
            if copied < text.count {
                note(text, at: offset)
                end(at: place)
                place = writeEscaped(start + copied, end: start + text.count)
            }
        }
        place.pointee = ASCII.quote
        return (place + 1, offset)
    }

    /// Writes text whose first byte needs an escape.
    @inline(never)
    private mutating func writeEscaped(
        _ start: UnsafePointer<UInt8>, end: UnsafePointer<UInt8>
    ) -> UnsafeMutablePointer<UInt8> {
        var start = start
        repeat {
            var place = Self.escape(start.pointee, to: extend(end - start + Self.frame + 6))
            start += 1
            let copied = c_scan_copy(place, start, end - start)
            start += copied
            place += copied
            self.end(at: place)
        } while start < end
        return extend(Self.frame)
    }

    private static func escape(
        _ byte: UInt8, to place: UnsafeMutablePointer<UInt8>
    ) -> UnsafeMutablePointer<UInt8> {
        place[0] = ASCII.backslash
        switch byte {
        case ASCII.quote, ASCII.backslash: place[1] = byte
        case 0x08: place[1] = UInt8(ascii: "b")
        case 0x09: place[1] = UInt8(ascii: "t")
        case 0x0A: place[1] = UInt8(ascii: "n")
        case 0x0C: place[1] = UInt8(ascii: "f")
        case 0x0D: place[1] = UInt8(ascii: "r")
        default:
            place[1] = UInt8(ascii: "u")
            place[2] = ASCII.zero
            place[3] = ASCII.zero
            place[4] = hexDigit(byte >> 4)
            place[5] = hexDigit(byte & 15)
            return place + 6
        }
        return place + 2
    }

    private static func hexDigit(_ value: UInt8) -> UInt8 {
        value < 10 ? ASCII.zero + value : UInt8(ascii: "a") + value - 10
    }
}
