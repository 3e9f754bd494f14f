/// A decimal number of any size and precision, exactly as written. Exception: exponents of 10⁸ and
/// above are not all distinguished.
struct ExactDecimal: Hashable {
    /// False for zero, so that 0 and -0 are equal.
    let isNegative: Bool
    /// Digits 0...9 without zeros at either end; empty for zero.
    let digits: [UInt8]
    /// The power of ten by which the digits, as an integer, are multiplied.
    let exponent: Int

    /// Parses a JSON number; nil for other text.
    init?(_ text: String) {
        var text = text
        let parts: (Bool, [UInt8], Int)? = text.withUTF8 { bytes in
            guard let start = bytes.baseAddress, !bytes.isEmpty else { return nil }
            guard
                let number = JSONNumber(start, start + bytes.count),
                number.text.count == bytes.count
            else { return nil }
            return Self.parts(number)
        }
        guard let parts else { return nil }
        self.init(isNegative: parts.0, digits: parts.1, exponent: parts.2)
    }

    private init(isNegative: Bool, digits: [UInt8], exponent: Int) {
        let leading = digits.prefix { $0 == 0 }.count
        var rest = digits.dropFirst(leading)
        var exponent = exponent
        while rest.last == 0 {
            rest.removeLast()
            exponent += 1
        }
        self.isNegative = isNegative && !rest.isEmpty
        self.digits = Array(rest)
        self.exponent = rest.isEmpty ? 0 : exponent
    }

    /// The sign, all digits of a number, and the power of ten by which they are multiplied.
    private static func parts(_ number: JSONNumber) -> (Bool, [UInt8], Int) {
        var digits: [UInt8] = []
        var isFraction = false
        var fraction = 0
        for byte in number.text {
            if byte == ASCII.dot {
                isFraction = true
            } else if 0x30...0x39 ~= byte {
                digits.append(byte - ASCII.zero)
                if isFraction { fraction += 1 }
            } else if byte | 0x20 == 0x65 {
                break
            }
        }
        return (number.isNegative, digits, number.power - fraction)
    }

    /// The value as an integer, if it is an integer and fits.
    func integer<T: FixedWidthInteger>() -> T? {
        guard exponent >= 0, digits.count + exponent <= 20 else { return nil }
        var value: T = 0
        for place in 0..<digits.count + exponent {
            let digit = place < digits.count ? T(digits[place]) : 0
            let (product, isTooLarge) = value.multipliedReportingOverflow(by: 10)
            let (next, isBeyond) =
                isNegative
                ? product.subtractingReportingOverflow(digit)
                : product.addingReportingOverflow(digit)
            if isTooLarge || isBeyond { return nil }
            value = next
        }
        return value
    }

    /// The number of digits after the decimal point.
    var fractionDigits: Int { max(-exponent, 0) }

    /// Whether this is an integer multiple of the divisor. Only zero is a multiple of zero.
    func isMultiple(of divisor: ExactDecimal) -> Bool {
        if digits.isEmpty { return true }
        if divisor.digits.isEmpty { return false }
        // With a common power of ten, both are integers. These digits do not end in zero, so no
        // multiple of ten divides them.
        let shift = exponent - divisor.exponent
        return shift >= 0 && remainder(by: divisor.digits, zeros: shift).isEmpty
    }

    /// The remainder of these digits, with zeros appended, divided by an integer; long division.
    private func remainder(by divisor: [UInt8], zeros: Int) -> [UInt8] {
        var rest: [UInt8] = []
        // Ten to the power of the divisor's bit count is divisible by all its factors 2 and 5. More
        // zeros do not change divisibility.
        let zeros = min(zeros, divisor.count * 4 + 4)
        for place in 0..<digits.count + zeros {
            rest.append(place < digits.count ? digits[place] : 0)
            if rest.first == 0 { rest.removeFirst() }
            while Self.isLess(divisor, orEqual: rest) { Self.subtract(divisor, from: &rest) }
        }
        return rest
    }

    private static func isLess(_ one: [UInt8], orEqual other: [UInt8]) -> Bool {
        if one.count != other.count { return one.count < other.count }
        return !other.lexicographicallyPrecedes(one)
    }

    private static func subtract(_ one: [UInt8], from other: inout [UInt8]) {
        var borrow: Int8 = 0
        for place in 1...other.count {
            let index = other.count - place
            var digit = Int8(other[index]) - borrow
            if place <= one.count { digit -= Int8(one[one.count - place]) }
            borrow = digit < 0 ? 1 : 0
            other[index] = UInt8(digit < 0 ? digit + 10 : digit)
        }
        other.removeFirst(other.prefix { $0 == 0 }.count)
    }
}
