extension APIManager {
    var engine: Engine { factory.engine }

    /// The operations that have been started and have not ended, in the order in which they were
    /// made.
    public var operations: [OperationHandle] { engine.operations }

    /// Cancels all operations of an owner that have been started and have not ended: queued, running,
    /// waiting, postponed and suspended ones alike; as all that cancels several, also those that an
    /// `OperationQueue` is to start (`FoundationOperation` of TelexFoundation).
    public func cancel(owner: OperationOwner) {
        cancel { $0.owner == owner }
    }

    /// Cancels all operations that have been started and carry a mark.
    public func cancel(tag: String) {
        cancel { $0.tags.contains(tag) }
    }

    /// Cancels all operations that have been started.
    public func cancelAll() {
        cancel { _ in true }
    }

    /// Cancels all operations that have been started and that a closure picks out.
    public func cancel(where isUnwanted: (OperationHandle) -> Bool) {
        engine.cancel(where: isUnwanted)
    }
}
