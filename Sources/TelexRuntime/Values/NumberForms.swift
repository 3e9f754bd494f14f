#if canImport(FoundationEssentials)
    import FoundationEssentials
#else
    import Foundation
#endif

/// Decimal numbers as text.
enum DecimalForm {
    /// The exact value; nil if the text is no number, or has more digits than a `Decimal` keeps.
    static func decimal(from text: String) -> Decimal? {
        guard let digits = significantDigits(text), digits <= 38 else { return nil }
        guard let value = Decimal(string: text), value.isFinite else { return nil }
        return value
    }

    /// How many digits count; nil if the text is no number as JSON has them.
    private static func significantDigits(_ text: String) -> Int? {
        var rest = text.utf8[...]
        if rest.first == UInt8(ascii: "-") { rest = rest.dropFirst() }
        var digits: [UInt8] = []
        digits += take(&rest)
        guard !digits.isEmpty else { return nil }
        if rest.first == UInt8(ascii: ".") {
            rest = rest.dropFirst()
            let fraction = take(&rest)
            guard !fraction.isEmpty else { return nil }
            digits += fraction
        }
        if rest.first.map({ $0 | 0x20 }) == UInt8(ascii: "e") {
            rest = rest.dropFirst()
            if rest.first == UInt8(ascii: "-") || rest.first == UInt8(ascii: "+") {
                rest = rest.dropFirst()
            }
            let exponent = take(&rest)
            guard !exponent.isEmpty else { return nil }
        }
        guard rest.isEmpty else { return nil }
        let trimmed = digits.drop { $0 == 0x30 }
        return trimmed.count - trimmed.reversed().prefix { $0 == 0x30 }.count
    }

    private static func take(_ rest: inout Substring.UTF8View) -> [UInt8] {
        let digits = Array(rest.prefix { (0x30...0x39).contains($0) })
        rest = rest.dropFirst(digits.count)
        return digits
    }
}

/// Durations as text.
enum DurationForm {
    /// A number of seconds; nil if it is none, or too large.
    static func seconds(_ text: String) -> Duration? {
        guard let value = Double(text), value.isFinite, abs(value) < 1e15 else { return nil }
        if let whole = Int64(text) { return .seconds(whole) }
        return .seconds(value)
    }

    /// ISO 8601: weeks, days, hours, minutes, seconds.
    static func read(_ text: String) -> Duration? {
        guard text.first == "P", text.count > 2, text.last != "T" else { return nil }
        var total = 0.0
        var rest = text.dropFirst()
        var units: [Character: Double] = ["W": 604_800, "D": 86_400]
        while let letter = rest.first {
            if letter == "T" {
                units = ["H": 3600, "M": 60, "S": 1]
                rest = rest.dropFirst()
                continue
            }
            let number = rest.prefix { $0.isASCII && $0.isNumber || $0 == "." }
            rest = rest.dropFirst(number.count)
            guard let unit = rest.popFirst().flatMap({ units.removeValue(forKey: $0) }),
                let value = Double(number)
            else { return nil }
            total += value * unit
        }
        return abs(total) < 1e15 ? .seconds(total) : nil
    }

    /// Seconds, exactly.
    static func text(_ duration: Duration) -> String {
        let (seconds, attoseconds) = duration.components
        guard attoseconds != 0 else { return String(seconds) }
        let digits = String(attoseconds.magnitude)
        let fraction = String(repeating: "0", count: 18 - digits.count) + digits
        let trimmed = String(fraction.reversed().drop { $0 == "0" }.reversed())
        let sign = seconds < 0 || attoseconds < 0 ? "-" : ""
        return "\(sign)\(seconds.magnitude).\(trimmed)"
    }
}
