/// An operation that is not held.
struct OperationReference: Sendable {
    private(set) weak var operation: OperationHandle?

    init(_ operation: OperationHandle) { self.operation = operation }
}

/// An engine that is not held.
struct EngineReference: Sendable {
    private(set) weak var engine: Engine?

    init(_ engine: Engine) { self.engine = engine }
}
