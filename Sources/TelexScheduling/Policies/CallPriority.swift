/// The priority of a waiting call.
public enum CallPriority: Int, Sendable, Hashable, Comparable, CaseIterable {
    /// Runs when no other call waits.
    case low
    /// The default.
    case normal
    /// Runs before other calls.
    case high

    /// Compares priorities: `low` < `normal` < `high`.
    public static func < (left: CallPriority, right: CallPriority) -> Bool {
        left.rawValue < right.rawValue
    }
}
