extension JSONReader {
    /// Skips the value, but checks that it is JSON.
    public mutating func skip() {
        skipValue()
    }

    /// Skips a reply's value that is not used.
    public mutating func nothing() -> Void? {
        skipValue()
        return report.syntaxError == nil ? () : nil
    }

    /// Skips the value.
    @inline(__always)
    mutating func skipValue() {
        guard next < end else { return fail(.unexpectedEnd) }
        let first = next.pointee
        if first == ASCII.openBrace || first == ASCII.openBracket { return skipContainer() }
        var place = next
        if first == ASCII.quote ? skipText(&place, end) : skipPlain(&place, end) { next = place }
    }

    /// Skips an object or a list, in a loop without recursion, whatever the nesting.
    ///
    /// The position is a local variable, which stays in a register. What is not usual is given to
    /// the functions that read such values, which report what is wrong with it.
    @inline(never)
    private mutating func skipContainer() {
        let end = end
        let allowed = limits.depth - level
        var place = next
        var kinds = ContainerKinds()
        values: while true {
            guard place < end else { return fail(.unexpectedEnd, at: end) }
            switch place.pointee {
            case ASCII.quote:
                guard skipText(&place, end) else { return }
            case ASCII.openBrace, ASCII.openBracket:
                guard kinds.depth < allowed else {
                    return fail(.tooDeep(limit: limits.depth), at: place)
                }
                kinds.push(isObject: place.pointee == ASCII.openBrace)
                place = JSONBytes.skipSpace(place + 1, end)
                if place < end, place.pointee == kinds.close { break }
                if kinds.isObject, !skipKey(&place, end) { return }
                continue values
            default:
                guard skipPlain(&place, end) else { return }
            }
            // Behind a value, or in front of the end of an empty container.
            while kinds.depth > 0 {
                place = JSONBytes.skipSpace(place, end)
                if place < end, place.pointee == kinds.close {
                    place += 1
                    kinds.pop()
                    continue
                }
                guard place < end, place.pointee == ASCII.comma else {
                    return failUnexpected(kinds.isObject ? "`,` or `}`" : "`,` or `]`", at: place)
                }
                place = JSONBytes.skipSpace(place + 1, end)
                if kinds.isObject, !skipKey(&place, end) { return }
                continue values
            }
            next = place
            return
        }
    }

    /// Skips a key and its colon.
    @inline(__always)
    private mutating func skipKey(_ place: inout Position, _ end: Position) -> Bool {
        guard place < end, place.pointee == ASCII.quote else {
            failUnexpected("a key in quotes", at: place)
            return false
        }
        guard skipText(&place, end) else { return false }
        place = JSONBytes.skipSpace(place, end)
        guard place < end, place.pointee == ASCII.colon else {
            failUnexpected("`:`", at: place)
            return false
        }
        place += 1
        if place < end, place.pointee == 0x20 { place += 1 }
        place = JSONBytes.skipSpace(place, end)
        return true
    }

    /// Skips a string.
    @inline(__always)
    private mutating func skipText(_ place: inout Position, _ end: Position) -> Bool {
        var isASCII = true
        let stop = JSONBytes.endOfText(place + 1, end: end, isASCII: &isASCII)
        if stop < end, stop.pointee == ASCII.quote, isASCII {
            place = stop + 1
            return true
        }
        return skipUnusual(&place)
    }

    /// Skips a number, or a value that is no container and no string.
    @inline(__always)
    private mutating func skipPlain(_ place: inout Position, _ end: Position) -> Bool {
        if let stop = JSONBytes.endOfPlainValue(place, end: end) {
            place = stop
            return true
        }
        return skipUnusual(&place)
    }

    /// Skips a scalar as the functions do that read it.
    @inline(never)
    private mutating func skipUnusual(_ place: inout Position) -> Bool {
        next = place
        defer { place = next }
        switch place.pointee {
        case ASCII.quote: return rawString() != nil
        case ASCII.minus, 0x30...0x39: return number() != nil
        case UInt8(ascii: "t"): return literal("true")
        case UInt8(ascii: "f"): return literal("false")
        case UInt8(ascii: "n"): return literal("null")
        default:
            failUnexpected("a value", at: place)
            return false
        }
    }

    /// Reads a literal whose first letter is the current byte.
    @inline(__always)
    mutating func literal(_ name: StaticString) -> Bool {
        let length = name.utf8CodeUnitCount
        if end - next >= length, JSONBytes.isEqual(next, name.utf8Start, length: length) {
            next += length
            return true
        }
        return failLiteral(name)
    }

    @inline(never)
    private mutating func failLiteral(_ name: StaticString) -> Bool {
        var position = next
        var expected = name.utf8Start
        while position < end, position.pointee == expected.pointee {
            position += 1
            expected += 1
        }
        failUnexpected("`\(name)`", at: position)
        return false
    }
}

/// The kinds of the open containers: one bit each, set for objects.
private struct ContainerKinds {
    private(set) var depth = 0
    /// The kinds of the innermost ones, up to 64; the last bit is that of the innermost.
    private var bits: UInt64 = 0
    /// The kinds of the others, 64 at a time.
    private var outer: [UInt64] = []

    /// Whether the innermost one is an object.
    var isObject: Bool { bits & 1 == 1 }

    /// The bracket that closes the innermost one.
    var close: UInt8 { isObject ? ASCII.closeBrace : ASCII.closeBracket }

    @inline(__always)
    mutating func push(isObject: Bool) {
        if depth & 63 == 0, depth > 0 { outer.append(bits) }
        bits = bits &<< 1 | (isObject ? 1 : 0)
        depth &+= 1
    }

    @inline(__always)
    mutating func pop() {
        depth &-= 1
        bits &>>= 1
        if depth & 63 == 0, let last = outer.popLast() { bits = last }
    }
}
