/// The distance that calls to a host keep after it refused some because it limits their rate, so
/// that the waiting calls do not return together and are refused again.
///
/// The first distance is the time that the host asked to wait, at most a second. It shrinks a
/// little with each call, because the host may permit more. A further refusal shows the real rate:
/// the calls since the last pause, over the time until the host accepts one again. After each
/// refusal the distance shrinks half as fast as before, so that refusals become rare.
///
/// Once the calls leave a place unused, the pace has no effect and is forgotten.
struct LearnedPace: Sendable {
    private static let longestFirst = Duration.seconds(1)

    /// When the next call may go.
    private(set) var opening: Duration
    private var distance: Duration
    /// By which share of itself the distance shrinks with each call.
    private var shrinkage = 0.125
    /// The end of the last pause, and the calls that went since.
    private var start: Duration
    private var calls = 0

    /// Creates the pace of a host that refused a call and asked to wait this time.
    init(after wait: Duration, at now: Duration) {
        start = now + wait
        opening = start
        distance = min(wait, Self.longestFirst)
    }

    /// When the pace is forgotten.
    var end: Duration { opening + distance }

    /// Records that the host refused a call. Further refusals before the end of the pause are of
    /// calls that were sent before it.
    mutating func refused(for wait: Duration, at now: Duration) {
        let end = now + wait
        if now >= start {
            distance = max(distance, (end - start) / max(1, calls - 1))
            shrinkage /= 2
            calls = 0
            start = end
        } else {
            start = max(start, end)
        }
        opening = max(opening, start)
    }

    /// Records that a call goes.
    mutating func go(at now: Duration) {
        calls += 1
        opening = max(opening, now) + distance
        distance = distance * (1 - shrinkage)
    }
}
