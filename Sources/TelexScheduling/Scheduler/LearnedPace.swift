/// The distance that calls to a host keep after it refused some because it limits their rate, so
/// that the waiting calls do not return together and are refused again.
///
/// A refusal measures the rate: the calls that were served since the last pause, or since the burst
/// began, over the time until the host accepts calls again. The first distance is at most a second,
/// because the first measurement may be poor.
///
/// The distance then shrinks, because the host may permit more: by a quarter in the time that the
/// host asked to wait, at most a second. After each further refusal it shrinks half as fast, so that
/// refusals become rare, but at least by a 16th, so that every pace ends. (As in TCP, a loss ends
/// the growth, and the rate of what arrived is the next one.)
///
/// Once the calls leave a place unused, the pace has no effect and is forgotten.
struct LearnedPace: Sendable {
    private static let longestFirst = Duration.seconds(1)
    private static let longest = Duration.seconds(10)
    private static let leastShrinkage = 1.0 / 16
    /// The greatest share of a period that counts for one call, so that the distance of a host that
    /// permits few calls shrinks slowly.
    private static let greatestShare = 0.4

    /// When the next call may go.
    private(set) var opening: Duration
    private var distance: Duration
    /// By which share of itself the distance shrinks in a `period`.
    private var shrinkage = 0.25
    private var period: Duration
    /// The end of the last pause, and the calls that were served since.
    private var start: Duration
    private var served = 0

    /// Creates the pace of a host that refused a call of a burst and asked to wait this time.
    init(after wait: Duration, at now: Duration, in burst: HostBurst) {
        start = now + wait
        opening = start
        period = min(wait, Self.longestFirst)
        distance = min((start - burst.start) / max(1, burst.served), Self.longestFirst)
    }

    /// When the pace is forgotten.
    var end: Duration { opening + distance }

    /// Whether a call that is refused at this time was sent before the end of the last pause.
    func isPaused(at now: Duration) -> Bool { now < start }

    /// Records that the host refused a call. Refusals during a pause measure nothing.
    mutating func refused(for wait: Duration, at now: Duration) {
        let end = max(start, now + wait)
        if !isPaused(at: now) {
            distance = max(distance, min((end - start) / max(1, served), Self.longest))
            shrinkage = max(shrinkage / 2, Self.leastShrinkage)
            period = min(wait, Self.longestFirst)
            served = 0
        }
        start = end
        opening = max(opening, start)
    }

    /// Records that the host served a call.
    mutating func noteServed(at now: Duration) {
        if !isPaused(at: now) { served += 1 }
    }

    /// Records that a call goes.
    mutating func go(at now: Duration) {
        opening = max(opening, now) + distance
        let share = period > .zero ? min(distance / period, Self.greatestShare) : 0
        distance = distance * (1 - shrinkage * share)
    }
}
