import Foundation
import TelexJSON
import TelexTransport

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

/// A call that awaits the reply of a task in a background session. It ends once.
final class BackgroundExchange: Sendable {
    typealias Outcome = Result<StoredReply, TransportError>

    private struct State {
        var outcome: Outcome?
        var waiter: CheckedContinuation<Outcome, Never>?
        var cancelTask: (@Sendable () -> Void)?
    }

    /// The largest allowed reply body in bytes.
    let limit: Int
    private let onBodySent: (@Sendable (Int) -> Void)?
    private let state = Lock(State())

    init(_ request: TransportRequest) {
        limit = max(0, request.maximumReplyBytes)
        onBodySent = request.onBodySent
    }

    /// Waits for the reply. If the caller is cancelled, the task is cancelled too.
    func reply() async throws(TransportError) -> StoredReply {
        let outcome = await withTaskCancellationHandler {
            await withCheckedContinuation { waiter in
                let outcome = state.withLock { state in
                    if state.outcome == nil { state.waiter = waiter }
                    return state.outcome
                }
                if let outcome { waiter.resume(returning: outcome) }
            }
        } onCancel: {
            stop(.failure(.cancelled))
        }
        return try outcome.get()
    }

    /// Sets the closure that cancels the awaited task.
    func wait(for cancelTask: @escaping @Sendable () -> Void) {
        let hasEnded = state.withLock { state in
            if state.outcome == nil { state.cancelTask = cancelTask }
            return state.outcome != nil
        }
        if hasEnded { cancelTask() }
    }

    func sent(_ total: Int) { onBodySent?(total) }

    /// Ends the exchange and cancels its task.
    func stop(_ outcome: Outcome) {
        let cancelTask = state.withLock { $0.outcome == nil ? $0.cancelTask : nil }
        if end(outcome) { cancelTask?() }
    }

    /// Ends the exchange.
    ///
    /// - Returns: Whether this call ended it; false if it had ended before.
    @discardableResult
    func end(_ outcome: Outcome) -> Bool {
        let (isEnd, waiter) = state.withLock { state in
            guard state.outcome == nil else {
                return (false, nil as CheckedContinuation<Outcome, Never>?)
            }
            state.outcome = outcome
            state.cancelTask = nil
            return (true, state.waiter.take())
        }
        waiter?.resume(returning: outcome)
        return isEnd
    }
}
