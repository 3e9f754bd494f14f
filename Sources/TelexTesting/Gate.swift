import Synchronization

/// A door that is closed until somebody opens it; then it stays open. It lets a test decide in
/// which order things happen, instead of waiting for some time and hoping.
public final class Gate: Sendable {
    private struct State {
        var isOpen = false
        var lastTicket = 0
        var waiters: [Int: @Sendable () -> Void] = [:]
    }

    private let state = Mutex(State())

    /// Makes a closed gate.
    public init() {}

    /// Whether the gate has been opened.
    public var isOpen: Bool { state.withLock { $0.isOpen } }

    /// Opens the gate for everybody who waits and will wait. Once open, does nothing.
    public func open() {
        let waiters = state.withLock { state in
            state.isOpen = true
            defer { state.waiters = [:] }
            return state.waiters
        }
        for (_, wake) in waiters.sorted(by: { $0.key < $1.key }) { wake() }
    }

    /// Returns once the gate is open, or at once if the task is cancelled.
    public func wait() async {
        let ticket = takeTicket()
        await withTaskCancellationHandler {
            await withCheckedContinuation { continuation in
                // The task is marked as cancelled before its handlers run: either this sees the
                // mark, or the handler finds the waiter.
                let waits = wake(ticket, unless: { Task.isCancelled }) { continuation.resume() }
                if !waits { continuation.resume() }
            }
        } onCancel: {
            forget(ticket)?()
        }
    }

    func takeTicket() -> Int {
        state.withLock { state in
            state.lastTicket += 1
            return state.lastTicket
        }
    }

    /// Has `action` called when the gate opens. Returns `false`, and never calls it, if the gate
    /// is open already or `isOver`.
    func wake(
        _ ticket: Int, unless isOver: () -> Bool = { false },
        _ action: @escaping @Sendable () -> Void
    ) -> Bool {
        state.withLock { state in
            guard !state.isOpen, !isOver() else { return false }
            state.waiters[ticket] = action
            return true
        }
    }

    /// Takes back what was to be called.
    @discardableResult
    func forget(_ ticket: Int) -> (@Sendable () -> Void)? {
        state.withLock { $0.waiters.removeValue(forKey: ticket) }
    }
}
