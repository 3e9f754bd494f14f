import TelexScheduling

extension APIManager {
    var engine: Engine { factory.engine }

    /// The operations that have been started and have not ended, in order of creation.
    public var operations: [OperationHandle] { engine.operations }

    /// Cancels all operations of an owner that have been started and have not ended, including
    /// queued, waiting, postponed and suspended ones. Like every cancellation of several
    /// operations, this includes those that an `OperationQueue` will start (`FoundationOperation`
    /// of TelexFoundation).
    public func cancel(owner: OperationOwner) {
        cancel { $0.owner == owner }
    }

    /// Cancels all started operations with a tag.
    public func cancel(tag: String) {
        cancel { $0.tags.contains(tag) }
    }

    /// Cancels all started operations.
    public func cancelAll() {
        cancel { _ in true }
    }

    /// Cancels all started operations for which a closure returns true.
    public func cancel(where isUnwanted: (OperationHandle) -> Bool) {
        engine.cancel(where: isUnwanted)
    }
}
