import Foundation
import HTTPTypes
import TelexJSON
import TelexRuntime

/// Admits a fixed number of requests per time window and refuses the rest with 429, as public APIs
/// do.
///
/// Every reply reports the limit: `RateLimit-Limit`, `RateLimit-Remaining` and `RateLimit-Reset` in
/// seconds (draft-ietf-httpapi-ratelimit-headers-03). A 429 also has a Retry-After (RFC 9110,
/// 10.2.3).
public final class RateLimiter: Sendable {
    /// The form of Retry-After.
    public enum RetryAfter: Sendable {
        /// A number of seconds, rounded up.
        case seconds
        /// A wall-clock date, rounded up to seconds. A Date field gives the current date.
        case date
        /// No Retry-After.
        case absent
    }

    private struct State {
        var windowStart = Duration.zero
        var used = 0
        var refused = 0
    }

    private let limit: Int
    private let window: Duration
    private let clock: RuntimeClock
    private let retryAfter: RetryAfter
    private let state = Lock(State())

    /// Makes a limiter.
    ///
    /// - Parameters:
    ///   - limit: The number of requests per window.
    ///   - window: The length of a window. The first window begins with the clock. Each later one
    ///     begins with the first request after the end of the previous window.
    ///   - retryAfter: The form of Retry-After in a refusal; seconds by default.
    public init(
        _ limit: Int, per window: Duration, clock: RuntimeClock, retryAfter: RetryAfter = .seconds
    ) {
        self.limit = limit
        self.window = window
        self.clock = clock
        self.retryAfter = retryAfter
    }

    /// Makes a limiter in the time of a `VirtualClock`.
    public convenience init(
        _ limit: Int, per window: Duration, clock: VirtualClock, retryAfter: RetryAfter = .seconds
    ) {
        self.init(limit, per: window, clock: clock.runtimeClock, retryAfter: retryAfter)
    }

    /// The number of requests refused so far. A client that respects the limits keeps it near 0.
    public var refusedCount: Int { state.withLock { $0.refused } }

    /// A handler that calls `handler` only while the limit is not reached.
    public func limiting(_ handler: @escaping LoopbackServer.Handler) -> LoopbackServer.Handler {
        { request in
            let place = self.take()
            return (place.isAdmitted ? handler(request) : self.refusal(place))
                .adding(self.fields(place))
        }
    }

    /// The position of a request in its window.
    private struct Place {
        let isAdmitted: Bool
        let remaining: Int
        let secondsLeft: Int
    }

    private func take() -> Place {
        let now = clock.elapsed()
        return state.withLock { state in
            if now >= state.windowStart + window {
                state = State(windowStart: now, refused: state.refused)
            }
            let isAdmitted = state.used < limit
            if isAdmitted { state.used += 1 } else { state.refused += 1 }
            return Place(
                isAdmitted: isAdmitted, remaining: max(0, limit - state.used),
                secondsLeft: (state.windowStart + window - now).secondsRoundedUp)
        }
    }

    private func fields(_ place: Place) -> HTTPFields {
        [
            .rateLimitLimit: "\(limit)", .rateLimitRemaining: "\(place.remaining)",
            .rateLimitReset: "\(place.secondsLeft)",
        ]
    }

    private func refusal(_ place: Place) -> LoopbackReply {
        switch retryAfter {
        case .seconds: .bytes(status: 429, fields: [.retryAfter: "\(place.secondsLeft)"])
        case .date: dated(clock.now(), place.secondsLeft)
        case .absent: .bytes(status: 429)
        }
    }

    private func dated(_ now: Date, _ seconds: Int) -> LoopbackReply {
        let end = now.addingTimeInterval(Double(seconds)).timeIntervalSince1970.rounded(.up)
        return .bytes(
            status: 429,
            fields: [
                .retryAfter: Date(timeIntervalSince1970: end).httpText, .date: now.httpText,
            ])
    }
}

extension Duration {
    fileprivate var secondsRoundedUp: Int {
        Int(components.seconds) + (components.attoseconds > 0 ? 1 : 0)
    }
}

extension LoopbackReply {
    /// The reply with more header fields in each final head.
    package func adding(_ fields: HTTPFields) -> LoopbackReply {
        var reply = self
        reply.steps = steps.map { step in
            guard case .head(var head) = step, head.status.kind != .informational else {
                return step
            }
            head.headerFields.append(contentsOf: fields)
            return .head(head)
        }
        return reply
    }
}

extension HTTPField.Name {
    fileprivate static let rateLimitLimit = HTTPField.Name("RateLimit-Limit")!
    fileprivate static let rateLimitRemaining = HTTPField.Name("RateLimit-Remaining")!
    fileprivate static let rateLimitReset = HTTPField.Name("RateLimit-Reset")!
}
