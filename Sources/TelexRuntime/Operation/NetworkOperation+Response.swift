import TelexJSON
import TelexRequests

extension NetworkOperation {
    /// The value together with its reply; otherwise as ``value``.
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
                value: value, head: reply?.head, body: reply?.body ?? [],
                source: reply?.source ?? .network,
                skipped: reply?.skipped ?? SkippedValues(), warnings: reply?.warnings ?? [],
                attempts: attempts, metrics: metrics, address: reply?.hop?.address.withoutQuery)
        }
    }
}
