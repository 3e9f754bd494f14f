/// An exact decimal number, because different numbers may round to the same `Double`.
struct ExactNumber: Hashable, Comparable {
    /// False for zero, so that 0 and -0 are equal.
    let isNegative: Bool
    /// Digits 0...9 without zeros at either end; empty for zero.
    let digits: [UInt8]
    /// The power of ten that the digits, read as an integer, are multiplied by.
    let exponent: Int

    /// A number as RFC 8259 writes it; nil for any other text.
    init?(_ text: String) {
        guard let written = NumberLiteral(text) else { return nil }
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

/// The parts of a number literal.
struct NumberLiteral {
    /// The exponent is clamped to this, so that a difference of two fits an `Int`.
    private static let largest = 1_000_000_000

    let isNegative: Bool
    /// All digits 0...9 before and after the decimal point.
    let digits: [UInt8]
    /// The exponent, 0 if none is written.
    let exponent: Int
    /// The power of ten that the digits, read as an integer, are multiplied by.
    let power: Int

    /// A number as RFC 8259 writes it; nil for any other text.
    init?(_ text: String) {
        let bytes = Array(text.utf8)
        isNegative = bytes.first == UInt8(ascii: "-")
        let number = bytes.dropFirst(isNegative ? 1 : 0)
        let mantissa = number.prefix { $0 | 0x20 != UInt8(ascii: "e") }
        let parts = mantissa.split(separator: UInt8(ascii: "."), omittingEmptySubsequences: false)
        digits = parts.joined().map { $0 &- 0x30 }
        guard parts.count <= 2, !digits.isEmpty, digits.allSatisfy({ $0 <= 9 }) else { return nil }
        let tail = String(decoding: number.dropFirst(mantissa.count + 1), as: UTF8.self)
        let limit = tail.hasPrefix("-") ? -Self.largest : Self.largest
        let written = tail.isEmpty ? 0 : Int(tail) ?? limit
        exponent = min(max(written, -Self.largest), Self.largest)
        power = exponent - (parts.count == 2 ? parts[1].count : 0)
    }
}
