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

    /// Skips the value, in a loop without recursion, whatever the nesting.
    @inline(never)
    mutating func skipValue() {
        guard next < end else { return fail(.unexpectedEnd) }
        guard next.pointee == ASCII.openBrace || next.pointee == ASCII.openBracket else {
            _ = skipScalar()
            return
        }
        var kinds = ContainerKinds()
        repeat {
            guard beginSkipped(&kinds) else { return }
            while kinds.depth > 0 {
                guard let hasMore = nextSkipped(&kinds) else { return }
                if hasMore { break }
            }
        } while kinds.depth > 0
    }

    /// Reads a scalar, or enters a container up to its first value; false on a syntax error.
    private mutating func beginSkipped(_ kinds: inout ContainerKinds) -> Bool {
        while true {
            guard next < end else {
                fail(.unexpectedEnd)
                return false
            }
            let isObject = next.pointee == ASCII.openBrace
            guard isObject || next.pointee == ASCII.openBracket else { return skipScalar() }
            guard level + kinds.depth < limits.depth else {
                fail(.tooDeep(limit: limits.depth))
                return false
            }
            next += 1
            skipSpace()
            kinds.push(isObject: isObject)
            if next < end, next.pointee == (isObject ? ASCII.closeBrace : ASCII.closeBracket) {
                return true
            }
            if isObject, !skipKey() { return false }
        }
    }

    /// Moves past a value in a container: true before the next value, false after the container,
    /// nil on a syntax error.
    private mutating func nextSkipped(_ kinds: inout ContainerKinds) -> Bool? {
        skipSpace()
        let isObject = kinds.isObject
        if next < end, next.pointee == (isObject ? ASCII.closeBrace : ASCII.closeBracket) {
            next += 1
            kinds.pop()
            return false
        }
        guard next < end, next.pointee == ASCII.comma else {
            failUnexpected(isObject ? "`,` or `}`" : "`,` or `]`", at: next)
            return nil
        }
        next += 1
        skipSpace()
        if isObject { return skipKey() ? true : nil }
        return true
    }

    private mutating func skipKey() -> Bool {
        guard next < end, next.pointee == ASCII.quote else {
            failUnexpected("a key in quotes", at: next)
            return false
        }
        return rawString() != nil && colon()
    }

    @inline(__always)
    private mutating func skipScalar() -> Bool {
        switch next.pointee {
        case ASCII.quote: return rawString() != nil
        case ASCII.minus, 0x30...0x39: return number() != nil
        case UInt8(ascii: "t"): return literal("true")
        case UInt8(ascii: "f"): return literal("false")
        case UInt8(ascii: "n"): return literal("null")
        default:
            failUnexpected("a value", at: next)
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
    /// Whether the innermost one is an object.
    private(set) var isObject = false
    private var bits = SIMD8<UInt64>(repeating: 0)

    mutating func push(isObject: Bool) {
        let bit = UInt64(1) << UInt64(depth % 64)
        if isObject { bits[depth / 64] |= bit } else { bits[depth / 64] &= ~bit }
        depth += 1
        self.isObject = isObject
    }

    mutating func pop() {
        depth -= 1
        let last = depth - 1
        isObject = depth > 0 && bits[last / 64] >> UInt64(last % 64) & 1 == 1
    }
}
