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
    ///
    /// Digits are added whatever their number. Only if there are more than 19, which may overflow, are
    /// they scanned again.
    @inline(__always)
    init?(_ start: UnsafePointer<UInt8>, _ end: UnsafePointer<UInt8>) {
        let isNegative = start.pointee == ASCII.minus
        let first = isNegative ? start + 1 : start
        // The values are variables, not fields, so that they stay in registers.
        var place = first
        var mantissa: UInt64 = 0
        Self.addDigits(at: &place, end: end, to: &mantissa)
        var count = place - first
        guard count > 0, count == 1 || first.pointee != ASCII.zero else { return nil }
        self.isNegative = isNegative
        if place < end, place.pointee == ASCII.dot {
            let fraction = place + 1
            place = fraction
            while end - place >= 8 {
                let digits = DigitBlock(JSONBytes.word(place))
                mantissa = mantissa &* digits.power &+ digits.value
                place += digits.count
                guard digits.count == 8 else { break }
            }
            // The last digits of the document.
            Self.addDigits(at: &place, end: end, to: &mantissa)
            guard place > fraction else { return nil }
            isPlain = false
            exponent = fraction - place
            count &+= place - fraction
        }
        self.mantissa = mantissa
        text = UnsafeBufferPointer(start: start, count: place - start)
        if count > 19 { cut(first, place) }
        if place < end, place.pointee | 0x20 == 0x65 {
            guard scanPower(place, end) else { return nil }
        }
    }

    /// Adds digits one by one, with overflow.
    @inline(__always)
    private static func addDigits(
        at place: inout UnsafePointer<UInt8>, end: UnsafePointer<UInt8>, to mantissa: inout UInt64
    ) {
        while place < end, place.pointee &- ASCII.zero <= 9 {
            mantissa = mantissa &* 10 &+ UInt64(place.pointee &- ASCII.zero)
            place += 1
        }
    }

    /// Makes the mantissa that of the first 19 digits behind zeros.
    @inline(never)
    private mutating func cut(_ first: UnsafePointer<UInt8>, _ end: UnsafePointer<UInt8>) {
        (mantissa, exponent) = (0, 0)
        var isFraction = false
        for byte in UnsafeBufferPointer(start: first, count: end - first) {
            if byte == ASCII.dot {
                isFraction = true
            } else if mantissa < UInt64(1_000_000_000_000_000_000) {
                mantissa = mantissa * 10 + UInt64(byte - ASCII.zero)
                if isFraction { exponent -= 1 }
            } else {
                isCut = true
                if !isFraction { exponent += 1 }
            }
        }
    }

    /// Scans an exponent; false if it is malformed.
    @inline(never)
    private mutating func scanPower(
        _ start: UnsafePointer<UInt8>, _ end: UnsafePointer<UInt8>
    ) -> Bool {
        var place = start + 1
        var isNegative = false
        if place < end, place.pointee == ASCII.minus || place.pointee == ASCII.plus {
            isNegative = place.pointee == ASCII.minus
            place += 1
        }
        let digits = place
        while place < end, 0x30...0x39 ~= place.pointee {
            // Larger exponents do not change the result, because no document has that many digits.
            if power < 100_000_000 { power = power * 10 + Int(place.pointee - ASCII.zero) }
            place += 1
        }
        guard place > digits else { return false }
        if isNegative { power = -power }
        exponent &+= power
        isPlain = false
        text = UnsafeBufferPointer(start: text.baseAddress, count: text.count + (place - start))
        return true
    }

    /// The integer, which has no fraction, exponent or omitted digits, if it fits.
    @inline(__always)
    func integer<T: FixedWidthInteger>(_ type: T.Type) -> T? {
        if !isNegative { return T(exactly: mantissa) }
        guard let positive = Int64(exactly: mantissa) else { return nil }
        return T(exactly: -positive)
    }
}

/// The digits at the start of eight bytes.
struct DigitBlock {
    let count: Int
    let value: UInt64
    /// Ten to the power of the number of digits.
    let power: UInt64

    @inline(__always)
    init(_ word: UInt64) {
        let digits = word ^ UInt64(0x3030_3030_3030_3030)
        // Sets the high bit of the first byte that is more than 9. An addition that overflows
        // changes only bytes behind that one.
        let (filler, highBits): (UInt64, UInt64) = (0x7676_7676_7676_7676, 0x8080_8080_8080_8080)
        let above = ((digits &+ filler) | digits) & highBits
        guard above != 0 else {
            (count, power, value) = (8, 100_000_000, Self.value(digits))
            return
        }
        count = above.trailingZeroBitCount / 8
        // Moves the digits to the end of eight, the first of which are zeros.
        let unused = UInt64(truncatingIfNeeded: 64 &- count &* 8)
        value = count == 0 ? 0 : Self.value(digits &<< unused)
        power = Self.power(count)
    }

    /// Ten to the power of a number of digits.
    @inline(__always)
    private static func power(_ count: Int) -> UInt64 {
        switch count {
        case 0: 1
        case 1: 10
        case 2: 100
        case 3: 1_000
        case 4: 10_000
        case 5: 100_000
        case 6: 1_000_000
        default: 10_000_000
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
