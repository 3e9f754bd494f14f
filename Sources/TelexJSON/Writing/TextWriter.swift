/// Writes strings with their quotes and the escapes that RFC 8259, section 7, requires.
enum TextWriter {
    /// The maximum number of bytes that a text takes, including quotes and a colon.
    @inline(__always)
    static func limit(_ text: UnsafeBufferPointer<UInt8>) -> Int {
        text.count <= 256 ? text.count &* 6 &+ 4 : exactLimit(text)
    }

    /// Counts the escapes of a long text.
    @inline(never)
    private static func exactLimit(_ text: UnsafeBufferPointer<UInt8>) -> Int {
        guard var start = text.baseAddress else { return 4 }
        let end = start + text.count
        var escapes = 0
        var isASCII = true
        while start < end {
            start = JSONBytes.endOfText(start, end: end, isASCII: &isASCII)
            if start < end {
                escapes += 1
                start += 1
            }
        }
        return text.count + escapes * 5 + 4
    }

    /// Writes a text in quotes. Returns the position after it.
    @inline(__always)
    static func write(
        _ text: UnsafeBufferPointer<UInt8>, to place: UnsafeMutablePointer<UInt8>
    ) -> UnsafeMutablePointer<UInt8> {
        var place = place
        place.pointee = ASCII.quote
        place += 1
        if let start = text.baseAddress, !text.isEmpty {
            place = write(start, end: start + text.count, to: place)
        }
        place.pointee = ASCII.quote
        return place + 1
    }

    @inline(__always)
    private static func write(
        _ start: UnsafePointer<UInt8>, end: UnsafePointer<UInt8>,
        to place: UnsafeMutablePointer<UInt8>
    ) -> UnsafeMutablePointer<UInt8> {
        var (start, place) = (start, place)
        while end - start >= 16 {
            let block = JSONBytes.load(start)
            UnsafeMutableRawPointer(place).storeBytes(of: block, as: JSONBytes.Vector.self)
            let count = JSONBytes.countPlain(start)
            start += count
            place += count
            guard count < 16 else { continue }
            place = escape(start.pointee, to: place)
            start += 1
        }
        let count = end - start
        guard count > 0 else { return place }
        let block = JSONBytes.load(start, count: count)
        guard JSONBytes.hasNoEscape(block) else {
            return writeEscaped(start, count: count, to: place)
        }
        UnsafeMutableRawPointer(place).storeBytes(of: block, as: JSONBytes.Vector.self)
        return place + count
    }

    @inline(never)
    private static func writeEscaped(
        _ start: UnsafePointer<UInt8>, count: Int, to place: UnsafeMutablePointer<UInt8>
    ) -> UnsafeMutablePointer<UInt8> {
        var place = place
        for offset in 0..<count {
            let byte = start[offset]
            if JSONEscape.isNeeded(byte) {
                place = escape(byte, to: place)
            } else {
                place.pointee = byte
                place += 1
            }
        }
        return place
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
