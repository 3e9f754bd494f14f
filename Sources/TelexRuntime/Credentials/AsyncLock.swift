import Synchronization

/// A critical section for tasks: one is inside, the others wait in the order of their arrival. It
/// is not recursive: a task that enters again from inside waits for itself.
final class AsyncLock: Sendable {
    private typealias Waiter = CheckedContinuation<Void, any Error>

    private struct State {
        var isHeld = false
        /// Waiters by ticket. A dictionary, so that one who gives up costs no search.
        var waiters: [Int: Waiter] = [:]
        /// The ticket after the last that was given out.
        var end = 0
        /// No waiter has a ticket before this one.
        var next = 0

        /// Lets the next waiter in, or leaves the section empty.
        mutating func passOn() -> Waiter? {
            while next < end {
                defer { next += 1 }
                if let waiter = waiters.removeValue(forKey: next) { return waiter }
            }
            isHeld = false
            return nil
        }
    }

    private let state = Mutex(State())

    /// How many tasks wait.
    var waiting: Int { state.withLock { $0.waiters.count } }

    /// Runs the closure when nobody else is inside.
    ///
    /// - Throws: `CancellationError` if the task is cancelled while it waits, and what `body` throws.
    func withLock<T: Sendable>(_ body: () async throws -> T) async throws -> T {
        try await enter()
        defer { leave() }
        return try await body()
    }

    private func enter() async throws {
        let scheduling = state.withLock { state in
            defer { state.end += 1 }
            return state.end
        }
        try await withTaskCancellationHandler {
            try await withCheckedThrowingContinuation { wait($0, scheduling) }
        } onCancel: {
            let waiter = state.withLock { $0.waiters.removeValue(forKey: scheduling) }
            waiter?.resume(throwing: CancellationError())
        }
    }

    private func wait(_ waiter: Waiter, _ scheduling: Int) {
        let result = state.withLock { state -> Result<Void, any Error>? in
            // The task is marked as cancelled before its handler runs: either this sees the mark,
            // or the handler finds the waiter.
            if Task.isCancelled { return .failure(CancellationError()) }
            if state.isHeld {
                state.waiters[scheduling] = waiter
                // Others may have been served between the ticket and now.
                state.next = min(state.next, scheduling)
                return nil
            }
            state.isHeld = true
            return .success(())
        }
        if let result { waiter.resume(with: result) }
    }

    private func leave() {
        state.withLock { $0.passOn() }?.resume()
    }
}
