/// Whose listeners are told of the requests for tokens that a task sends.
///
/// A refresher knows nothing of the manager that asks it, and may be anybody's. So the manager says
/// for the task who is to be told; what sends the requests finds it there.
package struct TokenEventScope: ExchangeTelling {
    /// Who watches this task; nil if no manager asks for a token.
    @TaskLocal static var current: TokenEventScope?

    private let hub: EventHub
    /// The `api` of the events.
    private let api: String

    init(_ hub: EventHub, _ api: String) {
        self.hub = hub
        self.api = api
    }

    /// Tells listeners of requests that no manager asks for.
    ///
    /// - Parameters:
    ///   - api: What the events call the API.
    ///   - clock: What time it is.
    package init(
        _ listeners: [any APIEventListener], _ api: String, clock: RuntimeClock
    ) {
        self.init(EventHub(listeners, clock: clock, onEvent: nil), api)
    }

    /// What the closure gives, all of whose requests for tokens are told of.
    func watching<T>(_ body: () async throws -> T) async rethrows -> T {
        try await Self.$current.withValue(self) { try await body() }
    }

    /// Whether anybody wants to know what happens.
    var isObserved: Bool { hub.isObserved }

    /// How many bytes of bodies somebody wants to see.
    var bodyLimit: Int { hub.bodyLimit }

    func emit(_ kind: APIEvent.Kind) { hub.emit(kind, api) }

    /// Such a request is given up with its task.
    func heedStop() {}

    /// It waits for nothing.
    func takeQueued() -> Duration { .zero }
}
