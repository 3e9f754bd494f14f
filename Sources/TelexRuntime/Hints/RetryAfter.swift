import HTTPTypes

#if canImport(FoundationEssentials)
    import FoundationEssentials
#else
    import Foundation
#endif

/// How long a server asks to be left alone: `Retry-After` (RFC 9110, section 10.2.3).
enum RetryAfter {
    /// The longest wait that is taken from a server. Whoever asks for more is given this; a typing
    /// error must not stop an app for a year.
    static let maximum = Duration.seconds(86_400)

    /// From now on, between nothing and ``maximum``; nil if the reply does not say, or not clearly.
    ///
    /// - Parameter now: The time of day by this device's clock. A date of the server is compared
    ///   with the server's own `Date`, if it sends one, so that clocks may differ.
    static func wait(_ fields: HTTPFields, now: Date) -> Duration? {
        guard let text = fields[.retryAfter]?.withoutOptionalSpace else { return nil }
        if text.areDigits { return seconds(text) }
        guard let date = HTTPDate.date(from: text, now: now) else { return nil }
        let start = fields[.date].flatMap { HTTPDate.date(from: $0, now: now) } ?? now
        return bounded(date.timeIntervalSince(start))
    }

    /// So many seconds, which are digits.
    static func seconds(_ digits: some StringProtocol) -> Duration {
        // Digits that make no `Int` are too many.
        Int(digits: digits).map { min(.seconds($0), maximum) } ?? maximum
    }

    /// So many seconds, within the bounds; nothing if it is no number.
    static func bounded(_ seconds: Double) -> Duration {
        guard seconds > 0 else { return .zero }
        return seconds < 86_400 ? .seconds(seconds) : maximum
    }
}
