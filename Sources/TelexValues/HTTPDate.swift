#if canImport(FoundationEssentials)
    import FoundationEssentials
#else
    import Foundation
#endif

/// Parses the dates of header fields (RFC 9110, section 5.6.7) in all three formats.
package enum HTTPDate {
    private static let fixed = DatePattern("EEE, dd MMM yyyy HH:mm:ss 'GMT'")
    private static let rfc850 = DatePattern("dd-MMM-yy HH:mm:ss 'GMT'")
    private static let asctime = DatePattern("EEE MMM dd HH:mm:ss yyyy")
    private static let paddedAsctime = DatePattern("EEE MMM  d HH:mm:ss yyyy")
    private static let weekdays: Set<Substring> = [
        "Monday", "Tuesday", "Wednesday", "Thursday", "Friday", "Saturday", "Sunday",
    ]

    /// Returns the instant that a text denotes; nil if it is not such a date.
    package static func date(from text: some StringProtocol, now: Date) -> Date? {
        let text = String(text.withoutOptionalSpace)
        guard text.utf8.count <= 40 else { return nil }
        let date = fixed.read(text) ?? asctime.read(text) ?? paddedAsctime.read(text)
        return date?.date ?? short(text, now)
    }

    /// `Sunday, 06-Nov-94 08:49:37 GMT`.
    private static func short(_ text: String, _ now: Date) -> Date? {
        guard let comma = text.firstRange(of: ", "), weekdays.contains(text[..<comma.lowerBound]),
            var civil = rfc850.read(String(text[comma.upperBound...])),
            let today = CivilDate(now)
        else { return nil }
        // More than 50 years ahead means the most recent such year in the past.
        let latest = today.year + 50
        civil.year = latest - (latest + 100 - civil.year) % 100
        return civil.isValid ? civil.date : nil
    }
}
