/// What a log-out needs to know about an operation.
extension OperationHandle {
    /// Whether the operation carries an engine's token or is a group that runs or has run such an
    /// operation. After a log-out it would continue with the next user's token.
    func carriesToken(of engine: Engine) -> Bool {
        attributes.sendsToken && self.engine === engine
            || existingLinks?.usesToken(of: engine.id) == true
    }

    /// Records the tokens of an operation that the group begins to run.
    func recordTokens(of member: OperationHandle) {
        if member.attributes.sendsToken { noteToken(of: member.engine) }
        for engine in member.existingLinks?.engines ?? [] { noteToken(of: engine) }
    }

    /// Records that the group uses an engine's token, and so do the groups that run it.
    private func noteToken(of engine: Engine) {
        var open = [self]
        while let next = open.popLast() {
            guard let groups = next.links.add(engine) else { continue }
            if engine !== next.engine { engine.addForeignGroup(next) }
            open += groups
        }
    }

    /// Removes the ended group from the engines that track it as a foreign group.
    func removeFromForeignEngines() {
        for engine in existingLinks?.engines ?? [] { engine.removeForeignGroup(id) }
    }

    /// Whether it is part of a log-out of an engine's API: it revokes the credential at the server,
    /// or is a group that waits for that.
    func isLoggingOut(_ engine: Engine) -> Bool { tree.contains { $0.leaves(engine) } }

    private func leaves(_ engine: Engine) -> Bool {
        let isRevoking = privilegedTask.map {
            $0.revokedCredential != nil && $0.isOpen(for: engine)
        }
        return isRevoking == true || existingLinks?.isLoggingOut(of: engine.id) == true
    }

    /// The privileged task that it is part of, even if that has ended.
    var privilegedTask: PrivilegedTask? { live.withLock { $0.coldState?.privilegedTask } }

    /// The privileged task that it is part of, if that has not ended.
    var openPrivilegedTask: PrivilegedTask? {
        privilegedTask.flatMap { $0.isOpen(for: engine) ? $0 : nil }
    }
}
