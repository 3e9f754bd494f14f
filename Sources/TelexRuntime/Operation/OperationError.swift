/// Why an operation ended that belongs to no API method.
public struct OperationError: Error, Sendable, CustomStringConvertible {
    /// What happened, in a sentence.
    public let description: String

    init(_ description: String) {
        self.description = description
    }

    init(_ failure: EngineFailure) {
        description =
            switch failure {
            case .attempt: "the operation failed"
            case .throttled: "the operation was started again too soon"
            case .timedOut(let limit), .attemptTimedOut(let limit):
                "the operation took longer than \(limit)"
            case .notRefreshed: "there is no new credential"
            }
    }

    /// An attempt was ended before it had an end of its own.
    static let stopped = OperationError("the attempt was stopped")

    /// An operation that had to come first did not succeed.
    static func dependency(_ name: String, _ fate: String) -> OperationError {
        OperationError("it depends on \(name), which \(fate)")
    }
}
