import TelexRequests
import TelexValues

/// The listeners of the token requests that a task sends.
///
/// A refresher may be app code and has no reference to the manager that calls it. So the code that
/// sends the token requests finds the scope in the `PrivilegedTask` that it runs in.
package struct TokenEventScope: ExchangeReporter {
    private let hub: EventHub
    /// The API name of the events.
    private let api: String

    init(_ hub: EventHub, _ api: String) {
        self.hub = hub
        self.api = api
    }

    /// Makes a scope for token requests outside a manager.
    ///
    /// - Parameters:
    ///   - api: The API name of the events.
    ///   - clock: The clock that dates the events.
    package init(
        _ listeners: [any APIEventListener], api: String, clock: RuntimeClock
    ) {
        self.init(EventHub(listeners, clock: clock, onEvent: nil), api)
    }

    /// Whether there are listeners.
    var isObserved: Bool { hub.isObserved }

    /// The largest body limit of all listeners, in bytes.
    var bodyLimit: Int { hub.bodyLimit }

    func emit(_ kind: APIEvent.Kind) { hub.emit(kind, api) }

    /// Does nothing: a token request is cancelled with its task.
    func cancelTaskIfStopped() {}

    /// Returns zero: a token request is not queued.
    func takeQueued() -> Duration { .zero }
}
