/// A cursor that parses dates byte by byte; every part is ASCII.
package struct DateText: ~Copyable {
    private let bytes: UnsafeBufferPointer<UInt8>
    package private(set) var position = 0

    /// Parses a whole text with `body`; nil if `body` fails, bytes are left over, or the date is
    /// invalid.
    package static func read(
        _ text: String, _ body: (inout DateText, inout CivilDate) -> Bool
    ) -> CivilDate? {
        var text = text
        return text.withUTF8 { bytes in
            var reader = DateText(bytes)
            var date = CivilDate()
            guard body(&reader, &date), reader.isAtEnd, date.isValid else { return nil }
            return date
        }
    }

    private init(_ bytes: UnsafeBufferPointer<UInt8>) {
        self.bytes = bytes
    }

    package var isAtEnd: Bool { position == bytes.count }

    /// The next byte, not consumed; 0 at the end.
    package var next: UInt8 { position < bytes.count ? bytes[position] : 0 }

    /// Consumes `byte`; false if the next byte is another one.
    package mutating func take(_ byte: UInt8) -> Bool {
        guard position < bytes.count, bytes[position] == byte else { return false }
        position += 1
        return true
    }

    /// Consumes a number of exactly `width` digits, at most 18; a width of one accepts one or two
    /// digits.
    package mutating func number(_ width: Int) -> Int? {
        guard width <= 18 else { return nil }
        var value = 0
        let start = position
        while position - start < max(width, 2), let digit { value = value * 10 + digit }
        let count = position - start
        return count == width || width == 1 && count == 2 ? value : nil
    }

    /// Consumes the next digit; nil if there is none.
    private var digit: Int? {
        mutating get {
            let digit = Int(next) - 0x30
            guard 0...9 ~= digit else { return nil }
            position += 1
            return digit
        }
    }

    /// Consumes one of `names`, all of three letters, and returns its index.
    package mutating func name(_ names: [StaticString]) -> Int? {
        guard position + 3 <= bytes.count else { return nil }
        let place = names.firstIndex { name in
            (0..<3).allSatisfy { bytes[position + $0] == name.utf8Start[$0] }
        }
        if place != nil { position += 3 }
        return place
    }

    /// `2024-05-31`.
    package mutating func day(_ date: inout CivilDate) -> Bool {
        guard let year = number(4), take(0x2D), let month = number(2), take(0x2D),
            let day = number(2)
        else { return false }
        (date.year, date.month, date.day) = (year, month, day)
        return true
    }

    /// `20:15:00`.
    package mutating func time(_ date: inout CivilDate) -> Bool {
        guard let hour = number(2), take(0x3A), let minute = number(2), take(0x3A),
            let second = number(2)
        else { return false }
        (date.hour, date.minute, date.second) = (hour, minute, second)
        return true
    }

    /// Consumes the digits of a fraction of a second, at least one; digits after the ninth are
    /// ignored.
    package mutating func fraction(_ date: inout CivilDate) -> Bool {
        let start = position
        var value = 0
        while let digit { if position - start <= 9 { value = value * 10 + digit } }
        guard position > start else { return false }
        for _ in min(position - start, 9)..<9 { value *= 10 }
        date.nanosecond = value
        return true
    }

    /// `Z`, `+hhmm` or `+hh:mm` (RFC 3339, section 5.6).
    package mutating func offset(_ date: inout CivilDate) -> Bool {
        if take(0x5A) || take(0x7A) { return true }
        let isBehind = take(0x2D)
        guard isBehind || take(0x2B), let hours = number(2), hours < 24 else { return false }
        _ = take(0x3A)
        guard let minutes = number(2), minutes < 60 else { return false }
        date.offsetSeconds = (isBehind ? -1 : 1) * (hours * 3600 + minutes * 60)
        return true
    }

    /// A date and time in the format of RFC 3339, section 5.6.
    ///
    /// - Parameter local: What a missing offset means, in seconds; nil if it may not be missing.
    package mutating func dateTime(_ date: inout CivilDate, local: Int? = nil) -> Bool {
        guard day(&date), take(0x54) || take(0x74) || take(0x20), time(&date) else { return false }
        if take(0x2E), !fraction(&date) { return false }
        guard isAtEnd, let local else { return offset(&date) }
        date.offsetSeconds = local
        return true
    }
}
