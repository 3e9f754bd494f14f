import TelexJSON

/// A one-way latch: closed at first, and open for good after `open()`. With gates, a test decides
/// the order of events instead of sleeping for a guessed time.
public final class Gate: Sendable {
    private struct State {
        var isOpen = false
        var lastTicket = 0
        var waiters: [Int: @Sendable () -> Void] = [:]
    }

    private let state = Lock(State())

    /// Makes a closed gate.
    public init() {}

    /// Whether the gate has been opened.
    public var isOpen: Bool { state.withLock { $0.isOpen } }

    /// Opens the gate for all current and later waiters. Does nothing if the gate is open.
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
                // A task is marked as cancelled before its handlers run. So either
                // `Task.isCancelled` is true here, or the handler finds the waiter.
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

    /// Registers `action` to run when the gate opens. Returns `false`, and never runs it, if the
    /// gate is already open or `isOver` returns `true`.
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

    /// Removes and returns the action registered for a ticket.
    @discardableResult
    func forget(_ ticket: Int) -> (@Sendable () -> Void)? {
        state.withLock { $0.waiters.removeValue(forKey: ticket) }
    }
}
