/// The shortest decimal that reads as a double; of several, the nearest one.
///
/// The algorithm is that of Raffaello Giulietti ("The Schubfach way to render doubles", 2020). With
/// the powers of ten as 126 bits, it needs three products of 64 by 128 bits.
struct ShortestDecimal {
    /// The digits, without zeros at the end: up to 17 of them.
    private(set) var digits: UInt64
    /// The power of ten by which the digits are multiplied.
    private(set) var exponent: Int

    /// Finds the decimal of a positive, finite number.
    init(_ value: Double) {
        let isSubnormal = value.exponentBitPattern == 0
        let significand = value.significandBitPattern | (isSubnormal ? 0 : 1 << 52)
        let power = isSubnormal ? -1074 : Int(value.exponentBitPattern) - 1075
        if -52...0 ~= power, significand.trailingZeroBitCount >= -power {
            (digits, exponent) = (significand >> UInt64(-power), 0)
        } else {
            let isLowest = significand == 1 << 52 && value.exponentBitPattern > 1
            (digits, exponent) = Self.shortest(significand, power, isLowest: isLowest)
        }
        removeZeros()
    }

    /// - Parameter isLowest: Whether the next lower number is only half as far as the next higher.
    private static func shortest(
        _ significand: UInt64, _ power: Int, isLowest: Bool
    ) -> (UInt64, Int) {
        // The number and the ends of the interval that is rounded to it, times four.
        let middle = significand << 2
        let isOdd = significand & 1
        // floor(log10(2^power)), or of three quarters of it.
        let part: Int64 = isLowest ? 274_743_187_321 : 0
        let exponent = Int((Int64(power) * Int64(661_971_961_083) - part) >> 41)
        let scale = PowersOfFive.rounded(-exponent)
        // floor(log2(10^-exponent)).
        let floor2 = (Int64(-exponent) * Int64(913_124_641_741)) >> 38
        let shift = UInt64(Int64(power) + floor2 + 2)
        let value = product(scale, middle << shift)
        let lower = product(scale, (middle - (isLowest ? 1 : 2)) << shift)
        let upper = product(scale, (middle + 2) << shift)
        let floor = value >> 2
        if floor >= 10 {
            let short = floor / 10 * 10
            let isIn = lower + isOdd <= short << 2
            let isNextIn = (short + 10) << 2 + isOdd <= upper
            if isIn != isNextIn { return (isIn ? short : short + 10, exponent) }
        }
        let next = floor + 1
        let isIn = lower + isOdd <= floor << 2
        let isNextIn = next << 2 + isOdd <= upper
        if isIn != isNextIn { return (isIn ? floor : next, exponent) }
        let ends = (floor + next) << 1
        return (value < ends || value == ends && floor & 1 == 0 ? floor : next, exponent)
    }

    /// The upper bits of a product, of which the last one tells whether any bit was cut off.
    @inline(__always)
    private static func product(_ scale: (high: UInt64, low: UInt64), _ factor: UInt64) -> UInt64 {
        let carried = scale.low.multipliedFullWidth(by: factor).high
        let (high, low) = scale.high.multipliedFullWidth(by: factor)
        let sum = low >> 1 + carried
        let rest = sum & (1 << 63 - 1)
        return (high + sum >> 63) | (rest + (1 << 63 - 1)) >> 63
    }

    private mutating func removeZeros() {
        guard digits % 10 == 0 else { return }
        while digits % 100_000_000 == 0 { shorten(100_000_000, 8) }
        if digits % 10_000 == 0 { shorten(10_000, 4) }
        if digits % 100 == 0 { shorten(100, 2) }
        if digits % 10 == 0 { shorten(10, 1) }
    }

    @inline(__always)
    private mutating func shorten(_ divisor: UInt64, _ count: Int) {
        digits /= divisor
        exponent += count
    }
}

extension PowersOfFive {
    /// The first 126 bits of a power of ten, rounded up, in two parts of 63 bits.
    fileprivate static func rounded(_ exponent: Int) -> (high: UInt64, low: UInt64) {
        var (high, low) = bits(of: exponent)
        // Negative powers are rounded up already, to 128 bits.
        if exponent < 0 {
            if low == 0 { high -= 1 }
            low &-= 1
        }
        let (top, rest) = (high >> 1, (high & 1) << 62 | low >> 2)
        return rest == 1 << 63 - 1 ? (top + 1, 0) : (top, rest + 1)
    }
}
