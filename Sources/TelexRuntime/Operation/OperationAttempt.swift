/// One try of an operation.
public struct OperationAttempt: Sendable {
    /// Its number, from 1.
    public let number: Int
    /// When it began, since the operation was started.
    public let start: Duration
    /// How long it took.
    public let duration: Duration
    /// The status of its reply, if one came.
    public let status: Int?
    /// Why it failed; nil if it did not.
    public let error: (any Error)?

    /// The same with another error.
    func failed(with error: any Error) -> OperationAttempt {
        OperationAttempt(
            number: number, start: start, duration: duration, status: status, error: error)
    }
}
