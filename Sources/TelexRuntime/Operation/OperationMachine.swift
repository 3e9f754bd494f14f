/// The rules of an operation's life, and nothing else: an event goes in, the new state and the
/// actions to carry out come out. No clock, no network, no lock, so a test can walk the whole table.
struct OperationMachine: Equatable, Sendable {
    /// What can happen to an operation.
    enum Event: CaseIterable, Sendable {
        /// Somebody wants the value.
        case start
        /// The queue lets it run.
        case slot
        /// The attempt produced the value.
        case succeed
        /// The attempt, or the way to it, ended in an error.
        case fail
        /// Somebody no longer wants the value.
        case cancel
    }

    /// What the owner of the machine has to do, in this order.
    enum Action: Equatable, Sendable {
        /// Ask the queue for a slot.
        case enqueue
        /// Give up the place in the queue.
        case leaveQueue
        /// Begin an attempt.
        case launch(attempt: Int)
        /// Stop the attempt that is running.
        case stop
        /// Give the outcome to everyone who waits. Happens once in a life.
        case complete
    }

    private(set) var state = OperationState.ready

    /// Takes in an event. An event that means nothing in the present state changes nothing:
    /// a second `start`, a `cancel` after the end, the late result of a cancelled attempt.
    mutating func handle(_ event: Event) -> [Action] {
        switch (state, event) {
        case (.ready, .start): move(to: .queued, [.enqueue])
        case (.ready, .cancel): move(to: .cancelled, [.complete])
        case (.queued, .slot): move(to: .running(attempt: 1), [.launch(attempt: 1)])
        case (.queued, .fail): move(to: .failed, [.complete])
        case (.queued, .cancel): move(to: .cancelled, [.leaveQueue, .complete])
        case (.running, .succeed): move(to: .succeeded, [.complete])
        case (.running, .fail): move(to: .failed, [.complete])
        case (.running, .cancel): move(to: .cancelled, [.stop, .complete])
        default: []
        }
    }

    private mutating func move(to next: OperationState, _ actions: [Action]) -> [Action] {
        state = next
        return actions
    }
}
