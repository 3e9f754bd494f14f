import Synchronization

/// What an attempt of a group says of the operations that the group runs.
extension AttemptContext {
    /// Has a closure asked what runs inside of the operation, which is a group.
    func setMembers(_ members: @escaping @Sendable () -> [OperationHandle]) {
        handle.live.withLock { $0.requireColdState().members = members }
    }

    /// Has a closure asked how far the operation is, which is a group, when somebody begins to follow
    /// it; nil if that is known.
    func setUntold(_ untold: @escaping @Sendable () -> OperationProgress?) {
        handle.live.withLock { $0.requireColdState().untold = untold }
    }

    /// The body of the operation, which is a group, waits for this one from now on, or no longer does.
    func setAwaits(_ awaits: Bool, _ operation: OperationHandle) {
        operation.live.withLock { live in
            let coldState = live.requireColdState()
            coldState.groups.removeAll { $0 === handle }
            if awaits { coldState.groups.append(handle) }
        }
        handle.live.withLock {
            $0.requireColdState().awaited[operation.id] = awaits ? operation : nil
        }
    }

    /// Has the engines that know the operation as a guest forget it at its end.
    func leaveEnginesAtEnd() {
        handle.atEnd { [weak handle] _ in handle?.leaveEngines() }
    }

    /// The operation, which is a group, begins to run this one, which may carry a token.
    func noteTokens(of member: OperationHandle) { handle.noteTokens(of: member) }

    /// Remembers of the operation, which is a group, that its body begins to log out of an engine's API,
    /// or has done so. It may do so several times at once.
    func setLeaving(_ leaves: Bool, _ engine: Engine) {
        handle.live.withLock { live in
            let coldState = live.requireColdState()
            let count = coldState.logOuts[engine.id, default: 0] + (leaves ? 1 : -1)
            coldState.logOuts[engine.id] = count > 0 ? count : nil
        }
    }
}
