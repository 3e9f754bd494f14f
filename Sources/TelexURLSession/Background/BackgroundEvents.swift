import Synchronization

/// Whether the system has told all that happened in a session while the app was not there. That stays
/// true, for everybody who asks, until there is something new to happen; and until somebody has asked
/// at all, since the system, which waits for an answer, may not tell it again.
final class BackgroundEvents: Sendable {
    private struct State {
        var isOver = false
        /// Whether somebody knows that it is over.
        var isKnown = false
        var waiters: [Int: CheckedContinuation<Void, Never>] = [:]
        var count = 0
    }

    private let state = Mutex(State())

    /// Whether all has been told, and there is no new task since somebody asked.
    var isOver: Bool { state.withLock { $0.isOver } }

    /// Returns once all has been told, at once if that was so before anybody asked, or if the task
    /// is cancelled.
    func wait() async {
        let number = state.withLock { state in
            state.count += 1
            return state.count
        }
        await withTaskCancellationHandler {
            await withCheckedContinuation { waiter in
                let goesOn = state.withLock { state in
                    if Task.isCancelled { return true }
                    if state.isOver {
                        state.isKnown = true
                        return true
                    }
                    state.waiters[number] = waiter
                    return false
                }
                if goesOn { waiter.resume() }
            }
        } onCancel: {
            state.withLock { $0.waiters.removeValue(forKey: number) }?.resume()
        }
    }

    /// There is a new task, of which something will be told.
    func expectMore() {
        state.withLock { state in
            guard state.isKnown else { return }
            state.isOver = false
            state.isKnown = false
        }
    }

    /// All has been told.
    func end() {
        let waiters = state.withLock { state in
            defer { state.waiters = [:] }
            state.isOver = true
            state.isKnown = state.isKnown || !state.waiters.isEmpty
            return Array(state.waiters.values)
        }
        for waiter in waiters { waiter.resume() }
    }
}
