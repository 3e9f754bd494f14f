#if canImport(FoundationEssentials)
    import FoundationEssentials
#else
    import Foundation
#endif

/// Calendar components of an instant in the proleptic Gregorian calendar, years 0 to 9999, with an
/// offset from UTC.
package struct CivilDate: Equatable, Sendable {
    package var year = 1970
    package var month = 1
    package var day = 1
    package var hour = 0
    package var minute = 0
    package var second = 0
    package var nanosecond = 0
    /// The offset of the local time from UTC; positive means ahead of UTC.
    package var offsetSeconds = 0

    /// Whether the date and time exist. Leap seconds (RFC 3339, section 5.7) are valid.
    package var isValid: Bool {
        (0...9999).contains(year) && (1...12).contains(month)
            && (1...Self.days(in: month, of: year)).contains(day) && (0...23).contains(hour)
            && (0...59).contains(minute) && (0...60).contains(second)
            && (second < 60 || minute == 59)
    }

    /// The instant.
    package var date: Date {
        let days = Self.daysSinceEpoch(year: year, month: month, day: day)
        let time = hour * 3600 + minute * 60 + second - offsetSeconds
        // The number of seconds exceeds the 32-bit `Int` of watchOS.
        let seconds = Int64(days) * 86_400 + Int64(time)
        return Date(timeIntervalSince1970: Double(seconds) + Double(nanosecond) / 1e9)
    }

    /// The first instant of the year 0, in seconds since 1970.
    package static let first = -62_167_219_200.0
    /// The last millisecond of the year 9999.
    package static let last = 253_402_300_799.999

    package init() {}

    /// The components of an instant in UTC, rounded to milliseconds; nil outside the years 0 to
    /// 9999.
    package init?(_ date: Date) {
        let milliseconds = (date.timeIntervalSince1970 * 1000).rounded()
        guard milliseconds >= Self.first * 1000, milliseconds <= Self.last * 1000 else {
            return nil
        }
        let all = Int64(milliseconds)
        let days = Self.floor(all, 86_400_000)
        let rest = Int(all - days * 86_400_000)
        (year, month, day) = Self.civil(Int(days))
        hour = rest / 3_600_000
        minute = rest / 60_000 % 60
        second = rest / 1000 % 60
        nanosecond = rest % 1000 * 1_000_000
    }

    package static func days(in month: Int, of year: Int) -> Int {
        switch month {
        case 2: year % 4 == 0 && (year % 100 != 0 || year % 400 == 0) ? 29 : 28
        case 4, 6, 9, 11: 30
        default: 31
        }
    }

    /// The day of the week; 0 is Sunday.
    package var weekday: Int {
        let days = Self.daysSinceEpoch(year: year, month: month, day: day) + 4
        return days - Self.floor(days, 7) * 7
    }

    /// Days since 1970-01-01 (Hinnant, "chrono-Compatible Low-Level Date Algorithms").
    private static func daysSinceEpoch(year: Int, month: Int, day: Int) -> Int {
        let year = month <= 2 ? year - 1 : year
        let era = floor(year, 400)
        let yearOfEra = year - era * 400
        let dayOfYear = (153 * (month + (month > 2 ? -3 : 9)) + 2) / 5 + day - 1
        let dayOfEra = yearOfEra * 365 + yearOfEra / 4 - yearOfEra / 100 + dayOfYear
        return era * 146_097 + dayOfEra - 719_468
    }

    /// The year, month and day of a number of days since 1970-01-01.
    private static func civil(_ days: Int) -> (Int, Int, Int) {
        let shifted = days + 719_468
        let era = floor(shifted, 146_097)
        let dayOfEra = shifted - era * 146_097
        let yearOfEra =
            (dayOfEra - dayOfEra / 1460 + dayOfEra / 36_524 - dayOfEra / 146_096) / 365
        let dayOfYear = dayOfEra - (365 * yearOfEra + yearOfEra / 4 - yearOfEra / 100)
        let shiftedMonth = (5 * dayOfYear + 2) / 153
        let month = shiftedMonth < 10 ? shiftedMonth + 3 : shiftedMonth - 9
        let year = yearOfEra + era * 400 + (month <= 2 ? 1 : 0)
        return (year, month, dayOfYear - (153 * shiftedMonth + 2) / 5 + 1)
    }

    private static func floor<Number: BinaryInteger>(
        _ value: Number, _ divisor: Number
    ) -> Number {
        (value >= 0 ? value : value - divisor + 1) / divisor
    }
}
