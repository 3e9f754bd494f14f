import TelexJSON

/// Records whether the system has delivered all events of a session that occurred while the app was
/// not running.
///
/// That state remains, for all waiters, until more events are expected or one is delivered. It also
/// remains until the first call of `wait`, because the system, which waits for the completion
/// handler, may not report it again.
final class BackgroundEvents: Sendable {
    private enum Phase {
        /// Events are pending.
        case pending
        /// All events have been delivered; `wait` has not been called since.
        case delivered
        /// As `delivered`, but more events are expected since.
        case deliveredBeforeMore
        /// All events have been delivered, and a waiter has learned it.
        case acknowledged
    }

    private struct State {
        var phase = Phase.pending
        var waiters: [Int: CheckedContinuation<Void, Never>] = [:]
        var count = 0
    }

    private let state = Lock(State())

    /// Whether no events are pending, or a completed delivery has not been awaited yet.
    var isOver: Bool { state.withLock { $0.phase != .pending } }

    /// Returns when all events have been delivered; at once if that happened before the first call,
    /// or if the task is cancelled.
    func wait() async {
        let number = state.withLock { state in
            state.count += 1
            return state.count
        }
        await withTaskCancellationHandler {
            await withCheckedContinuation { waiter in
                let goesOn = state.withLock { state in
                    if Task.isCancelled { return true }
                    switch state.phase {
                    case .delivered, .acknowledged:
                        state.phase = .acknowledged
                        return true
                    case .deliveredBeforeMore:
                        state.phase = .pending
                        return true
                    case .pending: break
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

    /// Records that events of a task are expected, or that one was just delivered.
    func expectMore() {
        state.withLock { state in
            switch state.phase {
            case .delivered: state.phase = .deliveredBeforeMore
            case .acknowledged: state.phase = .pending
            case .pending, .deliveredBeforeMore: break
            }
        }
    }

    /// Records that all events have been delivered, and resumes the waiters.
    func end() {
        let waiters = state.withLock { state in
            defer { state.waiters = [:] }
            let isKnown = !state.waiters.isEmpty || state.phase == .acknowledged
            state.phase = isKnown ? .acknowledged : .delivered
            return Array(state.waiters.values)
        }
        for waiter in waiters { waiter.resume() }
    }
}
