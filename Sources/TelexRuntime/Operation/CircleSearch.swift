/// Whether the end of an operation would wait for a group that is to wait for it.
///
/// What is found is held as long as the search: whoever is the last to hold one lets go of all that its
/// user has made it of, which must not happen with a lock held.
struct CircleSearch {
    let group: OperationHandle
    private var found: [OperationHandle] = []

    init(in group: OperationHandle) { self.group = group }

    /// Whether the operation is the group, or waits for it: because it runs it, comes after it, or waits
    /// for another that does. To be asked once.
    mutating func isClosed(by operation: OperationHandle) -> Bool {
        var seen: Set<OperationID> = []
        found = [operation]
        var next = 0
        while next < found.count {
            let one = found[next]
            next += 1
            // What has ended waits for nothing, and nobody for it.
            guard seen.insert(one.id).inserted, !one.hasOutcome else { continue }
            if one === group { return true }
            // No circle was let through before: what the group waits for does not wait for it. The steps
            // of a group may be a long row, and nobody looks through all of it for each.
            if !one.isAwaited(by: group) { found += one.awaited }
        }
        return false
    }
}

extension OperationHandle {
    /// Whether it may be a part of a circle: it is a group, or comes after one, however many are between.
    var mayCloseCircle: Bool { facts.kind == nil || facts.prerequisites?.leadToGroup == true }

    /// What has to end before it does, as far as that may be a part of a circle.
    fileprivate var awaited: [OperationHandle] {
        let before = facts.prerequisites.flatMap { $0.leadToGroup ? $0.operations : nil } ?? []
        return before + live.withLock { $0.coldState.map { Array($0.awaited.values) } ?? [] }
    }

    /// Whether the body of a group waits for it.
    fileprivate func isAwaited(by group: OperationHandle) -> Bool {
        live.withLock { $0.coldState?.groups.contains { $0 === group } ?? false }
    }
}
