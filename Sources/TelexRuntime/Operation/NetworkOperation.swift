/// One call of an API method, from the moment it is thought of to its end.
///
/// A new operation is only a handle: nothing is sent until somebody calls
/// ``OperationHandle/start()`` or awaits ``value``. Once started it keeps itself alive until it has
/// ended, so the handle may be dropped. The handle stays the same through retries and while it waits
/// for a new credential. However many tasks wait and however often it is cancelled, it ends exactly
/// once.
public final class NetworkOperation<Output: Sendable>:
    OperationHandle, @unchecked Sendable  // it stores nothing of its own
{
    /// The value of the call. Starts the operation if nobody has; any number of tasks may wait.
    ///
    /// Cancelling a waiting task cancels the operation, for everyone who waits. Waiting for one that
    /// is suspended does not make it go on.
    ///
    /// - Throws: `APIError` when the call fails, `CancellationError` when it was cancelled,
    ///   ``OperationError`` when what it depends on does not succeed. A group throws what its body
    ///   throws, or `OperationError` when it takes too long.
    public var value: Output {
        get async throws { try await value(cancelling: true) }
    }

    /// The value, as ``value``; for those of several who wait, of whom one may give up without the
    /// others.
    ///
    /// - Parameter cancelling: Whether cancelling the waiting task cancels the operation; otherwise
    ///   only this one no longer waits, and the operation goes on; if nobody has started it by then, nor
    ///   does this.
    /// - Throws: What ``value`` throws; `CancellationError` also if this task no longer waits.
    public func value(cancelling: Bool) async throws -> Output {
        try await waitForEnd(cancelling: cancelling)
        return try output()
    }

    /// How the operation has ended, with the errors of ``value``; nil until it has. Starts nothing, and
    /// waits for nothing: for a moment, ``OperationHandle/state`` may know of the end before it is here.
    public var result: Result<Output, any Error>? {
        hasOutcome ? Result { try output() } : nil
    }

    /// The value of an operation that has ended.
    ///
    /// - Throws: Why there is none; before the end, as of one that was cancelled.
    func output() throws -> Output {
        guard let product = try outcome.get() as? Product<Output> else {
            throw OperationError.unknown
        }
        return product.value
    }
}

/// A call whose reply is read into memory, checked and mapped to a value.
public typealias DataOperation<Output: Sendable> = NetworkOperation<Output>
