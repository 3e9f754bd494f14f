/// Enforces a `RequestRate` exactly: no interval of its length contains more requests than allowed,
/// wherever it begins. Requests that are sent without asking are the exception; see `sent`.
///
/// The window stores the times of the last requests. The next request is allowed one interval after
/// the request that is `rate.requests` before it. (A token bucket would allow twice the rate across
/// two intervals, and servers count that.) A rate with a burst is a token bucket nevertheless,
/// because its server counts that way.
struct RateWindow: Sendable {
    let rate: RequestRate
    /// The times of requests, in order. They can exceed the rate, because requests after a redirect
    /// or from an interceptor are sent at once.
    private var sent: [Duration] = []
    /// The number of leading entries that are too old to matter.
    private var old = 0
    /// When the token bucket of a burst is full again, unless more is sent.
    private var refilled = Duration.zero

    /// The number of stored times.
    var remembered: Int { sent.count }

    init(_ rate: RequestRate) {
        self.rate = rate
    }

    /// When the next request may be sent; a time in the past means now.
    var opening: Duration {
        // The bucket has room for a request once all but `burst - 1` tokens are back. The bound
        // keeps the product representable.
        if let burst = rate.burst { return refilled - rate.spacing * min(burst - 1, 1_000_000) }
        guard sent.count - old >= rate.requests else { return .zero }
        return sent[sent.count - rate.requests].later(by: rate.interval)
    }

    mutating func record(at now: Duration) {
        guard rate.burst == nil else {
            refilled = max(refilled, now) + rate.spacing
            return
        }
        sent.append(now)
        while sent.count - old > rate.requests, sent[old].later(by: rate.interval) <= now {
            old += 1
        }
        // Remove old entries in batches: amortized cost is small, and the array stays short.
        guard old > rate.requests / 4 else { return }
        sent.removeFirst(old)
        old = 0
    }

    /// Removes a request that was counted at this time but not sent.
    mutating func removeRequest(_ moment: Duration) {
        if rate.burst != nil { refilled -= rate.spacing }
        guard let index = sent[old...].lastIndex(of: moment) else { return }
        sent.remove(at: index)
    }
}
