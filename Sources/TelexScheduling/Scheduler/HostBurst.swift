/// Begins a burst of calls to a host gently, because a host that limits their rate refuses all that
/// are in flight: at most 20 calls at once, or as many as the burst has had replies. So a host
/// refuses about as many calls as it has served. (TCP's slow start does the same for packets.)
///
/// Further calls follow 25 ms apart, so that slow replies and open streams block no call.
struct HostBurst: Sendable {
    private static let calls = 20
    private static let distance = Duration.milliseconds(25)
    /// The time without a new call after which another burst begins.
    private static let rest = Duration.seconds(1)

    private(set) var start = Duration.zero
    /// The replies since the start that were no refusals.
    private(set) var served = 0
    /// The calls in progress.
    private(set) var active = 0
    private var last = Duration.zero

    /// When the next call may go; zero for at once.
    var opening: Duration { active < max(Self.calls, served) ? .zero : last + Self.distance }

    /// Records that a call goes.
    mutating func enter(at now: Duration) {
        if active == 0 || now - last > Self.rest { (start, served) = (now, 0) }
        active += 1
        last = now
    }

    /// Records that a call has its reply.
    mutating func noteServed() { served += 1 }

    /// Records that a call is no longer in progress.
    mutating func leave() { active -= 1 }
}
