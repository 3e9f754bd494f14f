/// Bounds for durations, because apps may pass any value and extreme ones make clocks and dates
/// trap.
extension Duration {
    package static let day = Duration.seconds(86_400)

    /// A thousand years: longer than any wait, while the resulting date is still representable.
    package static let longest = Duration.seconds(31_556_952_000 as Int64)

    /// This time plus `time`, which is clamped between zero and ``longest``.
    package func later(by time: Duration) -> Duration { self + min(max(time, .zero), .longest) }
}
