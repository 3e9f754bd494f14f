/// Spreads the calls to a host after a pause: the first call goes at the time that the host named,
/// the following ones one after another, so that the server does not receive all of them at once.
///
/// `Retry-After` names the least time to wait (RFC 9110, section 10.2.3), so delays are only added
/// after it. Clients that return at exactly the same time would cause the same overload again; a
/// random part keeps them apart ("Exponential Backoff And Jitter", AWS Architecture Blog, 2015).
/// The spread is at most a tenth of the pause and at most one second, so that users do not notice
/// it. After it, all remaining calls go.
struct HostPause: Sendable {
    /// The average distance of two calls if few wait. More calls share the spread.
    private static let longestDistance = Duration.milliseconds(50)
    /// The usual delay of a timer. The schedule makes up for it, so that thousands of calls do not
    /// accumulate it.
    private static let lateness = Duration.milliseconds(2)

    /// A pause and the short spread after it.
    struct SpreadPause: Sendable {
        /// When the next call may go.
        fileprivate(set) var opening = Duration.zero
        /// The end of the spread, after which calls are no longer delayed.
        fileprivate(set) var end = Duration.zero

        fileprivate mutating func extend(for time: Duration, at now: Duration) {
            opening = max(opening, now + time)
            end = max(end, now + time + HostPause.spread(after: time))
        }
    }

    /// The pause that the host demanded because it was overloaded.
    private(set) var demand = SpreadPause()
    /// The pause that the host advised in another reply. It may concern only a part of the API, so
    /// no operation fails because of it, and the host can revoke it.
    private(set) var advice = SpreadPause()
    /// The pace of calls to a host that limits their rate. It replaces the spread.
    private var pace: LearnedPace?

    /// When the next call may go.
    var opening: Duration { max(demand.opening, advice.opening, pace?.opening ?? .zero) }
    /// When the spreads and the pace are over.
    var end: Duration { max(demand.end, advice.end, pace?.end ?? .zero) }

    /// The length of the spread after a pause.
    static func spread(after wait: Duration) -> Duration {
        min(max(.zero, wait) / 10, .seconds(1))
    }

    /// Records a pause that the host demanded; the longest of several counts.
    mutating func extend(for time: Duration, at now: Duration) {
        demand.extend(for: time, at: now)
    }

    /// Records a pause that the host advised; nil revokes it.
    mutating func advise(_ time: Duration?, at now: Duration) {
        if let time { advice.extend(for: time, at: now) } else { advice = SpreadPause() }
    }

    /// Records that the host refused a call because it limits their rate.
    ///
    /// - Returns: Whether the call was sent before an earlier refusal was known.
    mutating func refuse(for time: Duration, at now: Duration, in burst: HostBurst) -> Bool {
        let time = max(.zero, time)
        guard let pace, pace.end > now else {
            pace = LearnedPace(after: time, at: now, in: burst)
            return false
        }
        self.pace?.refused(for: time, at: now)
        return pace.isPaused(at: now)
    }

    /// Records that the host served a call.
    mutating func noteServed(at now: Duration) { pace?.noteServed(at: now) }

    /// Records that a call goes, and delays the next one.
    ///
    /// - Parameters:
    ///   - waiting: The number of calls that wait for the host.
    ///   - chance: A random number between 0 and 1.
    mutating func go(at now: Duration, waiting: Int, chance: Double) {
        guard now < end else { return }
        guard pace.map({ $0.end <= now }) ?? true else {
            pace?.go(at: now)
            return
        }
        let distance = min(Self.longestDistance, (end - now) / max(1, waiting))
        let next = min(max(opening, now - Self.lateness) + distance * (0.5 + chance), end)
        // The pause that ends later spaces the calls.
        if demand.end >= advice.end { demand.opening = next } else { advice.opening = next }
    }
}
