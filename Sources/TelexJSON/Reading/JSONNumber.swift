/// A JSON number (RFC 8259, section 6) that is scanned but not converted.
struct JSONNumber {
    /// The bytes of the number.
    var text: UnsafeBufferPointer<UInt8>
    var isNegative = false
    /// The first 19 significant digits.
    var mantissa: UInt64 = 0
    /// The power of ten by which the mantissa is multiplied.
    var exponent = 0
    /// The exponent as written after the digits.
    var power = 0
    /// Whether digits beyond the first 19 were omitted.
    var isCut = false
    /// Whether there is neither a fraction nor an exponent.
    var isPlain = true

    /// Scans a number; nil if it is malformed.
    @inline(__always)
    init?(_ start: UnsafePointer<UInt8>, _ end: UnsafePointer<UInt8>) {
        var digits = DigitScanner(position: start, end: end)
        text = UnsafeBufferPointer(start: start, count: 0)
        if start.pointee == ASCII.minus {
            isNegative = true
            digits.position += 1
        }
        let isZero = digits.next == ASCII.zero
        let whole = digits.position
        guard digits.scan() > 0, !isZero || digits.position - whole == 1 else { return nil }
        if let byte = digits.next, byte == ASCII.dot || byte | 0x20 == 0x65 {
            isPlain = false
            if byte == ASCII.dot {
                digits.position += 1
                digits.isFraction = true
                guard digits.scan() > 0 else { return nil }
            }
            guard let power = digits.scanExponent() else { return nil }
            self.power = power
        }
        mantissa = digits.mantissa
        exponent = power + digits.exponent
        isCut = digits.isCut
        text = UnsafeBufferPointer(start: start, count: digits.position - start)
    }
}

/// Scans digits into a mantissa of at most 19 digits.
private struct DigitScanner {
    var position: UnsafePointer<UInt8>
    let end: UnsafePointer<UInt8>
    var isFraction = false
    var mantissa: UInt64 = 0
    var exponent = 0
    var isCut = false

    init(position: UnsafePointer<UInt8>, end: UnsafePointer<UInt8>) {
        self.position = position
        self.end = end
    }

    @inline(__always)
    var next: UInt8? { position < end ? position.pointee : nil }

    /// Reads a run of digits. Returns their number.
    @inline(__always)
    mutating func scan() -> Int {
        let start = position
        // No block makes the mantissa larger than 19 digits.
        while end - position >= 8, mantissa < UInt64(100_000_000_000) {
            let digits = DigitBlock(JSONBytes.word(position))
            mantissa = mantissa &* digits.power &+ digits.value
            if isFraction { exponent &-= digits.count }
            position += digits.count
            guard digits.count == 8 else { return position - start }
        }
        while position < end {
            let digit = position.pointee &- ASCII.zero
            guard digit <= 9 else { break }
            append(digit)
            position += 1
        }
        return position - start
    }

    @inline(__always)
    private mutating func append(_ digit: UInt8) {
        // 10^18 - 1 is the largest mantissa to which any further digit can be appended.
        if mantissa < UInt64(1_000_000_000_000_000_000) {
            mantissa = mantissa &* 10 &+ UInt64(digit)
            if isFraction { exponent -= 1 }
        } else {
            isCut = true
            if !isFraction { exponent += 1 }
        }
    }

    /// Reads the exponent after the digits: 0 if there is none, nil if it is malformed.
    @inline(__always)
    mutating func scanExponent() -> Int? {
        guard let letter = next, letter | 0x20 == 0x65 else { return 0 }
        position += 1
        var isNegative = false
        if let sign = next, sign == ASCII.minus || sign == ASCII.plus {
            isNegative = sign == ASCII.minus
            position += 1
        }
        let start = position
        var power = 0
        while let byte = next, 0x30...0x39 ~= byte {
            // Larger exponents do not change the result, because no document has that many digits.
            if power < 100_000_000 { power = power * 10 + Int(byte - ASCII.zero) }
            position += 1
        }
        guard position > start else { return nil }
        return isNegative ? -power : power
    }
}

/// The digits at the start of eight bytes.
struct DigitBlock {
    let count: Int
    let value: UInt64

    @inline(__always)
    init(_ word: UInt64) {
        let digits = word ^ UInt64(0x3030_3030_3030_3030)
        // Sets the high bit of the first byte that is more than 9. An addition that overflows
        // changes only bytes behind that one.
        let (filler, highBits): (UInt64, UInt64) = (0x7676_7676_7676_7676, 0x8080_8080_8080_8080)
        let above = ((digits &+ filler) | digits) & highBits
        count = above == 0 ? 8 : above.trailingZeroBitCount / 8
        // Moves the digits to the end of eight, the first of which are zeros.
        let unused = UInt64(truncatingIfNeeded: 64 &- count &* 8)
        value = count == 0 ? 0 : Self.value(digits &<< unused)
    }

    /// Ten to the power of the number of digits.
    @inline(__always)
    var power: UInt64 {
        switch count {
        case 0: 1
        case 1: 10
        case 2: 100
        case 3: 1_000
        case 4: 10_000
        case 5: 100_000
        case 6: 1_000_000
        case 7: 10_000_000
        default: 100_000_000
        }
    }

    /// Adds neighbours of one, two and four digits in turn.
    @inline(__always)
    private static func value(_ digits: UInt64) -> UInt64 {
        let pairs = (digits &* 10) &+ (digits >> 8)
        let mask: UInt64 = 0x0000_00FF_0000_00FF
        let high: UInt64 = 0x000F_4240_0000_0064
        let low: UInt64 = 0x0000_2710_0000_0001
        let one = (pairs & mask) &* high
        let two = ((pairs >> 16) & mask) &* low
        return (one &+ two) >> 32
    }
}
