/// What logging out has to know of an operation.
extension OperationHandle {
    /// Whether it carries an engine's token or, as a group, runs or has run what does: then it would go
    /// on with the token of whoever logs in next.
    func carriesToken(of engine: Engine) -> Bool {
        facts.showsToken && self.engine === engine
            || live.withLock { $0.coldState?.tokens[engine.id] != nil }
    }

    /// The operation, which is a group, begins to run what carries tokens, if it does.
    func noteTokens(of member: OperationHandle) {
        if member.facts.showsToken { noteToken(of: member.engine) }
        for engine in member.tokenEngines { noteToken(of: engine) }
    }

    /// The operation, which is a group, has to do with an engine's token, and so have those that run it.
    private func noteToken(of engine: Engine) {
        var open = [self]
        while let next = open.popLast() { open += next.takeToken(of: engine) }
    }

    /// - Returns: The groups that run it, which have to know; none if it was known.
    private func takeToken(of engine: Engine) -> [OperationHandle] {
        let known = live.withLock { $0.coldState?.tokens ?? [:] }
        guard known[engine.id] == nil else { return [] }
        // Without the lock: whoever looks whether an engine is gone may be the last to hold it.
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

    /// Whose tokens what runs or has run inside of it carries.
    private var tokenEngines: [Engine] {
        live.withLock { $0.coldState?.tokens ?? [:] }.values.compactMap(\.engine)
    }

    /// The operation, which is a group, has ended, and is nobody's guest any more.
    func leaveEngines() {
        for engine in tokenEngines { engine.removeForeignGroup(id) }
    }

    /// Whether it is part of a log-out of an engine's API: it tells the server, with a credential of its
    /// own, or is a group that waits for that.
    func isLeaving(_ engine: Engine) -> Bool { tree.contains { $0.leaves(engine) } }

    private func leaves(_ engine: Engine) -> Bool {
        let (privilegedTask, isLeaving) = live.withLock {
            ($0.coldState?.privilegedTask, $0.coldState?.logOuts[engine.id] != nil)
        }
        if let privilegedTask, privilegedTask.revokedCredential != nil,
            privilegedTask.isOpen(for: engine)
        {
            return true
        }
        return isLeaving
    }
}
