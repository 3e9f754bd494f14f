/// What an attempt of a group reports about the operations that the group runs.
extension AttemptContext {
    /// Registers a closure that returns the operations that the group runs.
    func setMembers(_ members: @escaping @Sendable () -> [OperationHandle]) {
        handle.live.withLock { $0.requireColdState().members = members }
    }

    /// Registers a closure that returns the group's progress when the first listener arrives; it
    /// returns nil if the progress has been reported.
    func setUnreported(_ unreported: @escaping @Sendable () -> OperationProgress?) {
        handle.live.withLock { $0.requireColdState().unreported = unreported }
    }

    /// Records whether the body of the group waits for an operation.
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

    /// Removes the group from the engines that track it as a foreign group when it ends.
    func removeFromForeignEnginesAtEnd() {
        handle.atEnd { [weak handle] _ in handle?.removeFromForeignEngines() }
    }

    /// Records that the group begins to run an operation, which may carry a token.
    func recordTokens(of member: OperationHandle) { handle.recordTokens(of: member) }

    /// Records the begin or end of a log-out of an engine's API in the body of the group. Several
    /// may be in progress at once.
    func setLoggingOut(_ leaves: Bool, _ engine: Engine) {
        handle.live.withLock { live in
            let coldState = live.requireColdState()
            let count = coldState.logOuts[engine.id, default: 0] + (leaves ? 1 : -1)
            coldState.logOuts[engine.id] = count > 0 ? count : nil
        }
    }
}
