import Synchronization

/// What an attempt of a group says of the operations that the group runs.
extension AttemptContext {
    /// Has a closure asked what runs inside of the operation, which is a group.
    func setMembers(_ members: @escaping @Sendable () -> [OperationHandle]) {
        handle.live.withLock { $0.needRare().members = members }
    }

    /// Has a closure asked how far the operation is, which is a group, when somebody begins to follow
    /// it; nil if that is known.
    func setUntold(_ untold: @escaping @Sendable () -> OperationProgress?) {
        handle.live.withLock { $0.needRare().untold = untold }
    }

    /// - Throws: `.circle` if another operation waits for the end of this one, or of one that this runs
    ///   in, or runs it.
    func checkCircle(_ operation: OperationHandle) throws(OperationError) {
        let around = handle.enclosing
        let isCircle = operation.tree.contains { member in
            around.contains(member.id)
                || member.facts.prerequisites?.ids.contains(where: around.contains) == true
        }
        if isCircle { throw .circle(operation, in: handle) }
    }

    /// The operation, which is a group, runs this one from now on, or no longer does.
    func setRuns(_ isRun: Bool, _ operation: OperationHandle) {
        // Only what runs others needs to know what it runs in.
        guard operation.facts.kind == nil else { return }
        operation.live.withLock { live in
            let rare = live.needRare()
            rare.groups.removeAll { $0 === handle }
            if isRun { rare.groups.append(handle) }
        }
    }

    /// Remembers of the operation, which is a group, that something in it carries the token, if so.
    func noteToken(of member: OperationHandle) {
        guard member.engine === handle.engine, member.carriesToken else { return }
        handle.live.withLock { $0.needRare().hasCarriedToken = true }
    }

    /// Remembers of the operation, which is a group, that its body begins to log out of an engine's API,
    /// or has done so. It may do so several times at once.
    func setLeaving(_ leaves: Bool, _ engine: Engine) {
        guard engine === handle.engine else { return }
        handle.live.withLock { $0.needRare().logOuts += leaves ? 1 : -1 }
    }
}
