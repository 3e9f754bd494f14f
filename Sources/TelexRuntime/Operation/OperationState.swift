/// Where an operation is in its life.
///
/// ```
/// ready ─start→ queued ─slot→ running(attempt) ─→ succeeded | failed
/// any state that is not terminal ─cancel→ cancelled
/// ```
///
/// An operation reaches exactly one terminal state, once. Cancelled is not failed.
public enum OperationState: Hashable, Sendable {
    /// Made, not started: nothing has been sent.
    case ready
    /// Started, waiting for its turn.
    case queued
    /// At work. Attempts count from 1.
    case running(attempt: Int)
    /// Ended with a value.
    case succeeded
    /// Ended with an error.
    case failed
    /// Ended because somebody cancelled it.
    case cancelled

    /// Whether the operation has ended and can never change again.
    public var isTerminal: Bool {
        switch self {
        case .succeeded, .failed, .cancelled: true
        case .ready, .queued, .running: false
        }
    }

    /// Whether the operation may still produce a value. A `ready` operation counts as active.
    public var isActive: Bool { !isTerminal }
}

extension OperationState: CustomStringConvertible {
    /// The state in words.
    public var description: String {
        switch self {
        case .ready: "ready"
        case .queued: "queued"
        case .running(let attempt): "running, attempt \(attempt)"
        case .succeeded: "succeeded"
        case .failed: "failed"
        case .cancelled: "cancelled"
        }
    }
}
