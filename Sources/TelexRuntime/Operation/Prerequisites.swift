import Synchronization

/// The operations that have to succeed before another may begin.
///
/// It does not hold them: a chain of operations would be let go one inside of the other, and a long
/// one fills the stack. Whoever means to start them has them.
final class Prerequisites: Sendable {
    typealias Handler = @Sendable (OperationError?) -> Void

    private struct State {
        var missing: Int
        var failure: OperationError?
        /// Who wants to know how it went, until told.
        var handler: Handler?

        var isSettled: Bool { missing == 0 || failure != nil }
    }

    /// Whether a group is among them, or among those before them.
    let leadToGroup: Bool
    private let entries: [OperationReference]
    private let state: Mutex<State>

    /// nil if there are none.
    ///
    /// - Parameter method: What the operation is called that waits for them.
    init?(_ operations: [OperationHandle], of method: String) {
        guard !operations.isEmpty else { return nil }
        leadToGroup = operations.contains(where: \.mayCloseCircle)
        entries = operations.map(OperationReference.init)
        state = Mutex(State(missing: operations.count))
        for operation in operations {
            let one = Prerequisite(operation, self, of: method)
            operation.atEnd { [weak operation] in one.ended($0, operation?.failure) }
        }
    }

    /// Calls a closure once, when all have succeeded or the first has not; at once if that is known.
    /// To be asked once.
    func whenSettled(_ handler: @escaping Handler) {
        tell { $0.handler = handler }
    }

    /// Which operations they are, without those that are gone.
    var operations: [OperationHandle] { entries.compactMap(\.operation) }

    /// One of them has succeeded, or why it never will.
    fileprivate func ended(_ failure: OperationError?) {
        tell { state in
            if failure == nil { state.missing -= 1 }
            state.failure = state.failure ?? failure
        }
    }

    private func tell(_ change: (inout State) -> Void) {
        let (handler, failure) = state.withLock { state in
            change(&state)
            return (state.isSettled ? state.handler.take() : nil, state.failure)
        }
        handler?(failure)
    }
}

/// One of them. Only the operation itself holds it: it goes with an operation that never ended, and
/// that nobody can start any more.
private final class Prerequisite: Sendable {
    private let id: OperationID
    private let name: String
    private let dependent: String
    private let all: Prerequisites
    private let hasEnded = Atomic(false)

    init(_ operation: OperationHandle, _ all: Prerequisites, of dependent: String) {
        id = operation.id
        name = operation.method.isEmpty ? "operation" : operation.method
        self.dependent = dependent
        self.all = all
    }

    func ended(_ state: OperationState, _ cause: (any Error)?) {
        hasEnded.store(true, ordering: .relaxed)
        all.ended(failure(state, cause))
    }

    private func failure(_ state: OperationState, _ cause: (any Error)?) -> OperationError? {
        switch state {
        case .succeeded: nil
        case .cancelled: error("was cancelled", CancellationError())
        // Of a long row, each has the words of all before it.
        default:
            error("failed\(cause.map { ": \($0.tellableWords.excerpt(500))" } ?? "")", cause)
        }
    }

    private func error(_ fate: String, _ cause: (any Error)? = nil) -> OperationError {
        OperationError(
            .dependency, "\(dependent) depends on \(name) \(id), which \(fate)", cause: cause)
    }

    deinit {
        guard !hasEnded.load(ordering: .relaxed) else { return }
        all.ended(error("nobody can start any more"))
    }
}
