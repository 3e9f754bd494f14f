extension JSONReader {
    // MARK: Integers

    /// Reads an integer; `1.0` and `1e2` are integers, too. An integer out of range is a violation.
    ///
    /// - Parameters:
    ///   - value: changed only if an integer was read.
    ///   - source: `.string` accepts text that contains a number, `.either` accepts both.
    /// - Returns: whether an integer was read; if not, a violation was recorded.
    @discardableResult
    public mutating func int(_ value: inout Int, from source: JSONSource = .native) -> Bool {
        guard let integer = integer(Int.self, source) else { return false }
        value = integer
        return true
    }

    /// Reads an integer.
    @discardableResult
    public mutating func int(_ value: inout Int?, from source: JSONSource = .native) -> Bool {
        guard let integer = integer(Int.self, source) else { return false }
        value = integer
        return true
    }

    /// Reads an integer of 32 bits.
    @discardableResult
    public mutating func int32(_ value: inout Int32, from source: JSONSource = .native) -> Bool {
        guard let integer = integer(Int32.self, source) else { return false }
        value = integer
        return true
    }

    /// Reads an integer of 32 bits.
    @discardableResult
    public mutating func int32(_ value: inout Int32?, from source: JSONSource = .native) -> Bool {
        guard let integer = integer(Int32.self, source) else { return false }
        value = integer
        return true
    }

    /// Reads an integer that is not negative.
    @discardableResult
    public mutating func uint(_ value: inout UInt, from source: JSONSource = .native) -> Bool {
        guard let integer = integer(UInt.self, source) else { return false }
        value = integer
        return true
    }

    /// Reads an integer that is not negative.
    @discardableResult
    public mutating func uint(_ value: inout UInt?, from source: JSONSource = .native) -> Bool {
        guard let integer = integer(UInt.self, source) else { return false }
        value = integer
        return true
    }

    // MARK: Doubles

    /// Reads a number, correctly rounded. A number out of the range of `Double` is a violation.
    ///
    /// - Parameters:
    ///   - value: changed only if a number was read.
    ///   - source: `.string` accepts text that contains a number, `NaN`, `Infinity`, `-Infinity`,
    ///     `Inf`, `+Inf` or `-Inf`; `.either` accepts both.
    /// - Returns: whether a number was read; if not, a violation was recorded.
    @discardableResult
    public mutating func double(_ value: inout Double, from source: JSONSource = .native) -> Bool {
        guard let number = double(source) else { return false }
        value = number
        return true
    }

    /// Reads a number, correctly rounded. A number out of the range of `Double` is a violation.
    @discardableResult
    public mutating func double(_ value: inout Double?, from source: JSONSource = .native) -> Bool {
        guard let number = double(source) else { return false }
        value = number
        return true
    }

    // MARK: Booleans

    /// Reads a Boolean.
    ///
    /// - Parameters:
    ///   - value: changed only if a Boolean was read.
    ///   - source: `.int` accepts 1 and 0, `.string` accepts 1, 0, true and false as text,
    ///     `.either` accepts all forms.
    /// - Returns: whether a Boolean was read; if not, a violation was recorded.
    @discardableResult
    public mutating func bool(_ value: inout Bool, from source: JSONSource = .native) -> Bool {
        guard let truth = bool(source) else { return false }
        value = truth
        return true
    }

    /// Reads a Boolean.
    @discardableResult
    public mutating func bool(_ value: inout Bool?, from source: JSONSource = .native) -> Bool {
        guard let truth = bool(source) else { return false }
        value = truth
        return true
    }

    /// Reads a Boolean; nil if there is none.
    public mutating func bool(from source: JSONSource) -> Bool? { bool(source) }

    /// Reads a Boolean as one of two texts.
    ///
    /// - Returns: whether a Boolean was read; if not, a violation was recorded.
    @discardableResult
    public mutating func bool(_ value: inout Bool?, true yes: String, false no: String) -> Bool {
        let first = next
        let expected = "\"\(yes)\" or \"\(no)\""
        guard let text = text(expected: expected) else { return false }
        guard text.isExactly(yes) || text.isExactly(no) else {
            reject(expected, from: first)
            return false
        }
        value = text.isExactly(yes)
        return true
    }

    /// Reads a Boolean as one of two texts.
    @discardableResult
    public mutating func bool(_ value: inout Bool, true yes: String, false no: String) -> Bool {
        var read: Bool?
        guard bool(&read, true: yes, false: no), let read else { return false }
        value = read
        return true
    }

    // MARK: Text

    /// Reads the text of a number, for types that are made from its digits.
    ///
    /// - Parameter expected: the expectation in the violation if there is no number.
    /// - Returns: nil if there is no number; a violation was recorded.
    public mutating func numberText(expected: String = "a number") -> String? {
        guard isAtNumber else {
            mismatch(expected)
            return nil
        }
        return number().map { Self.makeString($0.text) }
    }

    /// Whether a number starts here.
    var isAtNumber: Bool {
        next < end && (next.pointee == ASCII.minus || 0x30...0x39 ~= next.pointee)
    }

    /// Reads a number at the current position; nil on a syntax error.
    @inline(__always)
    mutating func number() -> JSONNumber? {
        guard let number = JSONNumber(next, end) else {
            fail(.malformedNumber)
            return nil
        }
        next += number.text.count
        return number
    }

    /// Reads an integer of 64 bits.
    mutating func int64() -> Int64? {
        integer(Int64.self, .native)
    }

    /// Reads a number of any size.
    mutating func numberValue() -> JSONValue? {
        guard let number = number() else { return nil }
        if number.isPlain, !number.isCut, !(number.isNegative && number.mantissa == 0),
            let value = number.integer(Int64.self)
        {
            return .int(value)
        }
        return .number(Self.makeString(number.text))
    }

    // MARK: Conversions

    @inline(__always)
    private mutating func integer<T: FixedWidthInteger>(
        _ type: T.Type, _ source: JSONSource
    ) -> T? {
        let first = next
        if source != .string, let whole = wholeNumber() {
            if let value = T(exactly: whole) { return value }
            next = first
        }
        if isAtNumber, source != .string {
            guard let number = number() else { return nil }
            if number.isPlain, !number.isCut, let value = number.integer(T.self) { return value }
            return unusualInteger(number, from: first)
        }
        return integerText(type, source)
    }

    /// Reads an integer of at most 18 digits; nil, with nothing read, if there is none.
    @inline(__always)
    private mutating func wholeNumber() -> Int64? {
        guard next < end else { return nil }
        let isNegative = next.pointee == ASCII.minus
        let first = isNegative ? next + 1 : next
        var position = first
        var value: Int64 = 0
        if end - position >= 8 {
            let digits = DigitBlock(JSONBytes.word(position))
            value = Int64(digits.value)
            position += digits.count
            if digits.count == 8 { Self.moreDigits(&position, end, &value) }
        } else {
            Self.moreDigits(&position, end, &value)
        }
        let count = position - first
        guard 1...18 ~= count, count == 1 || first.pointee != ASCII.zero else { return nil }
        if position < end {
            let byte = position.pointee
            if byte == ASCII.dot || byte | 0x20 == 0x65 { return nil }
        }
        next = position
        return isNegative ? -value : value
    }

    @inline(__always)
    private static func moreDigits(
        _ position: inout UnsafePointer<UInt8>, _ end: UnsafePointer<UInt8>, _ value: inout Int64
    ) {
        while position < end {
            let digit = position.pointee &- ASCII.zero
            guard digit <= 9 else { break }
            value = value &* 10 &+ Int64(digit)
            position += 1
        }
    }

    /// Converts an integer with a fraction, an exponent, or very many digits.
    @inline(never)
    private mutating func unusualInteger<T: FixedWidthInteger>(
        _ number: JSONNumber, from first: UnsafePointer<UInt8>
    ) -> T? {
        if let value: T = Self.exact(number) { return value }
        reject(Self.form(T.self), from: first)
        return nil
    }

    @inline(never)
    private mutating func integerText<T: FixedWidthInteger>(
        _ type: T.Type, _ source: JSONSource
    ) -> T? {
        quotedNumber(expected: Self.form(type), inside: Self.form(type), source: source) {
            Self.exact($0)
        }
    }

    /// Reads a string that contains a number, and converts it with `value`.
    ///
    /// - Parameters:
    ///   - form: the expectation for the value.
    ///   - inside: the expectation for the number in the string.
    private mutating func quotedNumber<Value>(
        expected form: String, inside: String, source: JSONSource, _ value: (JSONNumber) -> Value?
    ) -> Value? {
        let first = next
        let isAllowed = source == .string || source == .either
        guard isAllowed, next < end, next.pointee == ASCII.quote else {
            mismatch(source == .string ? form + " in a string" : form)
            return nil
        }
        guard let (raw, hasEscape) = rawString() else { return nil }
        let read: Value?
        if hasEscape {
            var text = Self.text(raw: raw)
            read = text.withUTF8 { Self.whole($0).flatMap(value) }
        } else {
            read = Self.whole(raw).flatMap(value)
        }
        if read == nil { reject(inside, from: first) }
        return read
    }

    /// The number, if the whole text is one.
    private static func whole(_ text: UnsafeBufferPointer<UInt8>) -> JSONNumber? {
        guard let start = text.baseAddress, !text.isEmpty else { return nil }
        guard let number = JSONNumber(start, start + text.count) else { return nil }
        return number.text.count == text.count ? number : nil
    }

    private static func exact<T: FixedWidthInteger>(_ number: JSONNumber) -> T? {
        ExactDecimal(String(decoding: number.text, as: UTF8.self))?.integer()
    }

    private static func form<T: FixedWidthInteger>(_ type: T.Type) -> String {
        T.bitWidth == 64 ? "an integer" : "an integer from \(T.min) to \(T.max)"
    }

    /// The texts for values that are no JSON numbers.
    private static let notFinite: [String: Double] = [
        "NaN": .nan, "Infinity": .infinity, "-Infinity": -.infinity, "+Inf": .infinity,
        "Inf": .infinity, "-Inf": -.infinity,
    ]

    /// Consumes a text for a value that is no JSON number; nil, with nothing read, if there is none.
    private mutating func notFinite() -> Double? {
        let first = next
        guard end - next > 1, next.pointee == ASCII.quote, !(0x30...0x39 ~= next[1]),
            let (raw, _) = rawString()
        else { return nil }
        if let value = Self.notFinite[Self.text(raw: raw)] { return value }
        next = first
        return nil
    }

    private mutating func double(_ source: JSONSource) -> Double? {
        if source == .string || source == .either, let value = notFinite() { return value }
        let first = next
        let read: Double?
        if isAtNumber, source != .string {
            read = number()?.double
        } else {
            read = quotedNumber(
                expected: "a number", inside: "a number in a string", source: source
            ) { $0.double }
        }
        guard let value = read else { return nil }
        if value.isFinite { return value }
        reject("a number within the range of Double", from: first)
        return nil
    }

    private mutating func bool(_ source: JSONSource) -> Bool? {
        guard next < end else {
            mismatch("true or false")
            return nil
        }
        switch (next.pointee, source) {
        case (UInt8(ascii: "t"), .native), (UInt8(ascii: "t"), .either):
            return literal("true") ? true : nil
        case (UInt8(ascii: "f"), .native), (UInt8(ascii: "f"), .either):
            return literal("false") ? false : nil
        default: return unusualBool(source)
        }
    }

    private mutating func unusualBool(_ source: JSONSource) -> Bool? {
        let first = next
        let allowed = source.spellingsOfBool
        let isText = next.pointee == ASCII.quote && source != .native && source != .int
        let isDigit = isAtNumber && source != .native && source != .string
        guard isText || isDigit else {
            mismatch(allowed)
            return nil
        }
        guard let spelling = isText ? rawString().map({ Self.text(raw: $0.0) }) : numberText()
        else {
            return nil
        }
        switch spelling {
        case "1": return true
        case "0": return false
        case "true" where isText: return true
        case "false" where isText: return false
        default:
            reject(allowed, from: first)
            return nil
        }
    }
}

extension JSONSource {
    fileprivate var spellingsOfBool: String {
        switch self {
        case .native: "true or false"
        case .int: "1 or 0"
        case .string: "\"true\" or \"false\""
        case .either: "true, false, 1 or 0"
        }
    }
}
