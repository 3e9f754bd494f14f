import HTTPTypes
import TelexTransport
import TelexValues

#if canImport(FoundationEssentials)
    import FoundationEssentials
#else
    import Foundation
#endif

/// How old a stored reply is and how long it may be used without asking the server (RFC 9111,
/// section 4.2).
package struct Freshness: Sendable, Hashable {
    /// The age in seconds; never negative.
    package let age: Double
    /// The lifetime in seconds; never negative.
    package let lifetime: Double
    /// Whether the server must be asked before each use.
    private let validatesAlways: Bool
    /// How many seconds after its lifetime the reply may be used if the server fails; nil if the
    /// reply does not say.
    private let staleIfError: Double?
    private let mustRevalidate: Bool

    /// - Parameter lifetime: The lifetime of a reply that names none. It is zero by default: nothing
    ///   is guessed from `Last-Modified`.
    package init(of reply: CachedReply, at now: Date, lifetime own: Duration = .zero) {
        let control = CacheControl(reply.fields)
        let seconds = Self.lifetime(of: reply, control)
        lifetime = seconds ?? own.seconds
        age = Self.age(of: reply, at: now)
        // After the clock was set back, the age is unknown.
        let isAgeUnknown = now < reply.received
        validatesAlways = reply.validatesAlways || control.validatesAlways || isAgeUnknown
        mustRevalidate = control.mustRevalidate || control.validatesAlways
        staleIfError = control.staleIfError.map(Double.init)
    }

    /// Whether the reply may be used without asking the server.
    package var isFresh: Bool { !validatesAlways && age < lifetime }

    /// Whether the reply may be used because the server has failed (RFC 5861, section 4).
    ///
    /// - Parameter limit: The time that counts if the reply names none.
    package func mayBeUsedOnError(for limit: Duration?) -> Bool {
        guard !mustRevalidate, let limit = staleIfError ?? limit?.seconds else { return isFresh }
        return age < lifetime + limit
    }

    /// Returns the lifetime that a reply names; nil if it names none (section 4.2.1).
    private static func lifetime(of reply: CachedReply, _ control: CacheControl) -> Double? {
        if let maximumAge = control.maximumAge { return Double(maximumAge) }
        guard let text = reply.fields[.expires] else { return nil }
        // An invalid date, especially `0`, means an expired reply (section 5.3). So do two dates,
        // which are joined.
        guard let end = HTTPDate.date(from: text, now: reply.received) else { return 0 }
        return max(end.timeIntervalSince(date(of: reply)), 0)
    }

    /// Returns the age (section 4.2.3).
    private static func age(of reply: CachedReply, at now: Date) -> Double {
        let apparent = max(reply.received.timeIntervalSince(date(of: reply)), 0)
        let delay = max(reply.received.timeIntervalSince(reply.requested), 0)
        let corrected = Double(reply.fields.age) + delay
        let resident = max(now.timeIntervalSince(reply.received), 0)
        return max(apparent, corrected) + resident
    }

    /// Returns when the reply was made; when it was received, if it does not say.
    private static func date(of reply: CachedReply) -> Date {
        let date = reply.fields[.date].flatMap { HTTPDate.date(from: $0, now: reply.received) }
        return date ?? reply.received
    }
}

extension Duration {
    fileprivate var seconds: Double {
        Double(components.seconds) + Double(components.attoseconds) / 1e18
    }
}
