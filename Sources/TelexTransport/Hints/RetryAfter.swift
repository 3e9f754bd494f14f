import HTTPTypes
import TelexValues

#if canImport(FoundationEssentials)
    import FoundationEssentials
#else
    import Foundation
#endif

/// The waiting time that a server asks for: `Retry-After` (RFC 9110, section 10.2.3).
package enum RetryAfter {
    /// The longest wait that is accepted from a server; longer ones are cut to it, because a
    /// server's mistake must not stop an app for a year.
    package static let maximum = Duration.seconds(86_400)

    /// Returns the wait from now, between zero and ``maximum``; nil if the reply has none, or an
    /// ambiguous one.
    ///
    /// - Parameter now: The time of day of this device's clock. A server's date is compared with
    ///   its own `Date` field, if present, so that the clocks may differ.
    package static func wait(_ fields: HTTPFields, now: Date) -> Duration? {
        guard let text = fields.single(.retryAfter) else { return nil }
        if let wait = decimal(text) { return wait }
        guard let date = HTTPDate.date(from: text, now: now) else { return nil }
        let start = fields[.date].flatMap { HTTPDate.date(from: $0, now: now) } ?? now
        return bounded(date.timeIntervalSince(start))
    }

    /// Returns the wait for a reply that rejects requests for now. Without a positive
    /// `Retry-After`, the reset time of an exhausted rate limit is used.
    package static func retryDelay(_ fields: HTTPFields, now: Date) -> Duration? {
        let wait = wait(fields, now: now)
        if let wait, wait > .zero { return wait }
        guard let hint = RateLimitHint(fields, now: now), hint.remaining == 0 else { return wait }
        return hint.reset
    }

    /// Parses seconds in digits, with an optional fraction as some servers send it, rounded up to
    /// the millisecond; nil for anything else.
    package static func decimal(_ text: some StringProtocol) -> Duration? {
        let parts = text.split(separator: ".", maxSplits: 1, omittingEmptySubsequences: false)
        guard let whole = parts.first, whole.areDigits else { return nil }
        guard parts.count == 2 else { return seconds(whole) }
        let fraction = parts[1]
        guard fraction.areDigits, let thousandths = Int(digits: "\(fraction)00".prefix(3)) else {
            return nil
        }
        let isMore = fraction.dropFirst(3).contains { $0 != "0" }
        return min(seconds(whole) + .milliseconds(thousandths + (isMore ? 1 : 0)), maximum)
    }

    /// Returns the seconds that `digits` denote, at most `maximum`.
    package static func seconds(_ digits: some StringProtocol) -> Duration {
        // Digits that overflow `Int` exceed the maximum.
        Int(digits: digits).map { min(.seconds($0), maximum) } ?? maximum
    }

    /// Returns seconds limited to zero through `maximum`; zero if it is not a number.
    package static func bounded(_ seconds: Double) -> Duration {
        guard seconds > 0 else { return .zero }
        return seconds < 86_400 ? .seconds(seconds) : maximum
    }
}

extension HTTPFields {
    /// The value of a field that has a single value. A value that is repeated identically counts as
    /// one, because an intermediary may have duplicated the field.
    package func single(_ name: HTTPField.Name) -> String? {
        guard let text = self[name]?.withoutOptionalSpace else { return nil }
        let pieces = text.split(separator: ",", omittingEmptySubsequences: false)
            .map { $0.withoutOptionalSpace }
        // Two pieces may be one date, which contains a comma.
        for length in 1...2 where pieces.count > length && pieces.count % length == 0 {
            let first = pieces[..<length]
            let isSame = pieces.indices.allSatisfy { pieces[$0] == first[$0 % length] }
            if isSame { return first.joined(separator: ", ") }
        }
        return String(text)
    }
}
