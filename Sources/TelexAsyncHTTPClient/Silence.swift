#if AsyncHTTPClient
    import Synchronization

    /// How long nothing has been sent or received, apart from the time the reader takes.
    final class Silence: Sendable {
        /// When a byte was last sent or received; `nil` while the exchange waits for its reader.
        private let lastSign: Mutex<ContinuousClock.Instant?> = Mutex(.now)

        /// A byte was sent or received, or the reader wants more.
        func end() { lastSign.withLock { $0 = .now } }

        /// The exchange waits for its reader, until the next `end`.
        func pause() { lastSign.withLock { $0 = nil } }

        /// Returns once there has been silence for as long as `timeout`, or at once if the task is
        /// cancelled.
        func wait(for timeout: Duration) async {
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
            lastSign.withLock { sign in sign.map { timeout - (.now - $0) } ?? timeout }
        }
    }
#endif
