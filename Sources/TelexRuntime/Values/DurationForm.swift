#if canImport(FoundationEssentials)
    import FoundationEssentials
#else
    import Foundation
#endif

/// The unit of a duration as a number.
public enum DurationUnit: Sendable {
    /// Seconds.
    case seconds
    /// Thousandths of a second.
    case milliseconds

    /// How many make a second.
    fileprivate var count: Int128 { self == .seconds ? 1 : 1000 }
}

/// Parses and formats durations.
enum DurationForm {
    /// The exclusive limit of durations, 10¹⁵ seconds, in attoseconds.
    private static let bound = Int128(1_000_000_000_000_000) * second
    private static let second: Int128 = 1_000_000_000_000_000_000

    /// Parses a number of this unit, exact to 18 decimal places of a second; nil if it is not a
    /// number, or not below 10¹⁵.
    static func number(_ text: String, _ unit: DurationUnit) -> Duration? {
        NumberText(text)?.attos.flatMap { duration($0 / unit.count) }
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

    /// Returns the exact number of this unit.
    static func text(_ duration: Duration, _ unit: DurationUnit = .seconds) -> String {
        let (seconds, attoseconds) = duration.components
        // The attoseconds in a unit.
        let size = second / unit.count
        let (whole, rest) = Int128(attoseconds).quotientAndRemainder(dividingBy: size)
        let count = Int128(seconds) * unit.count + whole
        guard rest != 0 else { return String(count) }
        // All but the leading 1.
        let fraction = String(size + Int128(rest.magnitude)).dropFirst()
        let trimmed = String(fraction.reversed().drop { $0 == "0" }.reversed())
        let sign = seconds < 0 || attoseconds < 0 ? "-" : ""
        return "\(sign)\(count.magnitude).\(trimmed)"
    }
}
