import Dispatch

/// Does what computes for seconds on a thread for such tests, one after the other, as part of the task
/// that calls.
///
/// All tests share a pool of as many threads as there are cores. A few that compute at the same time
/// would make every other test wait for them in each of its steps, until its time-outs are over.
///
/// - Throws: What `work` throws.
public func onThreadForLongTests<Value>(
    _ work: () async throws -> Value
) async rethrows -> Value {
    try await withTaskExecutorPreference(ThreadForLongTests.shared) { try await work() }
}

private final class ThreadForLongTests: TaskExecutor {
    static let shared = ThreadForLongTests()

    /// A serial queue does not run on the threads of the pool.
    private let queue = DispatchQueue(label: "long tests")

    func enqueue(_ job: consuming ExecutorJob) {
        let job = UnownedJob(job)
        queue.async { job.runSynchronously(on: self.asUnownedTaskExecutor()) }
    }
}
