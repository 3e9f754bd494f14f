extension CivilDate {
    /// The date and time in the format of RFC 3339, section 5.6: `2024-05-31T20:15:00Z`, with
    /// milliseconds unless they are zero.
    package var dateTime: String {
        (nanosecond == 0 ? Self.wholeSeconds : Self.milliseconds).write(self)
    }

    // `XXX` of UTS 35: `Z` or +00:00.
    private static let wholeSeconds = DatePattern("yyyy-MM-dd'T'HH:mm:ssXXX")
    private static let milliseconds = DatePattern("yyyy-MM-dd'T'HH:mm:ss.SSSXXX")
}
