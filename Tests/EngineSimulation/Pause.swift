/// What a host asked for, and how calls have come back to it since.
struct Pause {
    /// Nobody goes before this moment.
    private(set) var opening = Duration.zero
    /// From this moment on nobody is held up on account of the pause.
    private(set) var end = Duration.zero
    /// The next one goes between these moments.
    private(set) var earliest = Duration.zero
    private(set) var latest = Duration.zero

    /// What may be added to a wait that a server asked for.
    static func spread(_ time: Duration) -> Duration { min(time / 10, .seconds(1)) }

    mutating func extend(_ time: Duration, at now: Duration) {
        opening = max(opening, now + time)
        end = max(end, now + time + Self.spread(time))
    }

    /// Somebody goes, while so many others wait: they share the time that is left, but no two of them
    /// are more than 50 ms apart, give or take a half, and a late alarm is made up for.
    mutating func goes(at now: Duration, waiting: Int) {
        guard now < end else { return }
        let most = min(end - now, .milliseconds(50))
        let least = min((end - now) / max(1, waiting), most)
        earliest = min(now + least / 2 - .milliseconds(2), end)
        latest = min(now + most * 1.5, end)
    }
}
