/// Returns once `condition` holds. It is polled, because other processes send no events.
///
/// - Throws: What `condition` throws, and a `CancellationError` if the task is cancelled.
func waitUntil(_ condition: () async throws -> Bool) async throws {
    while try await !condition() { try await Task.sleep(for: .milliseconds(10)) }
}
