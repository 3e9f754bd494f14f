/// What a log-out needs to know about an operation.
extension OperationHandle {
    /// Whether the operation carries an engine's token or is a group that runs or has run such an
    /// operation. After a log-out it would continue with the next user's token.
    func carriesToken(of engine: Engine) -> Bool {
        attributes.sendsToken && self.engine === engine
            || live.withLock { $0.coldState?.tokens[engine.id] != nil }
    }

    /// Records the tokens of an operation that the group begins to run.
    func recordTokens(of member: OperationHandle) {
        if member.attributes.sendsToken { noteToken(of: member.engine) }
        for engine in member.tokenEngines { noteToken(of: engine) }
    }

    /// Records that the group uses an engine's token, and so do the groups that run it.
    private func noteToken(of engine: Engine) {
        var open = [self]
        while let next = open.popLast() { open += next.takeToken(of: engine) }
    }

    /// - Returns: The groups that run it, which need the same record; none if it was recorded
    ///   before.
    private func takeToken(of engine: Engine) -> [OperationHandle] {
        let known = live.withLock { $0.coldState?.tokens ?? [:] }
        guard known[engine.id] == nil else { return [] }
        // Outside the lock, because loading a weak reference may make this thread the last owner of
        // the engine.
        let gone = known.filter { $0.value.engine == nil }.keys
        let groups = live.withLock { live -> [OperationHandle]? in
            let coldState = live.requireColdState()
            for id in gone { coldState.tokens[id] = nil }
            guard coldState.tokens[engine.id] == nil else { return nil }
            coldState.tokens[engine.id] = EngineReference(engine)
            return coldState.groups
        }
        guard let groups else { return [] }
        if engine !== self.engine { engine.addForeignGroup(self) }
        return groups
    }

    /// The engines whose tokens are used by the operations that it runs or has run.
    private var tokenEngines: [Engine] {
        live.withLock { $0.coldState?.tokens ?? [:] }.values.compactMap(\.engine)
    }

    /// Removes the ended group from the engines that track it as a foreign group.
    func removeFromForeignEngines() {
        for engine in tokenEngines { engine.removeForeignGroup(id) }
    }

    /// Whether it is part of a log-out of an engine's API: it revokes the credential at the server,
    /// or is a group that waits for that.
    func isLoggingOut(_ engine: Engine) -> Bool { tree.contains { $0.leaves(engine) } }

    private func leaves(_ engine: Engine) -> Bool {
        let (privilegedTask, isLoggingOut) = live.withLock {
            ($0.coldState?.privilegedTask, $0.coldState?.logOuts[engine.id] != nil)
        }
        let isRevoking =
            privilegedTask?.revokedCredential != nil && privilegedTask?.isOpen(for: engine) == true
        return isRevoking || isLoggingOut
    }

    /// The privileged task that it is part of, if that has not ended.
    var openPrivilegedTask: PrivilegedTask? {
        let privilegedTask = live.withLock { $0.coldState?.privilegedTask }
        return privilegedTask.flatMap { $0.isOpen(for: engine) ? $0 : nil }
    }
}
