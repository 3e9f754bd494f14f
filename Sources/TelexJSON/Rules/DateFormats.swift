/// The formats of dates and times (RFC 3339).
enum DateFormats {
    static func isDateTime(_ bytes: ArraySlice<UInt8>) -> Bool {
        guard bytes.count > 11 else { return false }
        let middle = bytes[bytes.startIndex + 10]
        guard middle | 0x20 == UInt8(ascii: "t") || middle == UInt8(ascii: " ") else {
            return false
        }
        return isDate(bytes.prefix(10)) && isTime(bytes.dropFirst(11))
    }

    static func isDate(_ bytes: ArraySlice<UInt8>) -> Bool {
        let parts = bytes.split(separator: ASCII.minus, omittingEmptySubsequences: false)
        guard
            parts.count == 3, let year = number(parts[0], digits: 4),
            let month = number(parts[1], digits: 2), let day = number(parts[2], digits: 2)
        else { return false }
        return (1...12).contains(month) && day >= 1 && day <= days(of: month, in: year)
    }

    private static func days(of month: Int, in year: Int) -> Int {
        let isLeap = year % 4 == 0 && (year % 100 != 0 || year % 400 == 0)
        switch month {
        case 2: return isLeap ? 29 : 28
        case 4, 6, 9, 11: return 30
        default: return 31
        }
    }

    /// Whether the text is a time with an offset. A leap second is 23:59:60 in UTC.
    static func isTime(_ bytes: ArraySlice<UInt8>) -> Bool {
        let clock = bytes.prefix(8)
        let parts = clock.split(separator: ASCII.colon, omittingEmptySubsequences: false)
        guard
            parts.count == 3, let hour = number(parts[0], digits: 2), hour <= 23,
            let minute = number(parts[1], digits: 2), minute <= 59,
            let second = number(parts[2], digits: 2), second <= 60
        else { return false }
        var rest = bytes.dropFirst(8)
        if rest.first == ASCII.dot {
            let fraction = rest.dropFirst().prefix(while: \.isDigit)
            guard !fraction.isEmpty else { return false }
            rest = rest.dropFirst(1 + fraction.count)
        }
        guard let offset = offset(rest) else { return false }
        let utc = (hour * 60 + minute - offset + 2880) % 1440
        return second < 60 || utc == 23 * 60 + 59
    }

    /// The offset from UTC in minutes.
    private static func offset(_ bytes: ArraySlice<UInt8>) -> Int? {
        guard let sign = bytes.first else { return nil }
        if sign | 0x20 == UInt8(ascii: "z") { return bytes.count == 1 ? 0 : nil }
        guard sign == ASCII.plus || sign == ASCII.minus else { return nil }
        let parts = bytes.dropFirst().split(
            separator: ASCII.colon, omittingEmptySubsequences: false)
        guard
            parts.count == 2, let hours = number(parts[0], digits: 2), hours <= 23,
            let minutes = number(parts[1], digits: 2), minutes <= 59
        else { return nil }
        return (sign == ASCII.minus ? -1 : 1) * (hours * 60 + minutes)
    }

    private static func number(_ bytes: ArraySlice<UInt8>, digits: Int) -> Int? {
        guard bytes.count == digits, bytes.allSatisfy(\.isDigit) else { return nil }
        return bytes.reduce(0) { $0 * 10 + Int($1 - ASCII.zero) }
    }

    /// Whether the text is `P`, then only weeks, or consecutive units of years, months, days, and
    /// after `T` of hours, minutes, seconds.
    static func isDuration(_ bytes: ArraySlice<UInt8>) -> Bool {
        guard bytes.first == UInt8(ascii: "P") else { return false }
        let halves = bytes.dropFirst().split(
            separator: UInt8(ascii: "T"), omittingEmptySubsequences: false)
        guard let date = halves.first, halves.count <= 2 else { return false }
        if halves.count == 2 {
            return (date.isEmpty || isRun(date, of: "YMD")) && isRun(halves[1], of: "HMS")
        }
        return isRun(date, of: "W") || isRun(date, of: "YMD")
    }

    /// Whether the text is numbers with the given units in order, with no unit omitted between two
    /// others.
    private static func isRun(_ bytes: ArraySlice<UInt8>, of units: String) -> Bool {
        var rest = bytes
        var found = ""
        while !rest.isEmpty {
            let digits = rest.prefix(while: \.isDigit)
            guard !digits.isEmpty, let unit = rest.dropFirst(digits.count).first else {
                return false
            }
            found.unicodeScalars.append(UnicodeScalar(unit))
            rest = rest.dropFirst(digits.count + 1)
        }
        return !found.isEmpty && TextSearch.contains(units, found)
    }
}
