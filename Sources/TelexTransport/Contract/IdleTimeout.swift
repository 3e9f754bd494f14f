import TelexJSON

/// Measures the time in which no byte is sent or received, without the time that the reader takes.
package final class IdleTimeout: Sendable {
    private struct State {
        /// When a byte was last sent or received, or when the reader last asked for more.
        package var lastActivity = ContinuousClock.now
        /// Whether the exchange waits for its reader. Bytes that are sent during that time do not
        /// end the pause.
        package var isPaused = false
    }

    private let state = Lock(State())

    package init() {}

    /// Records that a byte was sent or received.
    package func end() { state.withLock { $0.lastActivity = .now } }

    /// Stops the clock until `resume`, because the exchange waits for its reader.
    package func pause() { state.withLock { $0.isPaused = true } }

    /// Restarts the clock, because the reader asked for more.
    package func resume() { state.withLock { $0 = State() } }

    /// Returns when no byte has been sent or received for `timeout`, or at once if the task is
    /// cancelled.
    package func wait(for timeout: Duration) async {
        while !Task.isCancelled {
            let left = timeLeft(of: timeout)
            // Sleeps a day at most, because the clock traps on instants that it cannot represent.
            try? await Task.sleep(for: min(left, .seconds(86_400)))
            // Under load, a received byte may not have been recorded yet.
            await Task.yield()
            if timeLeft(of: timeout) <= .zero { return }
        }
    }

    private func timeLeft(of timeout: Duration) -> Duration {
        state.withLock { $0.isPaused ? timeout : timeout - (.now - $0.lastActivity) }
    }
}
