public import TelexScheduling

#if canImport(Network)
    import Dispatch
    import Network
#endif

/// Tells a manager the conditions of the network, for `NetworkRules`.
public protocol NetworkConditions: Sendable {
    /// Calls the handler with the current status as soon as it is known, and with each further one,
    /// until the observation is released.
    func observe(
        _ handler: @escaping @Sendable (NetworkStatus) -> Void
    ) -> NetworkObservation
}

/// An observation of a network; it ends when it is released.
public final class NetworkObservation: Sendable {
    private let end: @Sendable () -> Void

    /// Creates an observation.
    ///
    /// - Parameter end: Called once, when the observation is released.
    public init(end: @escaping @Sendable () -> Void) {
        self.end = end
    }

    deinit { end() }
}

/// The conditions that the system reports: with `NWPathMonitor` on Apple platforms. Elsewhere no
/// network counts as constrained or expensive.
public struct SystemNetwork: NetworkConditions {
    /// Whether the system tells its conditions.
    static var isAvailable: Bool {
        #if canImport(Network)
            true
        #else
            false
        #endif
    }

    /// Creates the conditions of the system.
    public init() {}

    /// Observes the network of the device.
    public func observe(
        _ handler: @escaping @Sendable (NetworkStatus) -> Void
    ) -> NetworkObservation {
        #if canImport(Network)
            let monitor = NWPathMonitor()
            monitor.pathUpdateHandler = { path in
                handler(
                    NetworkStatus(
                        isConstrained: path.isConstrained, isExpensive: path.isExpensive))
            }
            monitor.start(queue: DispatchQueue(label: "TelexRuntime.network"))
            return NetworkObservation { monitor.cancel() }
        #else
            return NetworkObservation {}
        #endif
    }
}
