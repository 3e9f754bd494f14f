/// The digits of numbers.
enum DecimalText {
    /// Appends an integer's digits.
    static func append(_ value: UInt64, to bytes: inout [UInt8]) {
        if value < 10 { return bytes.append(ASCII.zero + UInt8(value)) }
        withUnsafeTemporaryAllocation(of: UInt8.self, capacity: 20) { digits in
            var place = 20
            var rest = value
            while rest > 0 {
                place -= 1
                let (quotient, digit) = rest.quotientAndRemainder(dividingBy: 10)
                digits[place] = ASCII.zero + UInt8(truncatingIfNeeded: digit)
                rest = quotient
            }
            bytes.append(contentsOf: UnsafeBufferPointer(rebasing: digits[place..<20]))
        }
    }

    /// Appends the shortest text that reads as this finite number.
    static func append(_ value: Double, to bytes: inout [UInt8]) {
        if value.sign == .minus { bytes.append(ASCII.minus) }
        if appendShort(value.magnitude, to: &bytes) { return }
        var text = value.magnitude.description
        if text.hasSuffix(".0") { text.removeLast(2) }
        bytes.append(contentsOf: text.utf8)
    }

    private static let scales: [Double] = [1, 1e1, 1e2, 1e3, 1e4, 1e5, 1e6]

    /// Appends a number that has at most 15 digits, at most 6 of them behind the point.
    ///
    /// Any two decimals of at most 15 digits are different doubles, so the first that reads as the
    /// value is the shortest. Dividing the digits by the exact power rounds as reading does.
    private static func appendShort(_ value: Double, to bytes: inout [UInt8]) -> Bool {
        guard value < 1e15, value >= 1e-3 || value == 0 else { return false }
        for (places, scale) in scales.enumerated() {
            let scaled = value * scale
            guard scaled < 1e15 else { return false }
            let digits = UInt64(scaled + 0.5)
            guard Double(digits) / scale == value else { continue }
            append(digits, places: places, to: &bytes)
            return true
        }
        return false
    }

    private static func append(_ digits: UInt64, places: Int, to bytes: inout [UInt8]) {
        guard places > 0 else { return append(digits, to: &bytes) }
        let scale = UInt64(scales[places])
        append(digits / scale, to: &bytes)
        bytes.append(ASCII.dot)
        var (fraction, unit) = (digits % scale, scale / 10)
        while unit > 0 {
            bytes.append(ASCII.zero + UInt8(fraction / unit))
            fraction %= unit
            unit /= 10
        }
    }
}

extension JSONEscape {
    /// Appends text, escaping what RFC 8259, section 7, says must be.
    static func append(_ text: UnsafeBufferPointer<UInt8>, to bytes: inout [UInt8]) {
        guard var start = text.baseAddress else { return }
        let end = start + text.count
        while true {
            var isASCII = true
            let stop = JSONBytes.endOfText(start, end, isASCII: &isASCII)
            bytes.append(contentsOf: UnsafeBufferPointer(start: start, count: stop - start))
            guard stop < end else { return }
            appendEscape(stop.pointee, to: &bytes)
            start = stop + 1
        }
    }

    /// Whether a byte can only stand in a string as an escape.
    static func isNeeded(_ byte: UInt8) -> Bool {
        byte < 0x20 || byte == ASCII.quote || byte == ASCII.backslash
    }

    private static func appendEscape(_ byte: UInt8, to bytes: inout [UInt8]) {
        bytes.append(ASCII.backslash)
        switch byte {
        case ASCII.quote, ASCII.backslash: bytes.append(byte)
        case 0x08: bytes.append(UInt8(ascii: "b"))
        case 0x09: bytes.append(UInt8(ascii: "t"))
        case 0x0A: bytes.append(UInt8(ascii: "n"))
        case 0x0C: bytes.append(UInt8(ascii: "f"))
        case 0x0D: bytes.append(UInt8(ascii: "r"))
        default:
            let digits = Array("0123456789abcdef".utf8)
            bytes.append(contentsOf: "u00".utf8)
            bytes.append(digits[Int(byte >> 4)])
            bytes.append(digits[Int(byte & 15)])
        }
    }
}
