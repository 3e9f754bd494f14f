extension JSONNumber {
    /// The nearest `Double` (ties to even); infinite if the number is out of range.
    ///
    /// Small numbers need one exact operation (Clinger, "How to read floating point numbers
    /// accurately"). Nearly all others use the algorithm of Eisel and Lemire ("Number parsing at a
    /// gigabyte per second", 2021). The standard library converts the rest.
    var double: Double {
        if mantissa == 0 { return isNegative ? -0.0 : 0 }
        if !isCut, let small = Self.clinger(mantissa, exponent) {
            return isNegative ? -small : small
        }
        if let bits = Self.eiselLemire(mantissa, exponent), isCertain(bits) {
            return Double(bitPattern: isNegative ? bits | 1 << 63 : bits)
        }
        return Double(String(decoding: text, as: UTF8.self)) ?? .infinity
    }

    /// Whether the omitted digits cannot change the result.
    private func isCertain(_ bits: UInt64) -> Bool {
        !isCut || Self.eiselLemire(mantissa + 1, exponent) == bits
    }

    /// Converts with one operation, which rounds correctly because both operands are exact.
    @inline(__always)
    private static func clinger(_ mantissa: UInt64, _ exponent: Int) -> Double? {
        guard mantissa <= 1 << 53, exponent >= -22, exponent <= 22 else { return nil }
        let value = Double(mantissa)
        return exponent < 0
            ? value / PowersOfTen.exact[-exponent] : value * PowersOfTen.exact[exponent]
    }

    /// The bits of the nearest double, or nil if 128 bits of the power of five are not sufficient.
    private static func eiselLemire(_ mantissa: UInt64, _ exponent: Int) -> UInt64? {
        guard exponent >= PowersOfFive.smallest else { return 0 }
        guard exponent <= PowersOfFive.largest else { return Double.infinity.bitPattern }
        let zeros = mantissa.leadingZeroBitCount
        guard let product = PowersOfFive.product(mantissa << UInt64(zeros), exponent) else {
            return nil
        }
        let upper = Int(product.high >> 63)
        var bits = product.high >> UInt64(upper + 9)
        // floor(log2(10^exponent)), with a fixed-point factor that is exact in this range.
        var power = ((217_706 * exponent) >> 16) + 63 + upper - zeros + 1023
        if power <= 0 {
            guard power > -63 else { return 0 }
            bits >>= UInt64(1 - power)
            bits += bits & 1
            return bits >> 1
        }
        if isTie(product, exponent: exponent, bits: bits, shift: upper + 9) { bits &= ~1 }
        bits += bits & 1
        bits >>= 1
        if bits >= 1 << 53 {
            bits = 1 << 52
            power += 1
        }
        guard power < 2047 else { return Double.infinity.bitPattern }
        return bits & ~(1 << 52) | UInt64(power) << 52
    }

    /// Whether the number lies exactly between two doubles and the lower one is even.
    private static func isTie(
        _ product: (high: UInt64, low: UInt64), exponent: Int, bits: UInt64, shift: Int
    ) -> Bool {
        product.low <= 1 && exponent >= -4 && exponent <= 23 && bits & 3 == 1
            && bits << UInt64(shift) == product.high
    }
}

/// The powers of ten that a `Double` holds exactly.
private enum PowersOfTen {
    /// 10^0 to 10^22.
    nonisolated(unsafe) static let exact: UnsafePointer<Double> = {  // written once, never freed
        let powers = UnsafeMutablePointer<Double>.allocate(capacity: 23)
        powers.initialize(to: 1)
        for power in 1...22 { (powers + power).initialize(to: powers[power - 1] * 10) }
        return UnsafePointer(powers)
    }()
}

/// The first 128 bits of the powers of five from -342 to 324, as the algorithm of Eisel and Lemire
/// requires: truncated, or rounded up for negative exponents. Computed exactly at first use.
enum PowersOfFive {
    static let smallest = -342
    /// The largest power that numbers are multiplied by.
    static let largest = 308
    /// The largest one that numbers are divided by.
    private static let largestDivisor = 324

    /// The high and low halves of each power, alternating.
    nonisolated(unsafe) private static let table = makeTable()  // written once, never freed

    private static func makeTable() -> UnsafePointer<UInt64> {
        let halves = build()
        let memory = UnsafeMutablePointer<UInt64>.allocate(capacity: halves.count)
        for (place, half) in halves.enumerated() { (memory + place).initialize(to: half) }
        return UnsafePointer(memory)
    }

    /// The upper 128 bits of the product of a mantissa (highest bit set) and a power of ten without
    /// its power of two; nil if more bits of the power are needed.
    @inline(__always)
    static func product(_ mantissa: UInt64, _ exponent: Int) -> (high: UInt64, low: UInt64)? {
        let index = 2 * (exponent - smallest)
        let (powerHigh, powerLow) = (table[index], table[index + 1])
        var (high, low) = mantissa.multipliedFullWidth(by: powerHigh)
        if high & 0x1FF == 0x1FF {
            let second = mantissa.multipliedFullWidth(by: powerLow).high
            let (sum, overflow) = low.addingReportingOverflow(second)
            low = sum
            if overflow { high += 1 }
        }
        if low == .max, exponent < -27 || exponent > 55 { return nil }
        return (high, low)
    }

    /// The first 128 bits of a power.
    static func bits(of exponent: Int) -> (high: UInt64, low: UInt64) {
        let index = 2 * (exponent - smallest)
        return (table[index], table[index + 1])
    }

    private static func build() -> [UInt64] {
        var negative: [UInt64] = []
        // floor(2^2048 / 5^n) by repeated division, which is exact because the floor of a floor is.
        var reciprocal = [UInt64](repeating: 0, count: 33)
        reciprocal[32] = 1
        for _ in 1...(-smallest) {
            divideByFive(&reciprocal)
            negative.append(contentsOf: roundedUp(top128(reciprocal)).reversed())
        }
        var table = [UInt64](negative.reversed())
        var power = [UInt64](repeating: 0, count: 13)
        power[0] = 1
        for _ in 0...largestDivisor {
            let (high, low) = top128(power)
            table += [high, low]
            multiplyByFive(&power)
        }
        return table
    }

    private static func divideByFive(_ limbs: inout [UInt64]) {
        var rest: UInt64 = 0
        for index in limbs.indices.reversed() {
            (limbs[index], rest) = UInt64(5).dividingFullWidth((rest, limbs[index]))
        }
    }

    private static func multiplyByFive(_ limbs: inout [UInt64]) {
        var carry: UInt64 = 0
        for index in limbs.indices {
            let (high, low) = limbs[index].multipliedFullWidth(by: 5)
            let (sum, overflow) = low.addingReportingOverflow(carry)
            limbs[index] = sum
            carry = high + (overflow ? 1 : 0)
        }
    }

    /// The 128 bits from the highest set bit downwards; limbs are little-endian.
    private static func top128(_ limbs: [UInt64]) -> (high: UInt64, low: UInt64) {
        let last = limbs.lastIndex { $0 != 0 } ?? 0
        func limb(_ index: Int) -> UInt64 { index >= 0 ? limbs[index] : 0 }
        let shift = UInt64(limbs[last].leadingZeroBitCount)
        if shift == 0 { return (limb(last), limb(last - 1)) }
        let high = limb(last) << shift | limb(last - 1) >> (64 - shift)
        let low = limb(last - 1) << shift | limb(last - 2) >> (64 - shift)
        return (high, low)
    }

    private static func roundedUp(_ value: (high: UInt64, low: UInt64)) -> [UInt64] {
        let (low, overflow) = value.low.addingReportingOverflow(1)
        return [value.high + (overflow ? 1 : 0), low]
    }
}
