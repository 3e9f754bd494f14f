import TelexCredentials
import TelexJSON
import TelexScheduling

/// The operations that have to succeed before another may begin.
///
/// It references them weakly, because releasing a long chain of operations would recurse and
/// overflow the stack. The code that is going to start them retains them.
final class Prerequisites: Sendable {
    typealias Handler = @Sendable (OperationError?) -> Void

    private struct State {
        var missing: Int
        var failure: OperationError?
        /// The handler of the result, until it has been called.
        var handler: Handler?

        var isSettled: Bool { missing == 0 || failure != nil }
    }

    /// Whether they include a group, directly or through their own prerequisites.
    let leadToGroup: Bool
    private let entries: [OperationReference]
    private let state: Lock<State>

    /// Returns nil if there are no operations.
    ///
    /// - Parameter method: The name of the operation that waits for them.
    init?(_ operations: [OperationHandle], of method: String) {
        guard !operations.isEmpty else { return nil }
        leadToGroup = operations.contains(where: \.mayBeInCircle)
        entries = operations.map(OperationReference.init)
        state = Lock(State(missing: operations.count))
        for operation in operations {
            let one = Prerequisite(operation, all: self, of: method)
            operation.atEnd { [weak operation] in one.ended($0, operation?.failure) }
        }
    }

    /// Calls a closure once, when all have succeeded or the first has not; at once if that is
    /// known. May be called at most once.
    func whenSettled(_ handler: @escaping Handler) {
        tell { $0.handler = handler }
    }

    /// The operations, without deallocated ones.
    var operations: [OperationHandle] { entries.compactMap(\.operation) }

    /// Records the end of one of them: nil if it succeeded.
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

/// One of the prerequisites. Only its operation retains it, so that it is deallocated with an
/// operation that never ended and can no longer be started.
private final class Prerequisite: Sendable {
    private let id: OperationID
    private let name: String
    private let dependent: String
    private let all: Prerequisites
    private let hasEnded = AtomicFlag()

    init(_ operation: OperationHandle, all: Prerequisites, of dependent: String) {
        id = operation.id
        name = operation.method.isEmpty ? "operation" : operation.method
        self.dependent = dependent
        self.all = all
    }

    func ended(_ state: OperationState, _ cause: (any Error)?) {
        hasEnded.set()
        all.ended(failure(state, cause))
    }

    private func failure(_ state: OperationState, _ cause: (any Error)?) -> OperationError? {
        switch state {
        case .succeeded: nil
        case .cancelled: error("was cancelled", CancellationError())
        // In a chain, each message includes those of the operations before it, so its length is
        // limited.
        default:
            error("failed\(cause.map { ": \($0.safeDescription.excerpt(500))" } ?? "")", cause)
        }
    }

    private func error(_ fate: String, _ cause: (any Error)? = nil) -> OperationError {
        OperationError(
            .dependency, description: "\(dependent) depends on \(name) \(id), which \(fate)",
            cause: cause)
    }

    deinit {
        guard !hasEnded.isSet else { return }
        all.ended(error("was released before it was started"))
    }
}
