extension JSONReader {
    // MARK: Values

    /// Reads text.
    ///
    /// - Parameters:
    ///   - value: changed only if text was read.
    ///   - source: `.int` and `.either` also accept a number, whose digits become the text.
    /// - Returns: whether text was read; if not, a violation was recorded.
    @discardableResult
    public mutating func string(_ value: inout String, from source: JSONSource = .string) -> Bool {
        guard let text = string(source) else { return false }
        value = text
        return true
    }

    /// Reads text.
    @discardableResult
    public mutating func string(_ value: inout String?, from source: JSONSource = .string) -> Bool {
        guard let text = string(source) else { return false }
        value = text
        return true
    }

    /// Reads text for a type that is made from text.
    ///
    /// - Parameter expected: the expectation in the violation if there is no string.
    /// - Returns: nil if there is no string; a violation was recorded.
    public mutating func text(expected: String = "a string") -> String? {
        guard next < end, next.pointee == ASCII.quote else {
            mismatch(expected)
            return nil
        }
        let first = next + 1
        var isASCII = true
        let stop = JSONBytes.endOfText(first, end: end, isASCII: &isASCII)
        if stop < end, stop.pointee == ASCII.quote, isASCII {
            next = stop + 1
            let bytes = UnsafeBufferPointer(start: first, count: stop - first)
            return Self.makeString(bytes, isASCII: true)
        }
        guard let (raw, hasEscape) = unusualString(first, stop, isASCII: isASCII) else {
            return nil
        }
        return hasEscape ? Self.text(raw: raw) : Self.makeString(raw)
    }

    private mutating func string(_ source: JSONSource) -> String? {
        switch source {
        case .native, .string: return text()
        case .int, .either:
            if next < end, next.pointee == ASCII.quote { return text() }
            return numberText(expected: "a string or a number")
        }
    }

    // MARK: Raw text

    /// Reads a string: the checked bytes between its quotes, with escapes not replaced.
    @inline(__always)
    mutating func rawString() -> (UnsafeBufferPointer<UInt8>, hasEscape: Bool)? {
        let first = next + 1
        var isASCII = true
        let stop = JSONBytes.endOfText(first, end: end, isASCII: &isASCII)
        if stop < end, stop.pointee == ASCII.quote, isASCII {
            next = stop + 1
            return (UnsafeBufferPointer(start: first, count: stop - first), false)
        }
        return unusualString(first, stop, isASCII: isASCII)
    }

    /// Reads a string with escapes or non-ASCII characters.
    @inline(never)
    private mutating func unusualString(
        _ first: UnsafePointer<UInt8>, _ stop: UnsafePointer<UInt8>, isASCII: Bool
    ) -> (UnsafeBufferPointer<UInt8>, hasEscape: Bool)? {
        var stop = stop
        var isASCII = isASCII
        var hasEscape = false
        while stop < end, stop.pointee == ASCII.backslash {
            hasEscape = true
            guard let behind = escape(stop) else { return nil }
            stop = JSONBytes.endOfText(behind, end: end, isASCII: &isASCII)
        }
        guard stop < end else {
            fail(.unexpectedEnd, at: end)
            return nil
        }
        guard stop.pointee == ASCII.quote else {
            fail(.controlCharacter(stop.pointee), at: stop)
            return nil
        }
        guard isASCII || UTF8Validator.isValid(first, stop) else {
            fail(.malformedUTF8, at: first)
            return nil
        }
        next = stop + 1
        return (UnsafeBufferPointer(start: first, count: stop - first), hasEscape)
    }

    /// Checks an escape. Returns the position after it, or nil on a syntax error.
    private mutating func escape(_ place: UnsafePointer<UInt8>) -> UnsafePointer<UInt8>? {
        guard place + 1 < end else {
            fail(.unexpectedEnd, at: end)
            return nil
        }
        if JSONEscape.character(place[1]) != nil { return place + 2 }
        guard place[1] == UInt8(ascii: "u"), let unit = JSONEscape.unit(place, end) else {
            fail(.malformedEscape, at: place)
            return nil
        }
        guard UnicodeScalar(unit) == nil else { return place + 6 }
        guard unit < 0xDC00, let low = JSONEscape.unit(place + 6, end), 0xDC00...0xDFFF ~= low
        else {
            fail(.loneSurrogate, at: place)
            return nil
        }
        return place + 12
    }

    // MARK: Strings

    /// The text of checked bytes with escapes.
    static func text(raw: UnsafeBufferPointer<UInt8>) -> String {
        guard let start = raw.baseAddress else { return "" }
        let end = start + raw.count
        var isASCII = true
        var stop = JSONBytes.endOfText(start, end: end, isASCII: &isASCII)
        if stop == end { return makeString(raw, isASCII: isASCII) }
        return withUnsafeTemporaryAllocation(of: UInt8.self, capacity: raw.count) { buffer in
            guard let base = buffer.baseAddress else { return "" }
            var (position, count) = (start, 0)
            while true {
                // A run without escapes.
                (base + count).update(from: position, count: stop - position)
                count += stop - position
                guard stop < end else { break }
                position = JSONEscape.decode(stop, end: end, into: buffer, count: &count)
                stop = JSONBytes.endOfText(position, end: end, isASCII: &isASCII)
            }
            return makeString(UnsafeBufferPointer(rebasing: buffer[..<count]))
        }
    }

    /// Makes a string of bytes that are known to be valid UTF-8.
    @inline(__always)
    static func makeString(
        _ bytes: UnsafeBufferPointer<UInt8>, isASCII: Bool = false
    ) -> String {
        if #available(macOS 26, iOS 26, tvOS 26, watchOS 26, visionOS 26, *) {
            let span = Span(_unsafeElements: bytes)
            return String(copying: UTF8Span(unchecked: span, isKnownASCII: isASCII))
        }
        return String(decoding: bytes, as: UTF8.self)
    }
}

/// The escapes of RFC 8259, section 7.
enum JSONEscape {
    /// Whether a byte must be escaped in a string.
    static func isNeeded(_ byte: UInt8) -> Bool {
        byte < 0x20 || byte == ASCII.quote || byte == ASCII.backslash
    }

    /// The character of a two-byte escape.
    static func character(_ byte: UInt8) -> UInt8? {
        switch byte {
        case ASCII.quote, ASCII.backslash, UInt8(ascii: "/"): byte
        case UInt8(ascii: "b"): 0x08
        case UInt8(ascii: "f"): 0x0C
        case UInt8(ascii: "n"): 0x0A
        case UInt8(ascii: "r"): 0x0D
        case UInt8(ascii: "t"): 0x09
        default: nil
        }
    }

    /// The UTF-16 code unit of `\u` and four hexadecimal digits at this position, or nil if there
    /// is none (RFC 8259, section 7).
    static func unit(_ place: UnsafePointer<UInt8>, _ end: UnsafePointer<UInt8>) -> UInt32? {
        guard
            end - place >= 6, place[0] == ASCII.backslash, place[1] == UInt8(ascii: "u")
        else { return nil }
        var unit: UInt32 = 0
        for offset in 2..<6 {
            guard let digit = hexDigit(place[offset]) else { return nil }
            unit = unit << 4 | digit
        }
        return unit
    }

    /// Writes the character of a checked escape. Returns the position after the escape.
    static func decode(
        _ place: UnsafePointer<UInt8>, end: UnsafePointer<UInt8>,
        into buffer: UnsafeMutableBufferPointer<UInt8>, count: inout Int
    ) -> UnsafePointer<UInt8> {
        if let byte = character(place[1]) {
            buffer[count] = byte
            count += 1
            return place + 2
        }
        guard let high = unit(place, end) else { return end }
        var value = high
        var behind = place + 6
        if 0xD800...0xDBFF ~= high, let low = unit(behind, end) {
            value = 0x10000 + (high - 0xD800) << 10 + (low & 0x3FF)
            behind += 6
        }
        for byte in UTF8.encode(UnicodeScalar(value) ?? "\u{FFFD}")
            ?? UTF8.encodedReplacementCharacter
        {
            buffer[count] = byte
            count += 1
        }
        return behind
    }

    private static func hexDigit(_ byte: UInt8) -> UInt32? {
        switch byte {
        case 0x30...0x39: UInt32(byte - 0x30)
        case 0x41...0x46: UInt32(byte - 0x41 + 10)
        case 0x61...0x66: UInt32(byte - 0x61 + 10)
        default: nil
        }
    }
}
