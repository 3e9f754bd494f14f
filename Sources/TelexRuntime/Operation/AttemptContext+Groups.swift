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

    /// - Parameter asking: The group whose body wants this, if it is another.
    /// - Throws: `.circle` if the operation is one of the two, or one that they run in, or waits for the
    ///   end of such a one.
    func checkCircle(
        _ operation: OperationHandle, askedBy asking: AttemptContext?
    ) throws(OperationError) {
        let groups = [handle] + (asking.map { [$0.handle] } ?? [])
        guard CircleSearch(in: groups).isClosed(by: operation) else { return }
        let isOwn = CircleSearch(in: [handle]).isClosed(by: operation)
        throw .circle(operation, in: isOwn ? handle : groups[groups.count - 1])
    }

    /// The operation, which is a group, runs this one from now on, or no longer does.
    ///
    /// - Parameter asking: The group whose body wants this, if it is another: it waits as well.
    func setRuns(_ isRun: Bool, _ operation: OperationHandle, askedBy asking: AttemptContext?) {
        // Only what runs others needs to know what it runs in.
        guard operation.facts.kind == nil else { return }
        operation.live.withLock { live in
            let rare = live.needRare()
            rare.groups.removeAll { $0 === handle || $0 === asking?.handle }
            guard isRun else { return }
            rare.groups.append(handle)
            if let asking { rare.groups.append(asking.handle) }
        }
    }

    /// The operation, which is a group, begins to run this one, which may carry a token.
    func noteTokens(of member: OperationHandle) { handle.noteTokens(of: member) }

    /// Remembers of the operation, which is a group, that its body begins to log out of an engine's API,
    /// or has done so. It may do so several times at once.
    func setLeaving(_ leaves: Bool, _ engine: Engine) {
        let id = ObjectIdentifier(engine)
        handle.live.withLock { live in
            let rare = live.needRare()
            let count = rare.logOuts[id, default: 0] + (leaves ? 1 : -1)
            rare.logOuts[id] = count > 0 ? count : nil
        }
    }
}
