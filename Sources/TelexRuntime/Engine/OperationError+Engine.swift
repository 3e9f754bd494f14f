import TelexScheduling

extension OperationError {
    /// Creates the error of an operation with this name that the engine ended.
    init(_ failure: EngineFailure, of name: String, _ engine: Engine) {
        let name = name.isEmpty ? "the operation" : "`\(name)`"
        switch failure {
        case .timedOut(let limit), .attemptTimedOut(let limit):
            self.init(
                .timedOut(after: limit),
                description: "\(name) took longer than \(limit.roundedDescription)")
        case .throttled(let moment):
            self.init(
                .throttled(until: engine.date(of: moment)),
                description: "\(name) was started too soon after the last start")
        case .replaced:
            self.init(.replaced, description: "a later start replaced \(name)")
        // Only calls need a host or a credential, and attempts have their own errors.
        case .attempt, .hostPaused, .network, .notRefreshed:
            self.init(.failed, description: "\(name) failed")
        }
    }

    /// The error of an operation that a group cannot run, because each would wait for the end of
    /// the other.
    static func circle(_ operation: OperationHandle, in group: OperationHandle) -> OperationError {
        OperationError(
            .circle,
            description:
                "\(operation) cannot run in \(group): each would wait for the other to end; run it "
                + "after the group")
    }
}
