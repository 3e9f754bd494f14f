public import HTTPTypes

/// The value of an operation and how it was come by.
public struct OperationResponse<Output: Sendable>: Sendable {
    /// The value.
    public let value: Output
    /// Status and header fields of the reply; nil if there was none, as for a group.
    public let head: HTTPResponse?
    /// The bytes of the reply as they came; empty if they were not kept in memory.
    public let body: [UInt8]
    /// The attempts, the last of which succeeded; of more than 100, the first and the newest, as of
    /// ``OperationHandle/attempts``. The number of the last one tells how many there were.
    public let attempts: [OperationAttempt]
    /// How long it took.
    public let metrics: OperationMetrics
}

extension OperationResponse: CustomStringConvertible, CustomDebugStringConvertible,
    CustomReflectable
{
    /// How much there is, never what it is: header fields and body are as they came, and a server
    /// may have put secrets into them.
    public var description: String {
        let status = head.map { "status \($0.status.code)" } ?? "no reply"
        let count = attempts.last?.number ?? 0
        let tries = count == 1 ? "1 attempt" : "\(count) attempts"
        return "response (\(status), \(body.count) bytes, \(tries))"
    }

    /// The same as ``description``.
    public var debugDescription: String { description }

    /// Shows the description and nothing else.
    public var customMirror: Mirror { Mirror(self, children: ["response": description]) }
}

/// How long an operation took, and for what.
public struct OperationMetrics: Sendable, Hashable {
    /// From its start to its end.
    public let total: Duration
    /// From its start to its first attempt.
    public let queued: Duration
    /// In its attempts, unless they were held: the operation was suspended, or waited for its turn to
    /// send another request. The rest of the time it waited.
    public let working: Duration
}

extension NetworkOperation {
    /// The value together with the reply that it was made of; otherwise as ``value``.
    ///
    /// - Throws: `APIError` when the call fails, `CancellationError` when it was cancelled.
    public var response: OperationResponse<Output> {
        get async throws {
            let value = try await value
            let (record, attempts, metrics) = live.withLock { live in
                (live.record, live.attempts, live.metrics)
            }
            let reply = record?.contents
            return OperationResponse(
                value: value, head: reply?.head, body: reply?.body ?? [], attempts: attempts,
                metrics: metrics)
        }
    }
}
