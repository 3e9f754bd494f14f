#if canImport(FoundationEssentials)
    public import FoundationEssentials
#else
    public import Foundation
#endif

/// The format of dates in an API.
public enum DateForm: Sendable, Hashable {
    /// A number: seconds since 1970; fractions are read, whole seconds are written.
    case unix
    /// A number: milliseconds since 1970.
    case unixMilliseconds
    /// As `unix`, but in JSON as text: `"1717186500"`.
    case unixText
    /// As `unixMilliseconds`, but in JSON as text.
    case unixMillisecondsText
    /// Text as of RFC 3339, section 5.6: `2024-05-31T20:15:00Z`.
    case dateTime
    /// As `dateTime`, but written without an offset: `2024-05-31T20:15:00`. The time is that of a zone
    /// `offset` seconds east of UTC, 0 by default. A text of the server with an offset is read, too.
    case localDateTime(offset: Int = 0)
    /// Text with the day only, midnight UTC: `2024-05-31`.
    case date
    /// Text in a pattern, UTC: `yyyy-MM-dd HH:mm:ss`. Letters as in Unicode TR 35: `y M d H m s S`,
    /// `MMM` and `EEE` in English, `Z` (+0000), `XXX` (of UTS 35: `Z` or +00:00), text in quotes,
    /// `''` for a quote.
    case pattern(String)

    /// Whether the date is a number.
    package var isNumber: Bool { self == .unix || self == .unixMilliseconds }

    /// The expectation in a violation.
    package var expectation: String {
        switch self {
        case .unix: "a date as seconds since 1970"
        case .unixMilliseconds: "a date as milliseconds since 1970"
        case .unixText: "a date as seconds since 1970, as text"
        case .unixMillisecondsText: "a date as milliseconds since 1970, as text"
        case .dateTime: "a date and time as of RFC 3339"
        case .localDateTime: "a date and time like 2024-05-31T20:15:00"
        case .date: "a date like 2024-05-31"
        case .pattern(let pattern): "a date like `\(pattern)`"
        }
    }

    /// Parses a text or the digits of a number; nil if it is not such a date.
    public func date(from text: String) -> Date? {
        switch self {
        case .unix, .unixText: Self.moment(text, perSecond: 1)
        case .unixMilliseconds, .unixMillisecondsText: Self.moment(text, perSecond: 1000)
        case .dateTime: DateText.read(text) { $0.dateTime(&$1) }?.date
        case .localDateTime(let offset):
            DateText.read(text) { $0.dateTime(&$1, local: offset) }?.date
        case .date: DateText.read(text) { $0.day(&$1) }?.date
        case .pattern(let pattern): DatePattern.of(pattern).read(text)?.date
        }
    }

    /// Returns the text or the digits of the number for a date; nil for years outside 0…9999.
    public func text(for date: Date) -> String? {
        var date = date
        if case .localDateTime(let offset) = self { date += Double(offset) }
        guard let civil = CivilDate(date) else { return nil }
        switch self {
        case .unix, .unixText: return String(Int64(date.timeIntervalSince1970.rounded(.down)))
        case .unixMilliseconds, .unixMillisecondsText:
            return String(Int64((date.timeIntervalSince1970 * 1000).rounded()))
        case .dateTime: return civil.dateTime
        case .localDateTime: return String(civil.dateTime.dropLast())
        case .date: return Self.day.write(civil)
        case .pattern(let pattern): return DatePattern.of(pattern).write(civil)
        }
    }

    private static let day = DatePattern("yyyy-MM-dd")

    /// Parses a number of seconds, or fractions of seconds, within the years 0…9999.
    private static func moment(_ text: String, perSecond: Double) -> Date? {
        guard isNumber(text), let number = Double(text), number.isFinite else { return nil }
        let date = Date(timeIntervalSince1970: number / perSecond)
        return CivilDate(date) == nil ? nil : date
    }

    /// Whether a text is a JSON number; `Double` accepts more.
    private static func isNumber(_ text: String) -> Bool {
        let isDigits = text.utf8.first != 0x30 && text.areDigits
        return isDigits || NumberText(text)?.hasLeadingZeros == false
    }
}
