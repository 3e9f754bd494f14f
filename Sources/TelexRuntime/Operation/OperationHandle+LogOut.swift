/// What logging out has to know of an operation.
extension OperationHandle {
    /// Whether it carries an engine's token or, as a group, runs or has run what does: then it would go
    /// on with the token of whoever logs in next.
    func carriesToken(of engine: Engine) -> Bool {
        facts.showsToken && self.engine === engine
            || live.withLock { $0.rare?.tokens.contains { $0.refers(to: engine) } ?? false }
    }

    /// The operation, which is a group, begins to run what carries tokens, if it does.
    func noteTokens(of member: OperationHandle) {
        if member.facts.showsToken { noteToken(of: member.engine) }
        let tokens = member.live.withLock { $0.rare?.tokens ?? [] }
        for engine in tokens.compactMap(\.engine) { noteToken(of: engine) }
    }

    /// The operation, which is a group, has to do with an engine's token, and so have those that run it.
    private func noteToken(of engine: Engine) {
        var open = [self]
        while let next = open.popLast() { open += next.takeToken(of: engine) }
    }

    /// - Returns: The groups that run it, which have to know; none if it was known.
    private func takeToken(of engine: Engine) -> [OperationHandle] {
        let groups = live.withLock { live -> [OperationHandle]? in
            let rare = live.needRare()
            guard !rare.tokens.contains(where: { $0.refers(to: engine) }) else { return nil }
            rare.tokens.append(EngineReference(engine))
            return rare.groups
        }
        guard let groups else { return [] }
        if engine !== self.engine { engine.admit(self) }
        return groups
    }

    /// Whether it is part of a log-out of an engine's API: it tells the server, with a credential of its
    /// own, or is a group that waits for that.
    func isLeaving(_ engine: Engine) -> Bool { tree.contains { $0.leaves(engine) } }

    private func leaves(_ engine: Engine) -> Bool {
        let (errand, isLeaving) = live.withLock {
            ($0.rare?.errand, $0.rare?.logOuts[ObjectIdentifier(engine)] != nil)
        }
        if let errand, errand.farewell != nil, errand.isOpen(for: engine) { return true }
        return isLeaving
    }
}
