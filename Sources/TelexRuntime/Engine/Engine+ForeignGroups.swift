@_spi(Engine) import TelexScheduling

/// Operations that an engine tracks although it does not run them, or not yet.
extension Engine {
    /// Tracks a group of another engine that has run an operation with this engine's token, until
    /// the group ends.
    func addForeignGroup(_ group: OperationHandle) {
        state.withLock { $0.foreignGroups[group.id] = OperationReference(group) }
        if group.hasOutcome { removeForeignGroup(group.id) }
    }

    /// Stops tracking a group that has ended.
    func removeForeignGroup(_ group: OperationID) {
        state.withLock { $0.foreignGroups[group] = nil }
    }

    /// Cancels operations that would continue with the next user's token, except those that log
    /// out.
    ///
    /// - Parameter operation: An operation that is about to log out; nil for none.
    func cancelTokenCarriers(loggingOut operation: OperationHandle?) {
        let isBearer = { (other: OperationHandle) in
            other.id != operation?.id && other.carriesToken(of: self) && !other.isLoggingOut(self)
        }
        for other in upcomingOperations where isBearer(other) { other.cancel() }
        let foreignGroups = state.withLock { Array($0.foreignGroups.values) }.compactMap(
            \.operation)
        Self.cancel((operations + foreignGroups).filter(isBearer))
    }

    /// The operations that are going to be started but have not been yet.
    var upcomingOperations: [OperationHandle] {
        let all = state.withLock { Array($0.upcomingOperations.values) }.compactMap(\.operation)
        return all.filter { $0.state == .ready }.sorted { $0.id < $1.id }
    }
}

/// Marks an operation that will be started later. As long as this object is retained, the operation
/// is cancelled with all others of its owner, as if it had been started.
package final class StartExpectation: Sendable {
    private let engine: Engine

    package init(of operation: OperationHandle) {
        engine = operation.engine
        let id = ObjectIdentifier(self)
        engine.state.withLock { $0.upcomingOperations[id] = OperationReference(operation) }
    }

    deinit {
        let id = ObjectIdentifier(self)
        engine.state.withLock { $0.upcomingOperations[id] = nil }
    }
}
