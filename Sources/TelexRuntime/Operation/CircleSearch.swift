/// Whether the end of an operation would wait for one that is to wait for it.
struct CircleSearch {
    /// The groups that would wait.
    private let waiting: Set<OperationID>

    /// - Parameter groups: Those that are to wait for the operation; so do the groups that they run in,
    ///   to any depth. What has ended waits for nothing.
    init(in groups: [OperationHandle]) {
        var (found, open): (Set<OperationID>, [OperationHandle]) = ([], groups)
        while let next = open.popLast() {
            guard !next.hasOutcome, found.insert(next.id).inserted else { continue }
            open += next.live.withLock { $0.rare?.groups ?? [] }
        }
        waiting = found
    }

    /// Whether the operation is one of them, or waits for one: because it runs it, comes after it, or
    /// waits for another that does.
    func isClosed(by operation: OperationHandle) -> Bool {
        var (seen, open): (Set<OperationID>, [OperationHandle]) = ([], [operation])
        var found: [Prerequisites] = []
        while let next = open.popLast() {
            if waiting.contains(next.id) { return true }
            guard seen.insert(next.id).inserted, !next.hasOutcome else { continue }
            open += next.members
            // The steps of a group may be a long row, and nobody looks through all of it for each.
            guard let before = next.facts.prerequisites, !before.waitForNone(of: waiting) else {
                continue
            }
            found.append(before)
            open += before.operations
        }
        for before in found { before.noteWaitForNone(of: waiting) }
        return false
    }
}
