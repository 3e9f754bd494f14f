public import HTTPTypes
public import TelexJSON
import TelexRequests
import TelexTransport

/// The value of an operation, with its reply, attempts and times.
public struct OperationResponse<Output: Sendable>: Sendable {
    /// The value.
    public let value: Output
    /// Status and header fields of the reply; nil if there was none, as for a group.
    public let head: HTTPResponse?
    /// The bytes of the reply as received; empty if they were not kept in memory.
    public let body: [UInt8]
    /// Where the reply comes from; `.network` also if there was none, as for a group.
    public let source: ReplySource
    /// What was left out of the value because the spec allows it, with `invalid: skip` or `invalid:
    /// empty`: the number and the reasons, without secrets. For a stream, what was left out of its
    /// elements during the last attempt. Empty for a group.
    public let skipped: SkippedValues
    /// The violations in spite of which the value was returned, without sensitive values: rules of
    /// severity `warning`, and all others where the validation is `warn`. At most 1,000 are kept;
    /// for a stream, those of its elements during the last attempt. Empty for a group.
    public let warnings: [Violation]
    /// The attempts, the last of which succeeded. If there are more than 100, the first and the
    /// most recent ones, as in ``OperationHandle/attempts``; the number of the last one is the
    /// total.
    public let attempts: [OperationAttempt]
    /// How long the operation took.
    public let metrics: OperationMetrics
    /// The address that replied, without its query, which may contain the token; nil if there was
    /// no reply.
    let address: Address?
}

extension OperationResponse: CustomStringConvertible, CustomDebugStringConvertible,
    CustomReflectable
{
    /// The sizes without contents, because header fields and body may contain secrets of the
    /// server.
    public var description: String {
        let status = head.map { "status \($0.status.code)" } ?? "no reply"
        let count = attempts.last?.number ?? 0
        let tries = count == 1 ? "1 attempt" : "\(count) attempts"
        return "response (\(status), \(body.count) bytes, \(tries))"
    }

    /// The same as ``description``.
    public var debugDescription: String { description }

    /// Reflects only the description.
    public var customMirror: Mirror { Mirror(self, children: ["response": description]) }
}

extension Address {
    var withoutQuery: Address {
        Address(scheme: scheme, authority: authority, path: path, query: nil)
    }
}

/// The durations of an operation.
public struct OperationMetrics: Sendable, Hashable {
    /// From its start to its end.
    public let total: Duration
    /// From its start to its first attempt.
    public let queued: Duration
    /// The total time of its attempts, except while they were paused because the operation was
    /// suspended or waited for its turn to send a further request. The rest is waiting time.
    public let working: Duration
}
