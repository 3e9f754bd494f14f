/// Lists of numbers, such as ids, a point of a map or the coordinates of a vector, which are read
/// without the frame of a list. A list that has another value, or ends the document, is not read.
extension JSONReader {
    /// Reads an array of numbers in the range of `Double`; nil, with nothing read, if it is another.
    @usableFromInline
    mutating func doubles() -> [Double]? {
        numbers { number in
            let value = number.double
            return value.isFinite ? value : nil
        }
    }

    /// Reads an array of integers without a fraction and an exponent; nil, with nothing read, if it is
    /// another.
    @usableFromInline
    mutating func ints() -> [Int]? {
        numbers { number in
            number.isPlain && !number.isCut ? number.integer(Int.self) : nil
        }
    }

    @inline(__always)
    private mutating func numbers<T>(_ value: (JSONNumber) -> T?) -> [T]? {
        guard level < limits.depth, next < end, next.pointee == ASCII.openBracket else {
            return nil
        }
        let first = JSONBytes.skipSpace(next + 1, end)
        if first < end, first.pointee == ASCII.closeBracket {
            next = first + 1
            return []
        }
        // Most lists fit, so that their array is allocated once.
        return withUnsafeTemporaryAllocation(of: T.self, capacity: 16) { block in
            var values: [T] = []
            var count = 0
            var place = first
            while place < end, place.pointee == ASCII.minus || place.pointee &- ASCII.zero <= 9,
                let number = JSONNumber(place, end), let value = value(number)
            {
                if count == block.count {
                    values.append(contentsOf: block)
                    count = 0
                }
                block[count] = value
                count += 1
                place = JSONBytes.skipSpace(place + number.text.count, end)
                guard place < end else { return nil }
                if place.pointee == ASCII.closeBracket {
                    next = place + 1
                    let rest = UnsafeMutableBufferPointer(rebasing: block[..<count])
                    if values.isEmpty { return Array(rest) }
                    values.append(contentsOf: rest)
                    return values
                }
                guard place.pointee == ASCII.comma else { return nil }
                place = JSONBytes.skipSpace(place + 1, end)
            }
            return nil
        }
    }
}
