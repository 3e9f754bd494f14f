/// Waits for other threads and processes, with a limit.
enum PolledCondition {
    /// Checks a condition repeatedly, for ten seconds at most.
    ///
    /// - Returns: Whether the condition was met.
    @discardableResult
    static func wait(until isThere: () -> Bool) async -> Bool {
        for _ in 0..<1_000 {
            if isThere() { return true }
            try? await Task.sleep(for: .milliseconds(10))
        }
        return isThere()
    }
}
