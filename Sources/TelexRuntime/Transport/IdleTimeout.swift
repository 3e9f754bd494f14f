import Synchronization

/// How long nothing has been sent or received, apart from the time the reader takes.
package final class IdleTimeout: Sendable {
    private struct State {
        /// When a byte was last sent or received, or the reader last wanted more.
        var lastSign = ContinuousClock.now
        /// Whether the exchange waits for its reader. Bytes that are sent meanwhile change nothing
        /// about that.
        var isPaused = false
    }

    private let state = Mutex(State())

    package init() {}

    /// A byte was sent or received.
    package func end() { state.withLock { $0.lastSign = .now } }

    /// The exchange waits for its reader, until `resume`.
    package func pause() { state.withLock { $0.isPaused = true } }

    /// The reader wants more.
    package func resume() { state.withLock { $0 = State() } }

    /// Returns once there has been silence for as long as `timeout`, or at once if the task is
    /// cancelled.
    package func wait(for timeout: Duration) async {
        while !Task.isCancelled {
            let left = timeLeft(of: timeout)
            // In steps of a day at most: the clock traps on instants that it cannot represent.
            try? await Task.sleep(for: min(left, .seconds(86_400)))
            // If all threads were busy, a byte may have come that nobody could tell of yet.
            await Task.yield()
            if timeLeft(of: timeout) <= .zero { return }
        }
    }

    private func timeLeft(of timeout: Duration) -> Duration {
        state.withLock { $0.isPaused ? timeout : timeout - (.now - $0.lastSign) }
    }
}
