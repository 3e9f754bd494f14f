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

    /// The error of an attempt that was stopped before its end.
    static let stopped = OperationError(.stopped, description: "the attempt was stopped")
    /// The error of an operation that failed without a known reason.
    static let unknown = OperationError(.failed, description: "the operation failed")
}
