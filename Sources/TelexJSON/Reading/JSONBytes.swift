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

/// Scans raw bytes, 16 at a time.
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

    /// The index of the first lane that is set, or nil.
    @inline(__always)
    private static func first(_ mask: SIMDMask<SIMD16<Int8>>) -> Int? {
        let words: SIMD2<UInt64> = unsafeBitCast(mask, to: SIMD2<UInt64>.self)
        let low = UInt64(littleEndian: words[0])
        let high = UInt64(littleEndian: words[1])
        if low | high == 0 { return nil }
        return low != 0 ? low.trailingZeroBitCount / 8 : 8 + high.trailingZeroBitCount / 8
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

    @inline(never)
    private static func skipSpaceRun(_ position: Position, _ end: Position) -> Position {
        var position = position
        if position < end, isSpace(position.pointee) { position += 1 }
        if position < end, position.pointee > 0x20 { return position }
        let space = Vector(repeating: 0x20)
        let tab = Vector(repeating: 0x09)
        let line = Vector(repeating: 0x0A)
        let carriage = Vector(repeating: 0x0D)
        while end - position >= 16 {
            let bytes: Vector = load(position)
            let isSpace: SIMDMask<SIMD16<Int8>> = bytes .== space
            let isTab: SIMDMask<SIMD16<Int8>> = bytes .== tab
            let isLine: SIMDMask<SIMD16<Int8>> = bytes .== line
            let isReturn: SIMDMask<SIMD16<Int8>> = bytes .== carriage
            let blank: SIMDMask<SIMD16<Int8>> = isSpace .| isTab
            let ending: SIMDMask<SIMD16<Int8>> = isLine .| isReturn
            let white: SIMDMask<SIMD16<Int8>> = blank .| ending
            if let place = first(.!white) { return position + place }
            position += 16
        }
        while position < end, isSpace(position.pointee) { position += 1 }
        return position
    }

    @inline(__always)
    static func isSpace(_ byte: UInt8) -> Bool {
        byte == 0x20 || byte == 0x0A || byte == 0x0D || byte == 0x09
    }

    /// Loads fewer than 16 bytes without reading any other byte, and fills the block with letters.
    @inline(__always)
    static func load(_ position: Position, count: Int) -> Vector {
        let filler: UInt64 = 0x6161_6161_6161_6161
        var words = SIMD2<UInt64>(filler, filler)
        if count >= 8 {
            words[0] = word(position).littleEndian
            let unused = UInt64(truncatingIfNeeded: 128 &- count &* 8)
            if count > 8 {
                let rest = word(position + (count &- 8)) &>> unused
                words[1] = (rest | filler &<< (64 &- unused)).littleEndian
            }
        } else {
            words[0] = short(position, count: count, filler: filler).littleEndian
        }
        return unsafeBitCast(words, to: Vector.self)
    }

    /// Loads fewer than eight bytes, followed by a filler.
    @inline(__always)
    private static func short(_ position: Position, count: Int, filler: UInt64) -> UInt64 {
        let used = UInt64(truncatingIfNeeded: count &* 8)
        if count >= 4 {
            let raw = UnsafeRawPointer(position)
            let first = UInt32(littleEndian: raw.loadUnaligned(as: UInt32.self))
            let last = UInt32(
                littleEndian: (raw + (count &- 4)).loadUnaligned(as: UInt32.self))
            return UInt64(first) | UInt64(last) &<< (used &- 32) | filler & beyond(used)
        }
        if count == 0 { return filler }
        // The first, middle and last byte; they overlap if there are fewer than three.
        let middle = count / 2
        let bytes =
            UInt64(position[0]) | UInt64(position[middle]) << UInt64(middle &* 8)
            | UInt64(position[count &- 1]) << (used &- 8)
        return bytes | filler & beyond(used)
    }

    /// A mask of the bits at and above a place in 1...63.
    @inline(__always)
    private static func beyond(_ place: UInt64) -> UInt64 { ~0 &<< place }

    /// Whether a block has no quote, backslash or control character.
    @inline(__always)
    static func hasNoEscape(_ bytes: Vector) -> Bool {
        let quote = Vector(repeating: ASCII.quote)
        let backslash = Vector(repeating: ASCII.backslash)
        let control = Vector(repeating: 0x20)
        let isQuote: SIMDMask<SIMD16<Int8>> = bytes .== quote
        let isBackslash: SIMDMask<SIMD16<Int8>> = bytes .== backslash
        let isControl: SIMDMask<SIMD16<Int8>> = bytes .< control
        let special: SIMDMask<SIMD16<Int8>> = isQuote .| isBackslash
        let stops: SIMDMask<SIMD16<Int8>> = special .| isControl
        return !isAny(stops)
    }

    /// The first quote, backslash or control character at or after `position`, or the end.
    /// `isASCII` becomes false if a byte before it is not ASCII.
    @inline(__always)
    static func endOfText(
        _ position: Position, end: Position, isASCII: inout Bool
    ) -> Position {
        var position = position
        let quote = Vector(repeating: ASCII.quote)
        let backslash = Vector(repeating: ASCII.backslash)
        let control = Vector(repeating: 0x20)
        var seen = Vector(repeating: 0)
        while end - position >= 16 {
            let bytes: Vector = load(position)
            let isQuote: SIMDMask<SIMD16<Int8>> = bytes .== quote
            let isBackslash: SIMDMask<SIMD16<Int8>> = bytes .== backslash
            let isControl: SIMDMask<SIMD16<Int8>> = bytes .< control
            let special: SIMDMask<SIMD16<Int8>> = isQuote .| isBackslash
            let stops: SIMDMask<SIMD16<Int8>> = special .| isControl
            if let place = first(stops) {
                if hasHighBit(seen) || hasHighBit(bytes, before: place) { isASCII = false }
                return position + place
            }
            seen |= bytes
            position += 16
        }
        if hasHighBit(seen) { isASCII = false }
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

    @inline(__always)
    private static func hasHighBit(_ bytes: Vector) -> Bool {
        let words: SIMD2<UInt64> = unsafeBitCast(bytes, to: SIMD2<UInt64>.self)
        return (words[0] | words[1]) & 0x8080_8080_8080_8080 != 0
    }

    /// Whether one of the first `count` (0...15) bytes is not ASCII.
    @inline(__always)
    private static func hasHighBit(_ bytes: Vector, before count: Int) -> Bool {
        let words: SIMD2<UInt64> = unsafeBitCast(bytes, to: SIMD2<UInt64>.self)
        let high: UInt64 = 0x8080_8080_8080_8080
        let low = UInt64(littleEndian: words[0]) & high
        if count < 8 { return low & ((1 << UInt64(count * 8)) - 1) != 0 }
        let rest = UInt64(littleEndian: words[1]) & high
        return low != 0 || rest & ((1 << UInt64((count - 8) * 8)) - 1) != 0
    }

    /// Whether the text at `position` starts with these bytes. Eight bytes must be readable at
    /// `other`, even if `length` is smaller.
    @inline(__always)
    static func starts(
        _ position: Position, end: Position, with other: Position, length: Int
    ) -> Bool {
        guard end - position >= max(length, 8) else { return false }
        if length < 8 {
            let unwanted = UInt64(truncatingIfNeeded: 64 &- length &* 8)
            return (word(position) ^ word(other)) &<< unwanted == 0 || length == 0
        }
        return isEqual(position, other, length: length)
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
