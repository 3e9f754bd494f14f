import Synchronization

/// Whether the system has told all that happened in a session while the app was not there. That stays
/// true, for everybody who asks, until there is something new to happen or something is told; and
/// until somebody has asked at all, since the system, which waits for an answer, may not tell it
/// again.
final class BackgroundEvents: Sendable {
    private enum Phase {
        /// There is something to be told.
        case underWay
        /// All has been told, and nobody has asked.
        case told
        /// The same, and there is more since.
        case toldBeforeMore
        /// All has been told, and somebody knows.
        case known
    }

    private struct State {
        var phase = Phase.underWay
        var waiters: [Int: CheckedContinuation<Void, Never>] = [:]
        var count = 0
    }

    private let state = Mutex(State())

    /// Whether all has been told, and there is nothing more since somebody asked.
    var isOver: Bool { state.withLock { $0.phase != .underWay } }

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
                    switch state.phase {
                    case .told, .known:
                        state.phase = .known
                        return true
                    case .toldBeforeMore:
                        state.phase = .underWay
                        return true
                    case .underWay: break
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

    /// There is a task of which something will be told, or something of it was told just now.
    func expectMore() {
        state.withLock { state in
            switch state.phase {
            case .told: state.phase = .toldBeforeMore
            case .known: state.phase = .underWay
            case .underWay, .toldBeforeMore: break
            }
        }
    }

    /// All has been told.
    func end() {
        let waiters = state.withLock { state in
            defer { state.waiters = [:] }
            let isKnown = !state.waiters.isEmpty || state.phase == .known
            state.phase = isKnown ? .known : .told
            return Array(state.waiters.values)
        }
        for waiter in waiters { waiter.resume() }
    }
}
