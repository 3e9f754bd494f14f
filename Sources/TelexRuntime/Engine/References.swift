/// An operation that is not held.
struct OperationReference: Sendable {
    private(set) weak var operation: OperationHandle?

    init(_ operation: OperationHandle) { self.operation = operation }
}

/// An engine that is not held.
struct EngineReference: Sendable {
    private(set) weak var engine: Engine?
    private let id: ObjectIdentifier

    init(_ engine: Engine) {
        self.engine = engine
        id = ObjectIdentifier(engine)
    }

    /// Whether it is this engine. No other is held for the answer, so nobody is the last to let go of it,
    /// perhaps with a lock held.
    func refers(to engine: Engine) -> Bool {
        // One that is gone may have had the same address.
        id == ObjectIdentifier(engine) && self.engine != nil
    }
}
