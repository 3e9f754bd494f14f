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
        guard let text = fields.single(.retryAfter) else { return nil }
        if let wait = decimal(text) { return wait }
        guard let date = HTTPDate.date(from: text, now: now) else { return nil }
        let start = fields[.date].flatMap { HTTPDate.date(from: $0, now: now) } ?? now
        return bounded(date.timeIntervalSince(start))
    }

    /// How long a server wants to be left alone that takes no more for now: no time at all says
    /// nothing, and then a rate that is used up says when it counts anew.
    static func busyWait(_ fields: HTTPFields, now: Date) -> Duration? {
        let wait = wait(fields, now: now)
        if let wait, wait > .zero { return wait }
        guard let hint = RateLimitHint(fields, now: now), hint.remaining == 0 else { return wait }
        return hint.reset
    }

    /// So many seconds, which are digits, or digits and a fraction as some servers write it, rounded up
    /// to the millisecond; nil for anything else.
    static func decimal(_ text: some StringProtocol) -> Duration? {
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

extension HTTPFields {
    /// The value of a field that has one, also if it comes several times: somebody on the way may
    /// have doubled it.
    func single(_ name: HTTPField.Name) -> String? {
        guard let text = self[name]?.withoutOptionalSpace else { return nil }
        let pieces = text.split(separator: ",", omittingEmptySubsequences: false)
            .map { $0.withoutOptionalSpace }
        // A date has a comma of its own.
        for length in 1...2 where pieces.count > length && pieces.count % length == 0 {
            let first = pieces[..<length]
            let isSame = pieces.indices.allSatisfy { pieces[$0] == first[$0 % length] }
            if isSame { return first.joined(separator: ", ") }
        }
        return String(text)
    }
}
