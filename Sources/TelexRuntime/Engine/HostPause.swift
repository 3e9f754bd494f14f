/// How calls come back to a host that asked to be left alone: the first at the moment that it named,
/// the others one after another, so that the server does not meet at once all that waited for it.
///
/// `Retry-After` names the least time to wait (RFC 9110, section 10.2.3): whatever is added comes
/// after it, never before. Clients that were told the same moment and keep to it exactly do together
/// again what they were turned away for; a random part keeps them apart ("Exponential Backoff And
/// Jitter", AWS Architecture Blog, 2015). Of the pause a tenth is added at most, and never more than
/// a second, so that nobody who watches notices; then all go that still wait.
struct HostPause: Sendable {
    /// Two calls of the few that wait are this far apart on average. More calls share the time.
    private static let longestDistance = Duration.milliseconds(50)
    /// Timers are late by about as much. What they lose of it is made up for, so that thousands of
    /// calls keep to their time.
    private static let lateness = Duration.milliseconds(2)

    /// A time in which nobody calls, and the short one after it in which calls come back.
    struct Stretch: Sendable {
        /// When the next call may go.
        fileprivate(set) var opening = Duration.zero
        /// From when on calls go as they come.
        fileprivate(set) var end = Duration.zero

        fileprivate mutating func extend(for time: Duration, at now: Duration) {
            opening = max(opening, now + time)
            end = max(end, now + time + HostPause.spread(after: time))
        }
    }

    /// What the host asked for because it was busy.
    private(set) var demand = Stretch()
    /// What it advised in another reply. It may have been about a part of the API only: nobody fails
    /// because of it, and it is over once the host says so.
    private(set) var advice = Stretch()

    /// When the next call may go.
    var opening: Duration { max(demand.opening, advice.opening) }
    /// From when on calls go as they come.
    var end: Duration { max(demand.end, advice.end) }

    /// In how much time those who were told to wait come back, from the moment on that was named.
    static func spread(after wait: Duration) -> Duration {
        min(max(.zero, wait) / 10, .seconds(1))
    }

    /// The host asked for a pause; of several pauses the longest counts.
    mutating func extend(for time: Duration, at now: Duration) {
        demand.extend(for: time, at: now)
    }

    /// The host advises a pause; nil for none.
    mutating func advise(_ time: Duration?, at now: Duration) {
        if let time { advice.extend(for: time, at: now) } else { advice = Stretch() }
    }

    /// A call goes: the next one keeps its distance.
    ///
    /// - Parameters:
    ///   - waiting: How many calls wait for the host.
    ///   - chance: A random number between 0 and 1.
    mutating func go(at now: Duration, waiting: Int, chance: Double) {
        guard now < end else { return }
        let distance = min(Self.longestDistance, (end - now) / max(1, waiting))
        let next = min(max(opening, now - Self.lateness) + distance * (0.5 + chance), end)
        // Whichever lasts longer keeps the distance.
        if demand.end >= advice.end { demand.opening = next } else { advice.opening = next }
    }
}
