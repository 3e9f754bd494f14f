import TelexJSON

/// A lock for tasks. Waiting tasks acquire it in the order of their arrival. It is not recursive: a
/// task that enters it again while holding it deadlocks.
package final class AsyncLock: Sendable {
    private typealias Waiter = CheckedContinuation<Void, any Error>

    private struct State {
        var isHeld = false
        /// The waiters by ticket. A dictionary, so that a cancelled waiter is removed without a
        /// search.
        var waiters: [Int: Waiter] = [:]
        /// The next ticket to be drawn.
        var end = 0
        /// A lower bound of the tickets of all waiters.
        var next = 0

        /// Removes and returns the next waiter, which then holds the lock; marks the lock as free
        /// if there is none.
        mutating func dequeue() -> Waiter? {
            while next < end {
                defer { next += 1 }
                if let waiter = waiters.removeValue(forKey: next) { return waiter }
            }
            isHeld = false
            return nil
        }
    }

    private let state = Lock(State())

    /// The number of waiting tasks.
    package var waiting: Int { state.withLock { $0.waiters.count } }

    /// Runs the closure while holding the lock.
    ///
    /// - Throws: `CancellationError` if the task is cancelled while it waits, and the errors of
    ///   `body`.
    package func withLock<T: Sendable>(_ body: () async throws -> T) async throws -> T {
        try await enter()
        defer { leave() }
        return try await body()
    }

    private func enter() async throws {
        let ticket = state.withLock { state in
            defer { state.end += 1 }
            return state.end
        }
        try await withTaskCancellationHandler {
            try await withCheckedThrowingContinuation { wait($0, ticket) }
        } onCancel: {
            let waiter = state.withLock { $0.waiters.removeValue(forKey: ticket) }
            waiter?.resume(throwing: CancellationError())
        }
    }

    private func wait(_ waiter: Waiter, _ ticket: Int) {
        let result = state.withLock { state -> Result<Void, any Error>? in
            // A task is marked as cancelled before its handler runs, so either this check sees the
            // mark, or the handler finds the waiter.
            if Task.isCancelled { return .failure(CancellationError()) }
            if state.isHeld {
                state.waiters[ticket] = waiter
                // Later tickets may have been served since this one was drawn.
                state.next = min(state.next, ticket)
                return nil
            }
            state.isHeld = true
            return .success(())
        }
        if let result { waiter.resume(with: result) }
    }

    private func leave() {
        state.withLock { $0.dequeue() }?.resume()
    }
}
