import HTTPTypes
import TelexValues

#if canImport(FoundationEssentials)
    import FoundationEssentials
#else
    import Foundation
#endif

/// The number of calls that a server still accepts, and the time until its limit resets.
///
/// Taken from the first of these forms that a reply has and that can be parsed:
/// 1. `RateLimit: "default";r=50;t=30` with `RateLimit-Policy: "default";q=100;w=60`
///    (draft-ietf-httpapi-ratelimit-headers, 08 and later). Of several limits, the one that leaves
///    the fewest calls is used; of equal ones, the one that lasts longest. Without `t`, the
///    policy's window `w` is used.
/// 2. `RateLimit: limit=100, remaining=50, reset=30` (the same draft, 07).
/// 3. `RateLimit-Remaining` and `RateLimit-Reset` (the same draft, up to 06).
/// 4. `X-RateLimit-Remaining` and `X-RateLimit-Reset`, or `X-Rate-Limit-…`, which no standard
///    defines. `X-RateLimit-Reset-After`, which some servers send in addition or instead, is in
///    seconds from now.
///
/// The draft defines `RateLimit-Reset` in seconds from now, but servers also send seconds or
/// milliseconds since 1970. Only the magnitude distinguishes them: below 10⁹ (30 years from now, or
/// the year 2001) a number is seconds from now, below 10¹¹ seconds since 1970, otherwise
/// milliseconds.
package struct RateLimitHint: Sendable, Hashable {
    /// The number of calls left; 0 or more.
    package var remaining: Int
    /// The time until the limit resets, between zero and ``RetryAfter/maximum``.
    package var reset: Duration

    package init(remaining: Int, reset: Duration) {
        self.remaining = remaining
        self.reset = reset
    }

    /// Reads the header fields of a reply; nil if they contain no complete hint.
    ///
    /// - Parameter now: The time of day of this device's clock. A server's time is compared with
    ///   its own `Date` field, if present, so that the clocks may differ.
    package init?(_ fields: HTTPFields, now: Date) {
        let now = fields[.date].flatMap { HTTPDate.date(from: $0, now: now) } ?? now
        if let hint = Self.limits(fields) ?? Self.pairs(fields) {
            self = hint
            return
        }
        for prefix in ["RateLimit", "X-RateLimit", "X-Rate-Limit"] {
            guard let remaining = fields.number("\(prefix)-Remaining").flatMap(Self.whole),
                let reset = fields.number("\(prefix)-Reset-After").flatMap({
                    RetryAfter.decimal($0)
                }) ?? fields.number("\(prefix)-Reset").flatMap({ Self.reset($0, now) })
            else { continue }
            self.init(remaining: remaining, reset: reset)
            return
        }
        return nil
    }

    /// Whether the fields may contain a hint. A quick check, because most replies have none.
    package static func isLikely(in fields: HTTPFields) -> Bool {
        likelyNames.contains { fields.contains($0) }
    }

    private static let likelyNames = [
        "RateLimit", "RateLimit-Remaining", "X-RateLimit-Remaining", "X-Rate-Limit-Remaining",
    ].compactMap { HTTPField.Name($0) }

    // MARK: Forms

    /// A list of items with parameters, as of RFC 9651.
    private static func limits(_ fields: HTTPFields) -> RateLimitHint? {
        let policies = LimitItem.list(fields.text("RateLimit-Policy") ?? "")
        let items = LimitItem.list(fields.text("RateLimit") ?? "")
        let named = Dictionary(policies.map { ($0.name, $0) }) { first, _ in first }
        let hints = items.compactMap { item -> RateLimitHint? in
            let window = named[item.name]?.parameters["w"]
            guard let remaining = item.parameters["r"].flatMap({ count($0) }),
                let reset = (item.parameters["t"] ?? window).flatMap({ seconds($0) })
            else { return nil }
            return RateLimitHint(remaining: remaining, reset: reset)
        }
        return hints.min { one, other in
            (one.remaining, other.reset) < (other.remaining, one.reset)
        }
    }

    /// A dictionary, as of RFC 9651.
    private static func pairs(_ fields: HTTPFields) -> RateLimitHint? {
        let pairs = (fields.text("RateLimit") ?? "").split(separator: ",").compactMap {
            text -> (String, String)? in
            let parts = text.split(separator: "=", maxSplits: 1).map { $0.withoutOptionalSpace }
            return parts.count == 2 ? (String(parts[0]), String(parts[1])) : nil
        }
        let found = Dictionary(pairs) { _, last in last }
        guard let remaining = found["remaining"].flatMap({ count($0) }),
            let reset = found["reset"].flatMap({ seconds($0) })
        else { return nil }
        return RateLimitHint(remaining: remaining, reset: reset)
    }

    // MARK: Numbers

    /// Parses a number of calls; negative numbers give 0, and too large numbers `Int.max`.
    private static func count(_ text: String) -> Int? {
        let text = text.withoutOptionalSpace
        let digits = text.hasPrefix("-") ? text.dropFirst() : text
        guard digits.areDigits else { return nil }
        return text.hasPrefix("-") ? 0 : Int(digits: digits) ?? .max
    }

    /// As `count`, but accepts a fraction of zeros, which some servers send.
    private static func whole(_ text: String) -> Int? {
        let parts = text.split(separator: ".", maxSplits: 1, omittingEmptySubsequences: false)
        guard parts.count == 2 else { return count(text) }
        return parts[1].areDigits && parts[1].allSatisfy { $0 == "0" }
            ? count(String(parts[0])) : nil
    }

    private static func seconds(_ text: String) -> Duration? {
        let text = text.withoutOptionalSpace
        return text.areDigits ? RetryAfter.seconds(text) : nil
    }

    /// Parses seconds from now or an absolute time, both with an optional fraction.
    private static func reset(_ text: String, _ now: Date) -> Duration? {
        let text = text.withoutOptionalSpace
        guard text.utf8.first.map({ (0x30...0x39).contains($0) }) ?? false,
            let number = Double(text), number.isFinite
        else { return nil }
        if number < 1e9 { return RetryAfter.bounded(number) }
        let moment = number < 1e11 ? number : number / 1000
        return RetryAfter.bounded(moment - now.timeIntervalSince1970)
    }
}

extension HTTPFields {
    /// The value of a field that occurs once, or repeatedly with the same value.
    fileprivate func number(_ name: String) -> String? {
        HTTPField.Name(name).flatMap { single($0) }
    }

    fileprivate func text(_ name: String) -> String? {
        HTTPField.Name(name).flatMap { self[$0] }
    }
}
