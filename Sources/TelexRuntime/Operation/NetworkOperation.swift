import TelexRequests

/// One call of an API method.
///
/// A new operation is only a handle: nothing is sent until ``OperationHandle/start()`` is called or
/// ``value`` is awaited. A started operation retains itself until it has ended, so the handle may
/// be dropped. The handle stays the same through retries and while it waits for a new credential.
/// The operation ends exactly once, however many tasks wait and however often it is cancelled.
public final class NetworkOperation<Output: Sendable>:
    OperationHandle, @unchecked Sendable  // it stores nothing of its own
{
    /// The value of the call. Starts the operation if it has not been started; any number of tasks
    /// may wait.
    ///
    /// Cancelling a waiting task cancels the operation for all waiters. Waiting for a suspended
    /// operation does not resume it.
    ///
    /// - Throws: `APIError` when the call fails, `CancellationError` when it was cancelled,
    ///   ``OperationError`` when a prerequisite does not succeed. A group throws the error of its
    ///   body, or `OperationError` when it times out.
    public var value: Output {
        get async throws { try await value(cancelling: true) }
    }

    /// Returns the value, like ``value``, for one of several waiters that may stop waiting
    /// independently.
    ///
    /// - Parameter cancelling: Whether cancelling the waiting task cancels the operation. Otherwise
    ///   only this task stops waiting, and the operation continues; a task that is cancelled
    ///   already does not start it.
    /// - Throws: The errors of ``value``; `CancellationError` also if this task stops waiting.
    public func value(cancelling: Bool) async throws -> Output {
        try await waitForEnd(cancelling: cancelling)
        return try output()
    }

    /// The outcome, with the errors of ``value``; nil before the end. Neither starts the operation
    /// nor waits: ``OperationHandle/state`` may be terminal shortly before this is available.
    public var result: Result<Output, any Error>? {
        hasOutcome ? Result { try output() } : nil
    }

    /// Returns the value of an operation that has ended.
    ///
    /// - Throws: Its error; `CancellationError` before the end.
    func output() throws -> Output {
        guard let product = try outcome.get() as? Product<Output> else {
            throw OperationError.unknown
        }
        return product.value
    }
}

/// A call whose reply is read into memory, checked and mapped to a value.
public typealias DataOperation<Output: Sendable> = NetworkOperation<Output>
