import TelexJSON

/// Reads and writes dates in UTC with a pattern of letters (the part of Unicode TR 35 that APIs
/// use): `yyyy MM dd HH mm ss SSS`, `MMM` and `EEE` in English, `Z` (+0000), `XXX` (of UTS 35: `Z`
/// or +00:00), text in single quotes, `''` for a quote. All other characters are literal.
package struct DatePattern: Sendable {
    private enum Token {
        case field(UInt8, Int)
        case literal(UInt8)
    }

    private static let months: [StaticString] = [
        "Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec",
    ]
    private static let weekdays: [StaticString] = ["Sun", "Mon", "Tue", "Wed", "Thu", "Fri", "Sat"]

    private let tokens: [Token]

    package init(_ pattern: String) {
        var tokens: [Token] = []
        var rest = pattern.utf8[...]
        var isQuoted = false
        while let byte = rest.first {
            let run = rest.prefix { $0 == byte }.count
            if byte == Self.quote {
                let isDoubled = run > 1
                if isDoubled { tokens.append(.literal(byte)) } else { isQuoted.toggle() }
                rest = rest.dropFirst(isDoubled ? 2 : 1)
            } else if !isQuoted, Self.letters.contains(byte) {
                tokens.append(.field(byte, run))
                rest = rest.dropFirst(run)
            } else {
                tokens.append(.literal(byte))
                rest = rest.dropFirst()
            }
        }
        self.tokens = tokens
    }

    private static let quote = UInt8(ascii: "'")
    private static let letters = Array("yMdHmsSEZX".utf8)

    /// Parses a text; nil if it does not match the pattern exactly.
    package func read(_ text: String) -> CivilDate? {
        DateText.read(text) { text, date in
            for token in tokens {
                switch token {
                case .literal(let byte):
                    guard text.take(byte) else { return false }
                case .field(let letter, let width):
                    guard Self.read(letter, width: width, from: &text, into: &date) else {
                        return false
                    }
                }
            }
            return true
        }
    }

    /// Formats a date.
    package func write(_ date: CivilDate) -> String {
        var bytes: [UInt8] = []
        bytes.reserveCapacity(32)
        for token in tokens {
            switch token {
            case .literal(let byte): bytes.append(byte)
            case .field(let letter, let width):
                Self.write(letter, width: width, of: date, to: &bytes)
            }
        }
        return String(decoding: bytes, as: UTF8.self)
    }

    private static func read(
        _ letter: UInt8, width: Int, from text: inout DateText, into date: inout CivilDate
    ) -> Bool {
        switch (UnicodeScalar(letter), width) {
        case ("M", 3):
            guard let place = text.name(months) else { return false }
            date.month = place + 1
        case ("E", _): return text.name(weekdays) != nil
        case ("X", _), ("Z", _): return text.offset(&date)
        case ("S", _):
            guard width <= 9, let value = text.number(width) else { return false }
            date.nanosecond = (width..<9).reduce(value) { value, _ in value * 10 }
        default:
            guard let value = text.number(width) else { return false }
            set(letter, to: value, in: &date)
        }
        return true
    }

    private static func set(_ letter: UInt8, to value: Int, in date: inout CivilDate) {
        switch UnicodeScalar(letter) {
        case "y": date.year = value
        case "M": date.month = value
        case "d": date.day = value
        case "H": date.hour = value
        case "m": date.minute = value
        default: date.second = value
        }
    }

    private static func write(
        _ letter: UInt8, width: Int, of date: CivilDate, to bytes: inout [UInt8]
    ) {
        switch (UnicodeScalar(letter), width) {
        case ("M", 3): bytes += months[date.month - 1].description.utf8
        case ("E", _): bytes += weekdays[date.weekday].description.utf8
        case ("Z", _): bytes += "+0000".utf8
        case ("X", _): bytes.append(UInt8(ascii: "Z"))
        case ("y", _): bytes.append(date.year, width: width)
        case ("M", _): bytes.append(date.month, width: width)
        case ("d", _): bytes.append(date.day, width: width)
        case ("H", _): bytes.append(date.hour, width: width)
        case ("m", _): bytes.append(date.minute, width: width)
        case ("s", _): bytes.append(date.second, width: width)
        default:
            var digits: [UInt8] = []
            digits.append(date.nanosecond, width: 9)
            bytes += digits.prefix(width)
        }
    }
}

extension [UInt8] {
    /// Appends a non-negative number, padded with zeros to `width` digits.
    package mutating func append(_ value: Int, width: Int) {
        var scale = 1
        var count = 1
        while count < width || value / scale > 9 {
            if count >= 18 { break }
            scale *= 10
            count += 1
        }
        while scale > 0 {
            append(0x30 + UInt8(value / scale % 10))
            scale /= 10
        }
    }
}

extension DatePattern {
    /// Parsed patterns by their text, because a spec has few patterns and each formats many dates.
    private static let known = Lock<[String: DatePattern]>([:])
    /// The largest number of cached patterns, so that a program that generates patterns cannot fill
    /// the memory.
    private static let most = 64

    /// Returns the pattern for a text, parsed once per process.
    package static func of(_ text: String) -> DatePattern {
        if let known = known.withLock({ $0[text] }) { return known }
        let pattern = DatePattern(text)
        known.withLock { known in
            if known.count < most { known[text] = pattern }
        }
        return pattern
    }
}
