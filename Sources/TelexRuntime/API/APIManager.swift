public import HTTPTypes
import TelexCredentials
import TelexJSON
import TelexRequests
import TelexScheduling
import TelexTransport

/// The entry point of an API: holds the state that all calls share, and creates operations.
///
/// ```swift
/// let vk = APIManager<VK>(transport: .urlSession, credentials: .keychain("vk"))
/// let users = try await vk.users.get(userIDs: ["1"]).value
/// ```
///
/// What else it is made of, and the defaults, are listed in ``Configuration``.
public final class APIManager<API: APIDescription>: Sendable {
    /// The store of the credential. Log in with ``logIn(_:)`` and out with ``logOut(_:)``. Saving
    /// to the store directly does not resume calls that wait for a login, and clearing it does not
    /// cancel running calls that carry the token.
    public let credentials: any CredentialStore
    /// Values sent with every request.
    public let parameters: API.Parameters

    let factory: OperationFactory
    let onLogOut: (@Sendable () async -> Void)?
    let refresher: (any CredentialRefresher)?

    /// Creates a manager. To change a few of the defaults, call the initializer with a closure.
    public init(_ configuration: Configuration) {
        credentials = configuration.credentials
        parameters = configuration.parameters
        onLogOut = configuration.onLogOut
        let definition = API.definition
        let (transport, settings) = (configuration.transport, configuration.settings)
        let servers = ServerDirectory(
            definition.servers, defaultChoice: configuration.server,
            choices: configuration.servers)
        func declared(_ rules: AuthRules) -> (any CredentialRefresher)? {
            definition.refresher(
                of: rules, among: servers, secrets: configuration.secrets, transport: transport,
                clock: settings.clock)
        }
        let refresher = configuration.refresher ?? declared(definition.auth)
        self.refresher = refresher
        let pipeline = CallPipeline(
            definition, configuration,
            schemes: AuthSchemes(
                definition, stores: configuration.schemes, secrets: configuration.secrets,
                refresher: declared),
            servers: servers, refresher: refresher)
        let hub = EventHub(
            configuration.listeners, clock: settings.clock, onFault: settings.onFault,
            onEvent: configuration.onEvent)
        let engine = Engine(
            EngineMachine(
                traffic: definition.traffic, queues: definition.queues,
                canRefresh: refresher != nil, furtherSchemes: pipeline.schemes.furtherKeys,
                refreshTimeout: settings.refreshTimeout,
                canDiagnose: pipeline.diagnostician.canDiagnose, seed: settings.seed),
            clock: settings.clock,
            refresh: { scheme, old, engine in
                try await hub.observeRefresh(of: old, api: definition.name) {
                    try await pipeline.refresh(scheme, replacing: old) { request in
                        guard let engine = engine.engine else { throw CancellationError() }
                        return try await OperationFactory(
                            pipeline: pipeline, engine: engine, hub: hub
                        ).operation(request, options: nil, after: []).response
                    }
                }
            },
            onRefreshTimeout: { hub.refreshFailed(definition.name, because: $0) },
            tokenEvents: TokenEventScope(hub, definition.name),
            diagnostician: pipeline.diagnostician)
        engine.observe(settings.network)
        factory = OperationFactory(pipeline: pipeline, engine: engine, hub: hub)
    }

    /// Creates the operation that will send a request. Nothing is sent until it is started.
    ///
    /// - Parameters:
    ///   - request: The request, created by generated code.
    ///   - options: The options of this call that differ from the defaults; none by default.
    ///   - dependencies: Operations that must succeed before this one begins. If one of them fails,
    ///     is cancelled, or is released before it was started, this one fails. It neither starts
    ///     nor retains them. An invalid call (`invalidRequest`) fails without waiting for them.
    public func operation<Output>(
        _ request: APIRequest<Output>, options: CallOptions? = nil,
        after dependencies: [OperationHandle] = []
    ) -> NetworkOperation<Output> {
        factory.operation(request, options: options, after: dependencies)
    }

    /// Creates the operation that will send a request; called by generated groups.
    public func operation<Output>(
        _ request: APIRequest<Output>, _ options: CallOptions?
    ) -> NetworkOperation<Output> {
        operation(request, options: options)
    }

    /// Returns the head of the request that a call would send now, including the token, for use by
    /// other code. To display a request, use the description of the `APIRequest`.
    ///
    /// - Throws: An `APIError` of the phase `build` or `auth` if the call could not be sent.
    public func httpRequest<Output>(
        for request: APIRequest<Output>, options: CallOptions? = nil
    ) async throws(APIError) -> HTTPRequest {
        try await factory.head(of: request, options)
    }
}
