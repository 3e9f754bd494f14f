/// Waits for what other threads and processes do, but not for ever.
enum Patience {
    /// Looks again and again, for ten seconds at most.
    ///
    /// - Returns: Whether it came.
    @discardableResult
    static func wait(until isThere: () -> Bool) async -> Bool {
        for _ in 0..<1_000 {
            if isThere() { return true }
            try? await Task.sleep(for: .milliseconds(10))
        }
        return isThere()
    }
}
