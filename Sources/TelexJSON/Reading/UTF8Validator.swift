/// Checks that bytes are well-formed UTF-8 (RFC 3629, table 3-7 of the Unicode Standard).
enum UTF8Validator {
    private typealias Vector = JSONBytes.Vector
    private typealias Mask = SIMDMask<SIMD16<Int8>>

    /// Whether the bytes from `start` to `end` are well-formed.
    static func isValid(_ start: UnsafePointer<UInt8>, _ end: UnsafePointer<UInt8>) -> Bool {
        guard end - start >= 32 else { return isValidTail(start, end) }
        // Checks the first three bytes, so that every block has three bytes before it.
        var position = start
        while position - start < 3 {
            let length = position.pointee < 0x80 ? 1 : sequence(position, end)
            if length == 0 { return false }
            position += length
        }
        while end - position >= 16 {
            if !isPairsAndASCII(position), !isValidBlock(position) { return false }
            position += 16
        }
        // Moves back to the start of the last sequence, because it may continue after the last
        // block.
        while position[-1] & 0xC0 == 0x80 { position -= 1 }
        if position[-1] >= 0xC0 { position -= 1 }
        return isValidTail(position, end)
    }

    /// Whether 16 bytes are well-formed and have no sequence of more than two bytes, nor the end of
    /// one, given three well-formed bytes before: what most alphabets need.
    @inline(__always)
    private static func isPairsAndASCII(_ position: UnsafePointer<UInt8>) -> Bool {
        let bytes: Vector = JSONBytes.load(position)
        let before: Vector = JSONBytes.load(position - 1)
        let before3: Vector = JSONBytes.load(position - 3)
        let long = Vector(repeating: 0xE0)
        let isLong: Mask = bytes .>= long
        let wasLong: Mask = before3 .>= long
        let isTail: Mask = isIn(bytes, from: 0x80, to: 0xBF)
        let isWanted: Mask = isIn(before, from: 0xC2, to: 0xDF)
        let isOverlong: Mask = isIn(bytes, from: 0xC0, to: 0xC1)
        let isMisplaced: Mask = isTail .^ isWanted
        let isAnyLong: Mask = isLong .| wasLong
        let isWrong: Mask = isMisplaced .| isOverlong
        let bad: Mask = isAnyLong .| isWrong
        return !JSONBytes.isAny(bad)
    }

    /// Whether 16 bytes are well-formed, given three well-formed bytes before. The last sequence
    /// may continue after them.
    @inline(__always)
    private static func isValidBlock(_ position: UnsafePointer<UInt8>) -> Bool {
        let bytes: Vector = JSONBytes.load(position)
        let before: Vector = JSONBytes.load(position - 1)
        let before2: Vector = JSONBytes.load(position - 2)
        let before3: Vector = JSONBytes.load(position - 3)
        let isTail: Mask = isIn(bytes, from: 0x80, to: 0xBF)
        let afterAny: Mask = isIn(before, from: 0xC2, to: 0xF4)
        let afterThree: Mask = isIn(before2, from: 0xE0, to: 0xF4)
        let afterFour: Mask = isIn(before3, from: 0xF0, to: 0xF4)
        let some: Mask = afterAny .| afterThree
        let wanted: Mask = some .| afterFour
        let misplaced: Mask = isTail .^ wanted
        let overlong: Mask = isIn(bytes, from: 0xC0, to: 0xC1)
        let beyond: Mask = isIn(bytes, from: 0xF5, to: 0xFF)
        let never: Mask = overlong .| beyond
        let wrong: Mask = misplaced .| never
        let bad: Mask = wrong .| isBadPair(before, bytes)
        return !JSONBytes.isAny(bad)
    }

    /// Finds invalid pairs for lead bytes whose first continuation byte has narrower bounds.
    @inline(__always)
    private static func isBadPair(_ lead: Vector, _ tail: Vector) -> Mask {
        let short3: Mask = isIn(lead, from: 0xE0, to: 0xE0) .& isIn(tail, from: 0x80, to: 0x9F)
        let surrogate: Mask = isIn(lead, from: 0xED, to: 0xED) .& isIn(tail, from: 0xA0, to: 0xBF)
        let short4: Mask = isIn(lead, from: 0xF0, to: 0xF0) .& isIn(tail, from: 0x80, to: 0x8F)
        let beyond: Mask = isIn(lead, from: 0xF4, to: 0xF4) .& isIn(tail, from: 0x90, to: 0xBF)
        let one: Mask = short3 .| surrogate
        let other: Mask = short4 .| beyond
        return one .| other
    }

    @inline(__always)
    private static func isIn(_ bytes: Vector, from low: UInt8, to high: UInt8) -> Mask {
        let lowest = Vector(repeating: low)
        let span = Vector(repeating: high &- low)
        let shifted: Vector = bytes &- lowest
        return shifted .<= span
    }

    private static func isValidTail(
        _ start: UnsafePointer<UInt8>, _ end: UnsafePointer<UInt8>
    ) -> Bool {
        var position = start
        while position < end {
            let byte = position.pointee
            if byte < 0x80 {
                position = skipASCII(position, end)
            } else if isPairLead(byte) {
                position = skipPairs(position, end)
                if position < end, isPairLead(position.pointee) { return false }
            } else {
                let length = sequence(position, end)
                if length == 0 { return false }
                position += length
            }
        }
        return true
    }

    @inline(__always)
    private static func skipASCII(
        _ start: UnsafePointer<UInt8>, _ end: UnsafePointer<UInt8>
    ) -> UnsafePointer<UInt8> {
        let highBits: UInt64 = 0x8080_8080_8080_8080
        var position = start + 1
        while end - position >= 8, JSONBytes.word(position) & highBits == 0 {
            position += 8
        }
        while position < end, position.pointee < 0x80 { position += 1 }
        return position
    }

    /// Skips sequences of two bytes and stops at the first other byte.
    @inline(__always)
    private static func skipPairs(
        _ start: UnsafePointer<UInt8>, _ end: UnsafePointer<UInt8>
    ) -> UnsafePointer<UInt8> {
        var position = start
        while end - position >= 8, isFourPairs(JSONBytes.word(position)) { position += 8 }
        while end - position >= 2, isPairLead(position[0]), position[1] & 0xC0 == 0x80 {
            position += 2
        }
        return position
    }

    /// Whether eight bytes are four sequences of two bytes.
    @inline(__always)
    private static func isFourPairs(_ word: UInt64) -> Bool {
        // Lead bytes are 110xxxxx with one of the upper four x set (C0 and C1 are overlong).
        let mask: UInt64 = 0xC0E0_C0E0_C0E0_C0E0
        let shape: UInt64 = 0x80C0_80C0_80C0_80C0
        let upper: UInt64 = 0x001E_001E_001E_001E
        let carry: UInt64 = 0x0020_0020_0020_0020
        return word & mask == shape && ((word & upper) &+ upper) & carry == carry
    }

    @inline(__always)
    private static func isPairLead(_ byte: UInt8) -> Bool {
        byte >= 0xC2 && byte < 0xE0
    }

    /// The length of the sequence of two to four bytes at `position`; 0 if it is malformed.
    @inline(__always)
    private static func sequence(
        _ position: UnsafePointer<UInt8>, _ end: UnsafePointer<UInt8>
    ) -> Int {
        let lead = position.pointee
        if isPairLead(lead) {
            return end - position >= 2 && position[1] & 0xC0 == 0x80 ? 2 : 0
        }
        if lead >= 0xE0, lead < 0xF0 {
            guard end - position >= 3 else { return 0 }
            let low: UInt8 = lead == 0xE0 ? 0xA0 : 0x80
            let high: UInt8 = lead == 0xED ? 0x9F : 0xBF
            let isFine = position[1] >= low && position[1] <= high && position[2] & 0xC0 == 0x80
            return isFine ? 3 : 0
        }
        guard lead >= 0xF0, lead < 0xF5, end - position >= 4 else { return 0 }
        let low: UInt8 = lead == 0xF0 ? 0x90 : 0x80
        let high: UInt8 = lead == 0xF4 ? 0x8F : 0xBF
        let isFine =
            position[1] >= low && position[1] <= high && position[2] & 0xC0 == 0x80
            && position[3] & 0xC0 == 0x80
        return isFine ? 4 : 0
    }
}
