import TelexScheduling

/// Searches for a circle: whether the end of an operation would wait for a group that is to wait
/// for it.
///
/// The search retains the operations that it finds. Releasing the last reference to one may run the
/// app's deinitializers, which must not happen with a lock held.
struct CircleSearch {
    let group: OperationHandle
    private var found: [OperationHandle] = []

    init(in group: OperationHandle) { self.group = group }

    /// Whether the operation is the group or waits for it: because it runs the group, comes after
    /// it, or waits for another operation that does. May be called at most once.
    mutating func isClosed(by operation: OperationHandle) -> Bool {
        var seen: Set<OperationID> = []
        found = [operation]
        var next = 0
        while next < found.count {
            let one = found[next]
            next += 1
            // An operation that has ended waits for none, and none waits for it.
            guard seen.insert(one.id).inserted, !one.hasOutcome else { continue }
            if one === group { return true }
            // Circles are rejected from the start, so what the group waits for does not wait for
            // the group. Skipping it avoids searching a long chain of steps for each of them.
            if !one.isAwaited(by: group) { found += one.awaited }
        }
        return false
    }
}

extension OperationHandle {
    /// The operations that have to end before it, as far as they may be part of a circle.
    fileprivate var awaited: [OperationHandle] {
        let before = attributes.prerequisites.flatMap { $0.leadToGroup ? $0.operations : nil } ?? []
        return before + (existingLinks?.awaited ?? [])
    }

    /// Whether the body of a group waits for it.
    fileprivate func isAwaited(by group: OperationHandle) -> Bool {
        existingLinks?.isAwaited(by: group) ?? false
    }
}
