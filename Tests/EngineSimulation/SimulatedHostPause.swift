/// The pause of a host, and the spread of the calls after it.
struct SimulatedHostPause {
    /// No call starts before this moment.
    private(set) var opening = Duration.zero
    /// From this moment on, the pause delays no call.
    private(set) var end = Duration.zero
    /// The next call starts between these moments.
    private(set) var earliest = Duration.zero
    private(set) var latest = Duration.zero

    /// The longest addition to a delay that a server asked for.
    static func spread(_ time: Duration) -> Duration { min(time / 10, .seconds(1)) }

    mutating func extend(_ time: Duration, at now: Duration) {
        opening = max(opening, now + time)
        end = max(end, now + time + Self.spread(time))
    }

    /// A call starts while `waiting` others wait. They share the remaining time, at most 50 ms
    /// apart, plus or minus a half; a late alarm is compensated.
    mutating func goes(at now: Duration, waiting: Int) {
        guard now < end else { return }
        let most = min(end - now, .milliseconds(50))
        let least = min((end - now) / max(1, waiting), most)
        earliest = min(now + least / 2 - .milliseconds(2), end)
        latest = min(now + most * 1.5, end)
    }
}
