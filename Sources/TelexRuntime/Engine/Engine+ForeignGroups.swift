/// Operations that an engine knows though it does not run them, or not yet.
extension Engine {
    /// A group of another engine has run what carries this one's token. It is known until it ends.
    func addForeignGroup(_ group: OperationHandle) {
        state.withLock { $0.foreignGroups[group.id] = OperationReference(group) }
        if group.hasOutcome { removeForeignGroup(group.id) }
    }

    /// A group has ended.
    func removeForeignGroup(_ group: OperationID) {
        state.withLock { $0.foreignGroups[group] = nil }
    }

    /// Cancels what would go on with the token of whoever logs in next; not what logs out.
    func cancelBearers(besides revokedCredential: OperationHandle?) {
        let isBearer = { (operation: OperationHandle) in
            operation.id != revokedCredential?.id && operation.carriesToken(of: self)
                && !operation.isLeaving(self)
        }
        for operation in expected where isBearer(operation) { operation.cancel() }
        let foreignGroups = state.withLock { Array($0.foreignGroups.values) }.compactMap(
            \.operation)
        Self.cancel((operations + foreignGroups).filter(isBearer))
    }

    /// The operations that nobody has started yet, though somebody will.
    var expected: [OperationHandle] {
        let all = state.withLock { Array($0.expected.values) }.compactMap(\.operation)
        return all.filter { $0.state == .ready }.sorted { $0.id < $1.id }
    }
}

/// Somebody will start an operation in their turn: until then, it is cancelled with all others of its
/// owner, as if it had been started. As long as this is held.
package final class StartExpectation: Sendable {
    private let engine: Engine

    package init(of operation: OperationHandle) {
        engine = operation.engine
        let id = ObjectIdentifier(self)
        engine.state.withLock { $0.expected[id] = OperationReference(operation) }
    }

    deinit {
        let id = ObjectIdentifier(self)
        engine.state.withLock { $0.expected[id] = nil }
    }
}
