/// Writes numbers as decimal text.
enum DecimalText {
    /// The maximum number of bytes of a number. Up to 16 bytes after it may be overwritten.
    static let limit = 40

    /// Writes the digits of an integer. Returns the position after them; up to seven bytes more may
    /// be overwritten.
    @inline(__always)
    static func write(
        _ value: UInt64, to place: UnsafeMutablePointer<UInt8>
    ) -> UnsafeMutablePointer<UInt8> {
        guard value < 100_000_000 else { return writeLong(value, to: place) }
        let digits = digits(value)
        // The bits of zeros in front, except the last digit.
        let unused = (digits | 1 &<< 56).trailingZeroBitCount & ~7
        store(digits &>> UInt64(truncatingIfNeeded: unused), to: place)
        return place + (8 &- unused &>> 3)
    }

    /// Writes an integer of more than eight digits.
    @inline(never)
    private static func writeLong(
        _ value: UInt64, to place: UnsafeMutablePointer<UInt8>
    ) -> UnsafeMutablePointer<UInt8> {
        let high = value / 100_000_000
        let end = write(high, to: place)
        store(digits(value &- high &* 100_000_000), to: end)
        return end + 8
    }

    /// Writes eight digits as text, the lowest byte first.
    @inline(__always)
    private static func store(_ digits: UInt64, to place: UnsafeMutablePointer<UInt8>) {
        let text: UInt64 = digits | 0x3030_3030_3030_3030
        UnsafeMutableRawPointer(place).storeBytes(of: text.littleEndian, as: UInt64.self)
    }

    /// The eight digits of a number below 10⁸, the first one in the lowest byte. Halves, then quarters
    /// are divided at once, by products that are exact for numbers of four and of two digits.
    @inline(__always)
    private static func digits(_ value: UInt64) -> UInt64 {
        let high = value / 10_000
        let fours = high | (value &- high &* 10_000) &<< 32
        let hundreds: UInt64 = (fours &* 10_486) &>> 20 & 0x0000_007F_0000_007F
        let twos = hundreds | (fours &- hundreds &* 100) &<< 16
        let tens: UInt64 = (twos &* 103) &>> 10 & 0x000F_000F_000F_000F
        return tens | (twos &- tens &* 10) &<< 8
    }

    /// Writes the shortest text that reads as this finite number. Returns the position after it.
    static func write(
        _ value: Double, to place: UnsafeMutablePointer<UInt8>
    ) -> UnsafeMutablePointer<UInt8> {
        var place = place
        if value.sign == .minus {
            place.pointee = ASCII.minus
            place += 1
        }
        guard value != 0 else {
            place.pointee = ASCII.zero
            return place + 1
        }
        let decimal = ShortestDecimal(value.magnitude)
        // The digits stand one place too far to the right until the point is placed.
        let digits = place + 1
        let count = write(decimal.digits, to: digits) - digits
        // The position of the point, counted from the first digit.
        let point = count + decimal.exponent
        if point > 16 || point < -3 { return writeScientific(decimal, count, to: place) }
        if point <= 0 {
            move(digits, to: place + (2 - point))
            place.update(repeating: ASCII.zero, count: 2 - point)
            place[1] = ASCII.dot
            return place + (2 - point + count)
        }
        if decimal.exponent >= 0 {
            move(digits, to: place)
            (place + count).update(repeating: ASCII.zero, count: decimal.exponent)
            return place + point
        }
        // At most 16 digits on each side.
        let fraction = JSONBytes.load(digits + point)
        let whole = JSONBytes.load(digits)
        store(whole, to: place)
        place[point] = ASCII.dot
        store(fraction, to: place + (point + 1))
        return place + (count + 1)
    }

    /// Moves up to 17 digits.
    @inline(__always)
    private static func move(
        _ digits: UnsafeMutablePointer<UInt8>, to place: UnsafeMutablePointer<UInt8>
    ) {
        let (block, last) = (JSONBytes.load(digits), digits[16])
        store(block, to: place)
        place[16] = last
    }

    @inline(__always)
    private static func store(
        _ block: JSONBytes.Vector, to place: UnsafeMutablePointer<UInt8>
    ) {
        UnsafeMutableRawPointer(place).storeBytes(of: block, as: JSONBytes.Vector.self)
    }

    /// Puts the point after the first of the digits, and a power of ten after the last.
    private static func writeScientific(
        _ decimal: ShortestDecimal, _ count: Int, to place: UnsafeMutablePointer<UInt8>
    ) -> UnsafeMutablePointer<UInt8> {
        place[0] = place[1]
        if count > 1 { place[1] = ASCII.dot }
        let end = place + (count > 1 ? count + 1 : 1)
        let power = decimal.exponent + count - 1
        end[0] = UInt8(ascii: "e")
        end[1] = power < 0 ? ASCII.minus : ASCII.plus
        return write(UInt64(power.magnitude), to: end + 2)
    }
}
