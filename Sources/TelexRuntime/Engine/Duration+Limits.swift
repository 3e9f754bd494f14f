/// Apps may give any length of time. What is too long for clocks and dates would trap.
extension Duration {
    static let day = Duration.seconds(86_400)

    /// A thousand years: nobody waits longer, and a moment so far away is still a date.
    static let longest = Duration.seconds(31_556_952_000 as Int64)

    /// The moment so much later than this one, or that of the ``longest`` time; never an earlier one.
    func later(by time: Duration) -> Duration { self + min(max(time, .zero), .longest) }
}
