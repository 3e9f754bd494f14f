/// A weak reference to an operation.
struct OperationReference: Sendable {
    private(set) weak var operation: OperationHandle?

    init(_ operation: OperationHandle) { self.operation = operation }
}

/// A weak reference to an engine.
struct EngineReference: Sendable {
    private(set) weak var engine: Engine?

    init(_ engine: Engine) { self.engine = engine }
}
