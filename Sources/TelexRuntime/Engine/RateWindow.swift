/// Keeps a `RequestRate` exactly: in no interval of its length are there more requests than it
/// allows, wherever the interval begins. Except those for which nobody asks: see `sent`.
///
/// It remembers when the last requests were sent; the next is allowed one interval after the
/// request that is `rate.requests` before it. (A bucket of tokens would allow twice the rate at the
/// border of two intervals, and servers count.)
struct RateWindow: Sendable {
    let rate: RequestRate
    /// The moments of requests, in order. More than the rate allows where nobody was asked: what a
    /// redirect leads to, and what an interceptor sends again, is sent at once.
    private var sent: [Duration] = []
    /// How many of them are too old to matter.
    private var old = 0

    /// How many moments it remembers.
    var remembered: Int { sent.count }

    init(_ rate: RequestRate) {
        self.rate = rate
    }

    /// When the next request may be sent; a moment that has passed means now.
    var opening: Duration {
        guard sent.count - old >= rate.requests else { return .zero }
        return sent[sent.count - rate.requests].later(by: rate.interval)
    }

    /// Counts a request.
    mutating func record(at now: Duration) {
        sent.append(now)
        while sent.count - old > rate.requests, sent[old].later(by: rate.interval) <= now {
            old += 1
        }
        // Seldom, so that it costs next to nothing for each, but before they are many.
        guard old > rate.requests / 4 else { return }
        sent.removeFirst(old)
        old = 0
    }

    /// Forgets a request that was counted at this moment and has not been sent after all.
    mutating func takeBack(_ moment: Duration) {
        guard let index = sent[old...].lastIndex(of: moment) else { return }
        sent.remove(at: index)
    }
}
