import Synchronization

/// Whether the system has told all that happened in a session while the app was not there. That stays
/// true, for everybody who asks, until there is something new to happen.
final class BackgroundEvents: Sendable {
    private struct State {
        var isOver = false
        var waiters: [Int: CheckedContinuation<Void, Never>] = [:]
        var count = 0
    }

    private let state = Mutex(State())

    /// Whether all has been told, and there is no new task since.
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
                    if state.isOver || Task.isCancelled { return true }
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
    func expectMore() { state.withLock { $0.isOver = false } }

    /// All has been told.
    func end() {
        let waiters = state.withLock { state in
            defer { state.waiters = [:] }
            state.isOver = true
            return Array(state.waiters.values)
        }
        for waiter in waiters { waiter.resume() }
    }
}
