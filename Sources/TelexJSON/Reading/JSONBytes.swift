internal import CScan

/// The ASCII bytes of JSON's syntax.
enum ASCII {
    static let quote = UInt8(ascii: "\"")
    static let backslash = UInt8(ascii: "\\")
    static let comma = UInt8(ascii: ",")
    static let colon = UInt8(ascii: ":")
    static let openBrace = UInt8(ascii: "{")
    static let closeBrace = UInt8(ascii: "}")
    static let openBracket = UInt8(ascii: "[")
    static let closeBracket = UInt8(ascii: "]")
    static let minus = UInt8(ascii: "-")
    static let plus = UInt8(ascii: "+")
    static let dot = UInt8(ascii: ".")
    static let zero = UInt8(ascii: "0")
}

/// Scans raw bytes, 16 at a time: by functions in C where the place of a byte is wanted, and by Swift's
/// vectors elsewhere.
///
/// Every operand of a vector expression has a declared type and its own statement. Chained
/// expressions and bare literals compile to loops over single bytes, which are tens of times
/// slower.
enum JSONBytes {
    typealias Vector = SIMD16<UInt8>
    typealias Position = UnsafePointer<UInt8>

    @inline(__always)
    static func load(_ position: Position) -> Vector {
        UnsafeRawPointer(position).loadUnaligned(as: Vector.self)
    }

    @inline(__always)
    static func word(_ position: Position) -> UInt64 {
        UInt64(littleEndian: UnsafeRawPointer(position).loadUnaligned(as: UInt64.self))
    }

    /// Whether a lane is set.
    @inline(__always)
    static func isAny(_ mask: SIMDMask<SIMD16<Int8>>) -> Bool {
        let words: SIMD2<UInt64> = unsafeBitCast(mask, to: SIMD2<UInt64>.self)
        return words[0] | words[1] != 0
    }

    /// The first byte at or after `position` that is not white space (RFC 8259, section 2), or the
    /// end.
    @inline(__always)
    static func skipSpace(_ position: Position, _ end: Position) -> Position {
        if position < end, position.pointee > 0x20 { return position }
        return skipSpaceRun(position, end)
    }

    /// Skips white space, which mostly is a line ending and some spaces.
    @inline(never)
    private static func skipSpaceRun(_ position: Position, _ end: Position) -> Position {
        guard end - position > 33 else { return skipAnySpace(position, end) }
        var place = position.pointee == 0x0A ? position + 1 : position
        let count = Int(c_scan_spaces(place))
        place += count
        if count == 16 { place += Int(c_scan_spaces(place)) }
        return place.pointee > 0x20 ? place : skipAnySpace(place, end)
    }

    private static func skipAnySpace(_ position: Position, _ end: Position) -> Position {
        var position = position
        repeat {
            while position < end, position.pointee != 0x20, isSpace(position.pointee) {
                position += 1
            }
            position = skipSpaces(position, end)
        } while position < end && isSpace(position.pointee)
        return position
    }

    @inline(__always)
    private static func skipSpaces(_ position: Position, _ end: Position) -> Position {
        var position = position
        while end - position >= 16 {
            let count = Int(c_scan_spaces(position))
            if count < 16 { return position + count }
            position += 16
        }
        while position < end, position.pointee == 0x20 { position += 1 }
        return position
    }

    @inline(__always)
    static func isSpace(_ byte: UInt8) -> Bool {
        byte == 0x20 || byte == 0x0A || byte == 0x0D || byte == 0x09
    }

    /// The first quote, backslash or control character at or after `position`, or the end.
    /// `isASCII` becomes false if a byte before it is not ASCII.
    @inline(__always)
    static func endOfText(
        _ position: Position, end: Position, isASCII: inout Bool
    ) -> Position {
        var position = position
        var scanned: Int32 = 0
        while end - position >= 16 {
            let block = c_scan_text(position)
            scanned |= block
            if block & 16 == 0 {
                if scanned & 32 != 0 { isASCII = false }
                return position + Int(block & 15)
            }
            position += 16
        }
        if scanned & 32 != 0 { isASCII = false }
        return endOfTail(position, end: end, isASCII: &isASCII)
    }

    @inline(never)
    private static func endOfTail(
        _ position: Position, end: Position, isASCII: inout Bool
    ) -> Position {
        var position = position
        while position < end {
            let byte = position.pointee
            if byte == ASCII.quote || byte == ASCII.backslash || byte < 0x20 { break }
            if byte >= 0x80 { isASCII = false }
            position += 1
        }
        return position
    }

    /// The end of `null`, a Boolean or an integer, if one is at `position`; nil for others, and near
    /// the end of the document.
    @inline(__always)
    static func endOfPlainValue(_ position: Position, end: Position) -> Position? {
        guard end - position >= 8 else { return nil }
        // `null`, `true` and `fals`, the first letter in the lowest byte.
        let four = UInt32(truncatingIfNeeded: word(position))
        if four == 0x6C6C_756E || four == 0x6575_7274 { return position + 4 }
        if four == 0x736C_6166, position[4] == 0x65 { return position + 5 }
        let first = position.pointee == ASCII.minus ? position + 1 : position
        var place = first
        while place < end, place.pointee &- ASCII.zero <= 9 { place += 1 }
        guard place > first, place < end, first.pointee != ASCII.zero || place - first == 1 else {
            return nil
        }
        let byte = place.pointee
        return byte == ASCII.dot || byte | 0x20 == 0x65 ? nil : place
    }

    /// Whether the text at `position` starts with these bytes. 16 more bytes must be readable at
    /// `other`.
    @inline(__always)
    static func starts(
        _ position: Position, end: Position, with other: Position, length: Int
    ) -> Bool {
        guard end - position >= length &+ 15 else {
            return end - position >= length && isEqual(position, other, length: length)
        }
        if length <= 16 { return c_scan_is_equal(position, other, Int32(length)) }
        var offset = 0
        while offset &+ 16 < length {
            if !c_scan_is_equal(position + offset, other + offset, 16) { return false }
            offset &+= 16
        }
        // The last 16 bytes, of which some were compared.
        return c_scan_is_equal(position + (length &- 16), other + (length &- 16), 16)
    }

    /// Whether `length` bytes are equal at both places.
    @inline(__always)
    static func isEqual(_ one: Position, _ other: Position, length: Int) -> Bool {
        var offset = 0
        while offset &+ 8 <= length {
            if word(one + offset) != word(other + offset) { return false }
            offset &+= 8
        }
        if length >= 8 {
            let last = length &- 8
            return word(one + last) == word(other + last)
        }
        while offset < length {
            if one[offset] != other[offset] { return false }
            offset &+= 1
        }
        return true
    }
}
