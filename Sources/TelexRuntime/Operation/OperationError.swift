/// Why an operation ended that is no call, as a group, or one whose call was never made.
public struct OperationError: Error, Sendable, CustomStringConvertible {
    /// What happened, for programs.
    public enum Reason: Sendable, Hashable {
        /// All of it took longer than it may.
        case timedOut(after: Duration)
        /// An operation that had to come first did not succeed; its own error is the cause.
        case dependency
        /// It would wait for itself: a group is to run itself, or a step that comes, perhaps by others
        /// between, `after:` it or a group that it runs in.
        case circle
        /// Of an attempt: its operation ended, or it was held for so long that another was made.
        case stopped
        /// Nothing else is known.
        case failed
    }

    /// What happened, for programs.
    public let reason: Reason
    /// What happened, in a sentence.
    public let description: String
    /// The error behind it, if there is one.
    public let cause: (any Error)?

    init(_ reason: Reason, _ description: String, cause: (any Error)? = nil) {
        self.reason = reason
        self.description = description
        self.cause = cause
    }

    /// Why the engine ended an operation of this name.
    init(_ failure: EngineFailure, of name: String) {
        let name = name.isEmpty ? "the operation" : "`\(name)`"
        switch failure {
        case .timedOut(let limit), .attemptTimedOut(let limit):
            self.init(.timedOut(after: limit), "\(name) took longer than \(limit.inWords)")
        // Only calls are throttled or need a credential, and attempts have errors of their own.
        case .attempt, .throttled, .replaced, .hostPaused, .notRefreshed:
            self.init(.failed, "\(name) failed")
        }
    }

    /// What runs in an operation would wait for that one's end, which would wait for it.
    static func circle(_ operation: OperationHandle, in group: OperationHandle) -> OperationError {
        OperationError(
            .circle,
            "\(operation) cannot run in \(group): each would wait for the other's end; run it "
                + "after the group")
    }

    /// An attempt was ended before it had an end of its own.
    static let stopped = OperationError(.stopped, "the attempt was stopped")
    /// Nobody said why.
    static let unknown = OperationError(.failed, "the operation failed")
}
