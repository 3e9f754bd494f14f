/// One attempt of an operation.
public struct OperationAttempt: Sendable {
    /// Its number, from 1.
    public let number: Int
    /// When it began, relative to the start of the operation.
    public let start: Duration
    /// How long it took.
    public let duration: Duration
    /// The status of its reply, if one arrived.
    public let status: Int?
    /// Why it failed; nil if it did not.
    public let error: (any Error)?

    /// The same attempt with another error.
    func failed(with error: any Error) -> OperationAttempt {
        OperationAttempt(
            number: number, start: start, duration: duration, status: status, error: error)
    }
}
