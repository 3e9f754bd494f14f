import SpecSyntax

/// Checks dates of a spec: a day, or a date-time with its offset (RFC 3339, sections 5.6 and 5.7).
package enum DateSyntaxCheck {
    /// Returns the help for a text that is not a date; nil for a date.
    package static func problem(of text: String) -> String? {
        let bytes = Array(text.utf8)
        guard let year = number(bytes, at: 0, count: 4), let month = number(bytes, at: 5, count: 2),
            let day = number(bytes, at: 8, count: 2), bytes[4] == hyphen, bytes[7] == hyphen,
            bytes.count == 10 || bytes.count >= 20
        else { return shape }
        guard (1...12).contains(month) else { return "a year has the months 01 to 12" }
        let days = days(of: month, in: year)
        guard (1...days).contains(day) else { return "\(text.prefix(7)) has \(days) days" }
        return bytes.count == 10 ? nil : timeProblem(bytes)
    }

    /// The offset in a text such as `+03:00`, in seconds; nil for another text.
    static func offset(_ text: some StringProtocol) -> Int? {
        let bytes = Array(text.utf8)
        guard bytes != [UInt8(ascii: "Z")], offsetProblem(bytes) == nil,
            let hours = number(bytes, at: 1, count: 2), let minutes = number(bytes, at: 4, count: 2)
        else { return nil }
        return (bytes[0] == hyphen ? -1 : 1) * (hours * 3600 + minutes * 60)
    }

    private static let hyphen = UInt8(ascii: "-")
    private static let colon = UInt8(ascii: ":")
    private static let shape =
        "write a day, `2026-01-31`, or a moment with its offset from UTC, `2026-01-31T12:00:00Z`"

    private static func days(of month: Int, in year: Int) -> Int {
        switch month {
        case 2: year % 4 == 0 && (year % 100 != 0 || year % 400 == 0) ? 29 : 28
        case 4, 6, 9, 11: 30
        default: 31
        }
    }

    private static func timeProblem(_ bytes: [UInt8]) -> String? {
        guard bytes[10] == UInt8(ascii: "T"), let hour = number(bytes, at: 11, count: 2),
            let minute = number(bytes, at: 14, count: 2),
            let second = number(bytes, at: 17, count: 2),
            bytes[13] == colon, bytes[16] == colon
        else { return shape }
        if hour > 23 || minute > 59 || second > 60 { return "a day ends with 23:59:59" }
        if second == 60, minute < 59 { return "a leap second is the last one of an hour, `:59:60`" }
        var rest = bytes[19...]
        if rest.first == UInt8(ascii: ".") {
            let fraction = rest.dropFirst().prefix(while: \.isDigit)
            if fraction.isEmpty { return shape }
            rest = rest.dropFirst(fraction.count + 1)
        }
        return offsetProblem(Array(rest))
    }

    private static func offsetProblem(_ bytes: [UInt8]) -> String? {
        if bytes == [UInt8(ascii: "Z")] { return nil }
        guard bytes.count == 6, bytes[0] == hyphen || bytes[0] == UInt8(ascii: "+"),
            bytes[3] == colon, let hours = number(bytes, at: 1, count: 2),
            let minutes = number(bytes, at: 4, count: 2)
        else { return shape }
        return hours < 24 && minutes < 60 ? nil : "an offset is at most 23:59"
    }

    private static func number(_ bytes: [UInt8], at start: Int, count: Int) -> Int? {
        guard start + count <= bytes.count else { return nil }
        let digits = bytes[start..<start + count]
        guard digits.allSatisfy(\.isDigit) else { return nil }
        return digits.reduce(0) { $0 * 10 + Int($1) - 0x30 }
    }
}
