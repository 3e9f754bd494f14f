import Synchronization
import TelexRuntime
import TelexTesting

/// Keeps requests back until so many are there. They left the engine by then, so all of them carry the
/// token it had at the beginning, however late the last one was.
final class RequestBarrier: Interceptor {
    private struct State {
        var missing = 0
        var gate = Gate()
    }

    private let state = Mutex(State())

    /// Keeps back the next requests, until there are so many.
    func gather(_ count: Int) {
        state.withLock { $0 = State(missing: count) }
    }

    func intercept(
        _ request: TransportRequest, of call: InterceptedCall, next: Next
    ) async throws -> TransportReply {
        let (gate, missing) = state.withLock { state in
            state.missing -= 1
            return (state.gate, state.missing)
        }
        if missing <= 0 { gate.open() }
        await gate.wait()
        return try await next(request)
    }
}
