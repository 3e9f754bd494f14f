#if canImport(FoundationEssentials)
    import FoundationEssentials
#else
    import Foundation
#endif

/// Parses and formats durations.
enum DurationForm {
    /// The exclusive limit of durations, 10¹⁵ seconds, in attoseconds.
    private static let bound = Int128(1_000_000_000_000_000) * second
    private static let second: Int128 = 1_000_000_000_000_000_000

    /// Parses a number of seconds, exact to 18 decimal places; nil if it is not a number, or too
    /// large.
    static func seconds(_ text: String) -> Duration? {
        NumberText(text)?.attos.flatMap(duration)
    }

    private static func duration(_ attos: Int128) -> Duration? {
        guard attos.magnitude < bound.magnitude else { return nil }
        let (seconds, rest) = attos.quotientAndRemainder(dividingBy: second)
        return Duration(
            secondsComponent: Int64(seconds), attosecondsComponent: Int64(rest))
    }

    /// Parses an ISO 8601 duration of weeks, days, hours, minutes and seconds.
    static func read(_ text: String) -> Duration? {
        guard text.first == "P", text.count > 2, text.last != "T" else { return nil }
        var total: Int128 = 0
        var rest = text.dropFirst()
        var isTime = false
        var units: [Character: Int128] = ["W": 604_800, "D": 86_400]
        while let letter = rest.first {
            if letter == "T" {
                guard !isTime else { return nil }
                isTime = true
                units = ["H": 3600, "M": 60, "S": 1]
                rest = rest.dropFirst()
                continue
            }
            let number = rest.prefix { $0.isASCII && $0.isNumber || $0 == "." }
            rest = rest.dropFirst(number.count)
            guard let unit = rest.popFirst().flatMap({ units.removeValue(forKey: $0) }),
                let value = NumberText(number)?.attos, value < bound / unit
            else { return nil }
            total += value * unit
        }
        return duration(total)
    }

    /// Returns the exact number of seconds.
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
