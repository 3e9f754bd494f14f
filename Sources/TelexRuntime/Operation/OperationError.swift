import TelexScheduling

#if canImport(FoundationEssentials)
    public import FoundationEssentials
#else
    public import Foundation
#endif

/// The error of an operation that is not a call, such as a group, or whose call was never made.
public struct OperationError: Error, Sendable, CustomStringConvertible {
    /// What happened, for programs.
    public enum Reason: Sendable, Hashable {
        /// The operation exceeded its time limit.
        case timedOut(after: Duration)
        /// The group was started too soon after the last start; see ``GroupStart/throttle``. It may
        /// start at this time, at the earliest.
        case throttled(until: Date)
        /// A group started later replaced it; see `Throttle.Policy.latest`.
        case replaced
        /// A prerequisite did not succeed; its own error is the cause.
        case dependency
        /// It would wait for itself: a group would run itself, or a step that comes `after:` it or
        /// after a group that it runs in, directly or indirectly.
        case circle
        /// For an attempt: its operation ended, or it was paused for so long that another attempt
        /// replaced it.
        case stopped
        /// For a list: the position where it is to begin is that of another kind of list.
        case position
        /// The reason is unknown.
        case failed
    }

    /// What happened, for programs.
    public let reason: Reason
    /// What happened, in a sentence.
    public let description: String
    /// The underlying error, if any.
    public let cause: (any Error)?

    init(_ reason: Reason, description: String, cause: (any Error)? = nil) {
        self.reason = reason
        self.description = description
        self.cause = cause
    }

    /// Creates the error of an operation with this name that the engine ended.
    init(_ failure: EngineFailure, of name: String, _ engine: Engine) {
        let name = name.isEmpty ? "the operation" : "`\(name)`"
        switch failure {
        case .timedOut(let limit), .attemptTimedOut(let limit):
            self.init(
                .timedOut(after: limit),
                description: "\(name) took longer than \(limit.roundedDescription)")
        case .throttled(let moment):
            self.init(
                .throttled(until: engine.date(of: moment)),
                description: "\(name) was started too soon after the last start")
        case .replaced:
            self.init(.replaced, description: "a later start replaced \(name)")
        // Only calls need a host or a credential, and attempts have their own errors.
        case .attempt, .hostPaused, .network, .notRefreshed:
            self.init(.failed, description: "\(name) failed")
        }
    }

    /// The error of an operation that a group cannot run, because each would wait for the end of
    /// the other.
    static func circle(_ operation: OperationHandle, in group: OperationHandle) -> OperationError {
        OperationError(
            .circle,
            description:
                "\(operation) cannot run in \(group): each would wait for the other to end; run it "
                + "after the group")
    }

    /// The error of an attempt that was stopped before its end.
    static let stopped = OperationError(.stopped, description: "the attempt was stopped")
    /// The error of an operation that failed without a known reason.
    static let unknown = OperationError(.failed, description: "the operation failed")
}
