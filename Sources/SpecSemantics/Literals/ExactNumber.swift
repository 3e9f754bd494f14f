import SpecSyntax

/// An exact decimal number, because different numbers may round to the same `Double`.
struct ExactNumber: Hashable, Comparable {
    /// False for zero, so that 0 and -0 are equal.
    let isNegative: Bool
    /// Digits 0...9 without zeros at either end; empty for zero.
    let digits: [UInt8]
    /// The power of ten that the digits, read as an integer, are multiplied by.
    let exponent: Int

    /// A number in decimal notation; nil for any other text.
    init?(_ text: String) {
        guard let written = DecimalNumber(text) else { return nil }
        let significant = written.digits.drop { $0 == 0 }
        let zeros = significant.reversed().prefix { $0 == 0 }.count
        digits = Array(significant.dropLast(zeros))
        isNegative = written.isNegative && !digits.isEmpty
        exponent = digits.isEmpty ? 0 : written.power + zeros
    }

    /// A count, at least 0.
    init(_ count: Int) {
        let all = String(count).utf8.map { $0 - 0x30 }
        exponent = count == 0 ? 0 : all.reversed().prefix { $0 == 0 }.count
        digits = count == 0 ? [] : all.dropLast(exponent)
        isNegative = false
    }

    /// The number of digits after the decimal point.
    var fractionDigits: Int { max(0, -exponent) }

    static func < (left: Self, right: Self) -> Bool {
        if left.isNegative != right.isNegative { return left.isNegative }
        return left.isNegative ? right.isCloser(than: left) : left.isCloser(than: right)
    }

    /// Whether it is closer to zero than another number.
    private func isCloser(than other: Self) -> Bool {
        if digits.isEmpty || other.digits.isEmpty { return digits.count < other.digits.count }
        let (size, otherSize) = (exponent + digits.count, other.exponent + other.digits.count)
        return size == otherSize ? digits.lexicographicallyPrecedes(other.digits) : size < otherSize
    }
}
