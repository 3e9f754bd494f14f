/// Writes numbers as decimal text.
enum DecimalText {
    /// The maximum number of bytes of a number.
    static let limit = 40

    /// Writes the digits of an integer. Returns the position after them.
    static func write(
        _ value: UInt64, to place: UnsafeMutablePointer<UInt8>
    ) -> UnsafeMutablePointer<UInt8> {
        var count = 1
        var bound: UInt64 = 10
        while value >= bound, count < 19 {
            bound &*= 10
            count &+= 1
        }
        if count == 19, value >= bound { count = 20 }
        var rest = value
        var index = count
        while index > 0 {
            index &-= 1
            place[index] = ASCII.zero &+ UInt8(truncatingIfNeeded: rest % 10)
            rest /= 10
        }
        return place + count
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
        if let end = writeShort(value.magnitude, to: place) { return end }
        var text = value.magnitude.description
        if text.hasSuffix(".0") { text.removeLast(2) }
        for byte in text.utf8 {
            place.pointee = byte
            place += 1
        }
        return place
    }

    private static let scales: [Double] = [1, 1e1, 1e2, 1e3, 1e4, 1e5, 1e6]

    /// Writes a number with at most 15 digits, of which at most 6 are after the point; nil for
    /// others.
    ///
    /// Different decimals of at most 15 digits are different doubles, so the first one that reads
    /// as the value is the shortest. Dividing the digits by the exact power rounds like reading
    /// does.
    private static func writeShort(
        _ value: Double, to place: UnsafeMutablePointer<UInt8>
    ) -> UnsafeMutablePointer<UInt8>? {
        guard value < 1e15, value >= 1e-3 || value == 0 else { return nil }
        for (places, scale) in scales.enumerated() {
            let scaled = value * scale
            guard scaled < 1e15 else { return nil }
            let digits = UInt64(scaled + 0.5)
            guard Double(digits) / scale == value else { continue }
            return write(digits, places: places, scale: UInt64(scale), to: place)
        }
        return nil
    }

    private static func write(
        _ digits: UInt64, places: Int, scale: UInt64, to place: UnsafeMutablePointer<UInt8>
    ) -> UnsafeMutablePointer<UInt8> {
        let point = write(digits / scale, to: place)
        guard places > 0 else { return point }
        point.pointee = ASCII.dot
        var fraction = digits % scale
        for index in stride(from: places, to: 0, by: -1) {
            point[index] = ASCII.zero + UInt8(truncatingIfNeeded: fraction % 10)
            fraction /= 10
        }
        return point + places + 1
    }
}
