#if canImport(FoundationEssentials)
    public import FoundationEssentials
#else
    public import Foundation
#endif

/// Where an operation is in its life.
///
/// ```
/// ready ─start→ queued ─slot→ running(attempt) ──────────────→ succeeded
///                  │  ▲           │      │  └─ fails, may retry → waiting(until) ─→ queued
///                  │  │           │      └──── no good token ──→ postponed ─new one→ queued
///               suspend resume  suspend            │
///                  ▼  │           ▼                └─ refresh failed → failed
///               suspended ←───────┴─── waiting and postponed ones may be suspended, too
/// ready ─start, too soon after another→ waiting(until) ─→ queued
/// any state that is not terminal ─cancel→ cancelled      running ─error, no more attempts→ failed
/// ```
///
/// An operation reaches exactly one terminal state, once. Cancelled is not failed.
public enum OperationState: Hashable, Sendable {
    /// Made, not started: nothing has been sent.
    case ready
    /// Started, waiting for its turn.
    case queued
    /// At work. Attempts count from 1. A call that shares its request with equal ones (`coalesce`) is so
    /// from the start, also while that request waits for its turn, for its next attempt or for a
    /// credential.
    case running(attempt: Int)
    /// An attempt failed, and the next one comes at this moment; or the start came too soon after
    /// another (``Throttle/Policy/delay``, ``Throttle/Policy/latest``), and comes then, or sooner if
    /// others that wait before it end.
    case waiting(until: Date)
    /// There is no good credential, or a new one is being fetched; it goes on as soon as there is one.
    case postponed
    /// Somebody stopped it for a while.
    case suspended
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
        case .ready, .queued, .running, .waiting, .postponed, .suspended: false
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
        case .waiting: "waiting until it may be sent"
        case .postponed: "postponed until there is a new credential"
        case .suspended: "suspended"
        case .succeeded: "succeeded"
        case .failed: "failed"
        case .cancelled: "cancelled"
        }
    }
}
