import TelexJSON
import TelexRuntime
import TelexTesting

/// Holds requests until a number of them has left the engine, so that all of them carry the same
/// token.
final class RequestBarrier: Interceptor {
    private struct State {
        var missing = 0
        var gate = Gate()
    }

    private let state = Lock(State())

    /// Holds the next requests until there are `count` of them.
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
