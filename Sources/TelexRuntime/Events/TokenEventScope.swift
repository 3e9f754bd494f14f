/// The listeners of the token requests that a task sends.
///
/// A refresher may be app code and has no reference to the manager that calls it. So the manager
/// sets the scope as a task-local value, and the code that sends the token requests reads it.
package struct TokenEventScope: ExchangeReporter {
    /// The scope of the current task; `nil` outside a refresh of a manager.
    @TaskLocal static var current: TokenEventScope?

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

    /// Runs the closure with this scope as the current one, and returns its result.
    func withScope<T>(_ body: () async throws -> T) async rethrows -> T {
        try await Self.$current.withValue(self) { try await body() }
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
