/// The minimum time between two starts of the same method, against double taps and bursts of scroll
/// events.
public struct Throttle: Sendable, Hashable {
    /// What happens to a start that comes too soon.
    public enum Policy: Sendable, Hashable {
        /// It fails at once, with ``APIError/Reason/throttled(until:)``. Suits double taps.
        case refuse
        /// It waits until the interval since the last start is over, behind calls that already
        /// wait, so that starts are an interval apart. Suits bursts. A call that is suspended while
        /// it waits lets later ones pass, and goes to the end of the line when it is resumed.
        case delay
        /// It waits until the interval since the last start is over. If another call starts before
        /// that, the newer one waits instead and this one fails with ``APIError/Reason/replaced``,
        /// even while it is suspended, and even if the newer one joins an equal call that has been
        /// sent. So at most one call waits, and the last one is sent. Suits search as the user
        /// types.
        case latest
    }

    /// What the interval is measured from.
    public enum Origin: Sendable, Hashable {
        /// The start of a call, however long it takes.
        case start
        /// The end of a call. Until then, a start comes too soon.
        case end
    }

    /// The minimum time between two starts, or between an end and the next start, not below zero.
    public var interval: Duration {
        didSet { interval = interval.atLeast(.zero) }
    }
    /// The names of parameters; only calls with equal values for all of them throttle each other.
    /// Empty: all calls of the method do.
    public var key: [String]
    /// What happens to a start that comes too soon; by default it is refused.
    public var policy: Policy
    /// What the interval is measured from; by default the start.
    public var from: Origin

    /// Creates a throttle that permits one start of a method in each `interval`; earlier starts are
    /// refused by default.
    public init(
        _ interval: Duration, by key: [String] = [], policy: Policy = .refuse,
        from: Origin = .start
    ) {
        self.interval = interval.atLeast(.zero)
        self.key = key
        self.policy = policy
        self.from = from
    }
}
