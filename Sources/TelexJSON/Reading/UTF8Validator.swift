/// Well-formed UTF-8 (RFC 3629, table 3-7 of the Unicode Standard).
enum UTF8Validator {
    /// Whether the bytes between both places are well-formed.
    static func isValid(_ start: UnsafePointer<UInt8>, _ end: UnsafePointer<UInt8>) -> Bool {
        var position = start
        while position < end {
            let byte = position.pointee
            if byte < 0x80 {
                position = skipASCII(position, end)
            } else if byte >= 0xC2, byte < 0xE0 {
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
        var position = start + 1
        while end - position >= 8, JSONBytes.word(position) & 0x8080_8080_8080_8080 == 0 {
            position += 8
        }
        while position < end, position.pointee < 0x80 { position += 1 }
        return position
    }

    /// Skips sequences of two bytes; stops at the first thing that is none.
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
        // Leads are 110xxxxx with one of the upper four x set (C0 and C1 are overlong).
        let isShape = word & 0xC0E0_C0E0_C0E0_C0E0 == 0x80C0_80C0_80C0_80C0
        let lead = word & 0x001E_001E_001E_001E
        return isShape
            && ((lead &+ 0x001E_001E_001E_001E) & 0x0020_0020_0020_0020)
                == 0x0020_0020_0020_0020
    }

    @inline(__always)
    private static func isPairLead(_ byte: UInt8) -> Bool {
        byte >= 0xC2 && byte < 0xE0
    }

    /// The length of the sequence of three or four bytes here; 0 if it is malformed.
    @inline(__always)
    private static func sequence(
        _ position: UnsafePointer<UInt8>, _ end: UnsafePointer<UInt8>
    ) -> Int {
        let lead = position.pointee
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
