/// Writes numbers as decimal text.
enum DecimalText {
    /// The maximum number of bytes of a number.
    static let limit = 40

    /// Writes the digits of an integer. Returns the position after them.
    @inline(__always)
    static func write(
        _ value: UInt64, to place: UnsafeMutablePointer<UInt8>
    ) -> UnsafeMutablePointer<UInt8> {
        let end = place + count(value)
        write(value, before: end)
        return end
    }

    /// Writes the digits of an integer in front of a position, two at a time.
    private static func write(_ value: UInt64, before end: UnsafeMutablePointer<UInt8>) {
        var (rest, place) = (value, end)
        let pairs = pairs
        while rest >= 100 {
            let pair = pairs + Int(truncatingIfNeeded: rest % 100) &* 2
            rest /= 100
            place -= 2
            place[0] = pair[0]
            place[1] = pair[1]
        }
        if rest >= 10 {
            let pair = pairs + Int(truncatingIfNeeded: rest) &* 2
            place[-2] = pair[0]
            place[-1] = pair[1]
        } else {
            place[-1] = ASCII.zero &+ UInt8(truncatingIfNeeded: rest)
        }
    }

    /// The number of digits of an integer.
    private static func count(_ value: UInt64) -> Int {
        var (rest, count) = (value, 0)
        while rest >= 100_000_000 {
            rest /= 100_000_000
            count += 8
        }
        if rest >= 10_000 {
            rest /= 10_000
            count += 4
        }
        return count + (rest < 100 ? (rest < 10 ? 1 : 2) : (rest < 1000 ? 3 : 4))
    }

    /// The digits from 00 to 99.
    @inline(__always)
    private static var pairs: UnsafePointer<UInt8> {
        let digits: StaticString = """
            0001020304050607080910111213141516171819202122232425262728293031323334353637383940414243\
            4445464748495051525354555657585960616263646566676869707172737475767778798081828384858687\
            888990919293949596979899
            """
        return digits.utf8Start
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
        let count = count(decimal.digits)
        // The position of the point, counted from the first digit.
        let point = count + decimal.exponent
        if point > 16 || point < -3 { return writeScientific(decimal, count, to: place) }
        if point <= 0 {
            place.update(repeating: ASCII.zero, count: 2 - point)
            place[1] = ASCII.dot
            return write(decimal.digits, to: place + (2 - point))
        }
        if decimal.exponent >= 0 {
            let end = write(decimal.digits, to: place)
            end.update(repeating: ASCII.zero, count: decimal.exponent)
            return end + decimal.exponent
        }
        // The digits stand one place too far to the right until those before the point move.
        let end = write(decimal.digits, to: place + 1)
        place.update(from: place + 1, count: point)
        place[point] = ASCII.dot
        return end
    }

    /// Writes one digit before the point, and a power of ten.
    private static func writeScientific(
        _ decimal: ShortestDecimal, _ count: Int, to place: UnsafeMutablePointer<UInt8>
    ) -> UnsafeMutablePointer<UInt8> {
        var end = write(decimal.digits, to: place + 1)
        place[0] = place[1]
        if count == 1 { end = place + 1 } else { place[1] = ASCII.dot }
        let power = decimal.exponent + count - 1
        end[0] = UInt8(ascii: "e")
        end[1] = power < 0 ? ASCII.minus : ASCII.plus
        return write(UInt64(power.magnitude), to: end + 2)
    }
}
