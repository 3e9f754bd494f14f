/// Keeps a `RequestRate` exactly: in no interval of its length are there more requests than it
/// allows, wherever the interval begins.
///
/// It remembers when the last requests were sent; the next is allowed one interval after the
/// request that is `rate.requests` before it. (A bucket of tokens would allow twice the rate at the
/// border of two intervals, and servers count.)
struct RateWindow: Sendable {
    let rate: RequestRate
    private var sent: [Duration] = []
    private var oldest = 0

    init(_ rate: RequestRate) {
        self.rate = rate
    }

    /// When the next request may be sent; a moment that has passed means now.
    var opening: Duration {
        sent.count < rate.requests ? .zero : sent[oldest].later(by: rate.interval)
    }

    /// Counts a request.
    mutating func record(at now: Duration) {
        if sent.count < rate.requests {
            sent.append(now)
        } else {
            sent[oldest] = now
            oldest = (oldest + 1) % sent.count
        }
    }

    /// Forgets a request that was counted at this moment and has not been sent after all.
    mutating func takeBack(_ moment: Duration) {
        var inOrder = Array(sent[oldest...] + sent[..<oldest])
        guard let index = inOrder.lastIndex(of: moment) else { return }
        inOrder.remove(at: index)
        (sent, oldest) = (inOrder, 0)
    }
}
