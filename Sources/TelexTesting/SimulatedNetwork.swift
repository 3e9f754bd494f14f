import TelexJSON
import TelexRuntime

/// A network whose conditions a test sets.
///
/// ```swift
/// let network = SimulatedNetwork(NetworkStatus(isConstrained: true))
/// let gallery = APIManager<Gallery>(transport: transport) { $0.settings.network = network }
/// network.status = NetworkStatus()      // waiting calls go
/// ```
public final class SimulatedNetwork: NetworkConditions {
    private struct State {
        var status: NetworkStatus
        var handlers: [Int: @Sendable (NetworkStatus) -> Void] = [:]
        var last = 0
    }

    private let state: Lock<State>

    /// Makes a network; by default one without conditions.
    public init(_ status: NetworkStatus = NetworkStatus()) {
        state = Lock(State(status: status))
    }

    /// The conditions. All observers have learnt of a change when the assignment returns.
    public var status: NetworkStatus {
        get { state.withLock { $0.status } }
        set {
            let handlers = state.withLock { state in
                state.status = newValue
                return Array(state.handlers.values)
            }
            for handler in handlers { handler(newValue) }
        }
    }

    /// Calls the handler now and at each change, until the observation is released.
    public func observe(
        _ handler: @escaping @Sendable (NetworkStatus) -> Void
    ) -> NetworkObservation {
        let (number, status) = state.withLock { state in
            state.last += 1
            state.handlers[state.last] = handler
            return (state.last, state.status)
        }
        handler(status)
        return NetworkObservation { [weak self] in
            self?.state.withLock { $0.handlers[number] = nil }
        }
    }
}
