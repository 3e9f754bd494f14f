#if canImport(FoundationEssentials)
    public import FoundationEssentials
#else
    public import Foundation
#endif

/// The state of an operation.
///
/// ```
/// ready ─start→ queued ─slot→ running(attempt) ──────────────→ succeeded
///                  │  ▲           │      │  └─ fails, may retry → waiting(until) ─→ queued
///                  │  │           │      └──── no valid token ─→ postponed ─new one→ queued
///               suspend resume  suspend            │
///                  ▼  │           ▼                └─ refresh failed → failed
///               suspended ←───────┴─── waiting and postponed operations can be suspended too
/// ready ─start, too soon after another→ waiting(until) ─→ queued
/// any state that is not terminal ─cancel→ cancelled      running ─error, no more attempts→ failed
/// ```
///
/// An operation reaches exactly one terminal state, once. A cancelled operation has not failed.
public enum OperationState: Hashable, Sendable {
    /// Created but not started: nothing has been sent.
    case ready
    /// Started, waiting for its turn.
    case queued
    /// An attempt is running. Attempts are numbered from 1. A call that shares its request
    /// (`coalesce`) is in this state from the start, even while that request waits for its turn,
    /// its next attempt or a credential.
    case running(attempt: Int)
    /// An attempt failed and the next one begins at this time. Or the throttle delays the start
    /// (`Throttle.Policy.delay`, `Throttle.Policy.latest`) until this time, or an earlier one
    /// if calls before it end.
    case waiting(until: Date)
    /// There is no valid credential, or a refresh is in progress; the operation continues when
    /// there is a new credential.
    case postponed
    /// Suspended.
    case suspended
    /// Ended with a value.
    case succeeded
    /// Ended with an error.
    case failed
    /// Cancelled.
    case cancelled

    /// Whether the operation has ended, so that its state is final.
    public var isTerminal: Bool {
        switch self {
        case .succeeded, .failed, .cancelled: true
        case .ready, .queued, .running, .waiting, .postponed, .suspended: false
        }
    }

    /// Whether the operation may still produce a value; true for `ready`.
    public var isActive: Bool { !isTerminal }
}

extension OperationState: CustomStringConvertible {
    /// The state as text.
    public var description: String {
        switch self {
        case .ready: "ready"
        case .queued: "queued"
        case .running(let attempt): "running, attempt \(attempt)"
        case .waiting: "waiting until it may be sent"
        case .postponed: "postponed until there is a new credential"
        case .suspended: "suspended"
        case .succeeded: "succeeded"
        case .failed: "failed"
        case .cancelled: "cancelled"
        }
    }
}
