#if canImport(FoundationEssentials)
    import FoundationEssentials
#else
    import Foundation
#endif

/// The unit of a duration as a number, or its form as a text.
public enum DurationUnit: Sendable {
    /// Seconds.
    case seconds
    /// Thousandths of a second.
    case milliseconds
    /// `00:10:00`; `1.02:03:04.5` with a day and a fraction.
    case clock
    /// `PT1H30M` (ISO 8601), without years and months, whose length is not known.
    case iso8601

    /// How many make a second.
    fileprivate var count: Int { self == .milliseconds ? 1000 : 1 }

    /// Whether it is a text in JSON.
    package var isText: Bool { self == .clock || self == .iso8601 }

    /// The expectation in a violation.
    package var expectation: String {
        switch self {
        case .seconds, .milliseconds: "a duration"
        case .clock: "a duration like 00:10:00"
        case .iso8601: "a duration like PT1H30M, without years and months"
        }
    }
}

/// Parses and formats durations.
package enum DurationForm {
    /// The exclusive limit of durations.
    private static let bound = Duration.seconds(1_000_000_000_000_000 as Int64)
    /// The attoseconds of a second.
    private static let second: UInt64 = 1_000_000_000_000_000_000

    /// Parses a number of this unit, exact to 18 decimal places of a second; nil if it is not a
    /// number, or not below 10¹⁵.
    package static func number(_ text: String, _ unit: DurationUnit) -> Duration? {
        NumberText(text)?.seconds.flatMap { bounded($0 / unit.count) }
    }

    private static func bounded(_ duration: Duration) -> Duration? {
        duration < bound && .zero - duration < bound ? duration : nil
    }

    /// Parses a text: an ISO 8601 duration, or one like a clock.
    package static func read(_ text: String, _ unit: DurationUnit = .iso8601) -> Duration? {
        let isNegative = text.utf8.first == UInt8(ascii: "-")
        let size = text.dropFirst(isNegative ? 1 : 0)
        let duration = unit == .clock ? clock(size) : iso8601(size)
        return duration.flatMap { bounded(isNegative ? .zero - $0 : $0) }
    }

    /// Parses `02:03:04.5` with days before a dot, if there are any. Without days, there may be more
    /// than 24 hours.
    private static func clock(_ text: Substring) -> Duration? {
        let parts = text.split(separator: ":", omittingEmptySubsequences: false)
        guard parts.count == 3 else { return nil }
        let head = parts[0].split(separator: ".", omittingEmptySubsequences: false)
        let seconds = parts[2].prefix { $0 != "." }
        guard head.count <= 2, let days = head.count == 2 ? whole(head[0]) : 0,
            let hours = head.last.flatMap(whole), head.count == 1 || hours < 24,
            parts[1].utf8.count == 2, let minutes = whole(parts[1]), minutes < 60,
            seconds.utf8.count == 2, whole(seconds) != nil,
            parts[2].utf8.allSatisfy({ $0 == UInt8(ascii: ".") || 0x30...0x39 ~= $0 }),
            let rest = NumberText(parts[2])?.seconds, rest < .seconds(60)
        else { return nil }
        return ((.seconds(days) * 24 + .seconds(hours)) * 60 + .seconds(minutes)) * 60 + rest
    }

    /// A number of at most 15 digits.
    private static func whole(_ text: Substring) -> Int64? {
        let isNumber = 1...15 ~= text.utf8.count && text.utf8.allSatisfy { 0x30...0x39 ~= $0 }
        return isNumber ? Int64(text) : nil
    }

    /// Parses an ISO 8601 duration of weeks, days, hours, minutes and seconds.
    private static func iso8601(_ text: Substring) -> Duration? {
        guard text.first == "P", text.count > 2, text.last != "T" else { return nil }
        var total = Duration.zero
        var rest = text.dropFirst()
        var isTime = false
        var units: [Character: Int] = ["W": 604_800, "D": 86_400]
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
                let value = NumberText(number)?.seconds, value < bound / unit
            else { return nil }
            total += value * unit
        }
        return total
    }

    /// Returns the exact number of this unit, or the text in this form.
    package static func text(_ duration: Duration, _ unit: DurationUnit = .seconds) -> String {
        guard !unit.isText else { return form(duration, unit) }
        let (seconds, attoseconds) = duration.components
        // The 18 digits behind the point: all but the leading 1.
        let digits = String(second + attoseconds.magnitude).dropFirst()
        let places = unit == .milliseconds ? 3 : 0
        let count = "\(seconds.magnitude)\(digits.prefix(places))".drop { $0 == "0" }
        let fraction = String(digits.dropFirst(places).reversed().drop { $0 == "0" }.reversed())
        let sign = duration < .zero ? "-" : ""
        return "\(sign)\(count.isEmpty ? "0" : count)\(fraction.isEmpty ? "" : ".\(fraction)")"
    }

    /// Returns the text of a duration. That of a clock has at most seven digits behind the second, as
    /// .NET reads no more; it is rounded.
    private static func form(_ duration: Duration, _ unit: DurationUnit) -> String {
        let (whole, part) = duration.components
        let tick: UInt64 = unit == .clock ? 100_000_000_000 : 1
        let attoseconds = (part.magnitude + tick / 2) / tick * tick
        let size = whole.magnitude + attoseconds / second
        let fraction = attoseconds % second
        let sign = duration < .zero && (size > 0 || fraction > 0) ? "-" : ""
        let (minutes, rest) = size.quotientAndRemainder(dividingBy: 60)
        let (hours, minute) = minutes.quotientAndRemainder(dividingBy: 60)
        let seconds = text(
            Duration(
                secondsComponent: Int64(rest), attosecondsComponent: Int64(fraction)))
        if unit == .iso8601 {
            let parts = [(hours, "H"), (minute, "M")].filter { $0.0 > 0 }.map { "\($0)\($1)" }
            let isWhole = rest == 0 && fraction == 0 && !parts.isEmpty
            return "\(sign)PT\(parts.joined())\(isWhole ? "" : seconds + "S")"
        }
        let days = hours >= 24 ? "\(hours / 24)." : ""
        let padded = (rest < 10 ? "0" : "") + seconds
        return "\(sign)\(days)\(two(hours % 24)):\(two(minute)):\(padded)"
    }

    /// A number below 100 in two digits.
    private static func two(_ number: UInt64) -> String { (number < 10 ? "0" : "") + "\(number)" }
}
