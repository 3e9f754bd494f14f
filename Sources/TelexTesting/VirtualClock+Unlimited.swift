extension VirtualClock {
    /// A limit of real time that only a hang reaches.
    private static let practicallyNever = Duration.seconds(7 * 24 * 3_600)

    /// Returns once at least `count` tasks sleep, or at once if the task is cancelled.
    ///
    /// For the tests of this package, which must not depend on the speed of the machine: calls without a
    /// limit resolve to this overload.
    package func waitForSleepers(_ count: Int) async {
        await waitForSleepers(count, within: Self.practicallyNever)
    }

    /// Returns once a task sleeps that wakes at this moment or sooner, or at once if the task is
    /// cancelled.
    package func waitForSleeper(until deadline: Duration) async {
        await waitForSleeper(until: deadline, within: Self.practicallyNever)
    }
}
