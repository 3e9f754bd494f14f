extension APIManager {
    var engine: Engine { factory.engine }

    /// The operations that have been started and have not ended, in the order in which they were
    /// made.
    public var operations: [OperationHandle] { engine.operations }

    /// Cancels all operations of an owner: queued, running, waiting and postponed ones alike.
    public func cancel(owner: OperationOwner) {
        cancel { $0.owner == owner }
    }

    /// Cancels all operations that carry a mark.
    public func cancel(tag: String) {
        cancel { $0.tags.contains(tag) }
    }

    /// Cancels all operations.
    public func cancelAll() {
        cancel { _ in true }
    }

    /// Cancels all operations that a closure picks out.
    public func cancel(where isUnwanted: (OperationHandle) -> Bool) {
        engine.cancel(where: isUnwanted)
    }
}
