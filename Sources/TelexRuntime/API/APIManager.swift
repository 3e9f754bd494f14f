public import HTTPTypes
import TelexJSON
import TelexScheduling
import TelexTransport

/// The entry point of an API: holds the state that all calls share, and creates operations.
///
/// ```swift
/// let vk = APIManager<VK>(transport: .urlSession, credentials: .keychain("vk"))
/// let users = try await vk.users.get(userIDs: ["1"]).value
/// ```
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

    /// Creates a manager.
    ///
    /// - Parameters:
    ///   - transport: The transport that sends the requests.
    ///   - credentials: The store of the credential; in memory by default.
    ///   - refresher: Obtains a new credential when the token has expired, while the calls that
    ///     need it wait. By default the refresh request of the API's description; without one, such
    ///     calls fail.
    ///   - schemes: The stores with the credentials of the API's further schemes, by the names of
    ///     the schemes; each is in memory by default. ``credentials`` is that of the first scheme.
    ///     With a name that the API does not have, every call fails.
    ///   - secrets: The secrets that the spec names with `secret` and `$secret.NAME`.
    ///   - server: The server to call; the API's first by default. It does not replace a server
    ///     that a method names itself, such as one for uploads: see `servers`.
    ///   - servers: The addresses of servers of the API by name, or the values of their variables,
    ///     where they differ from the description, as in
    ///     `["upload": .url("https://upload.staging.example/")]`. They apply to all calls to such a
    ///     server that give no values for its variables themselves. With a name that the API does
    ///     not have, every call fails.
    ///   - parameters: Values sent with every request.
    ///   - interceptors: The hooks between the engine and the transport, the outermost first.
    ///   - checks: The app's own checks of replies; needed if the description asks for some with
    ///     `validate: custom`.
    ///   - drift: Learns of replies that deviate from their description.
    ///   - templates: Checks replies with templates that may change while the app runs, and records
    ///     them; nil for those of the description alone.
    ///   - onLogOut: Is called at the end of each log-out, even if the server could not be notified:
    ///     removes what the manager does not, such as the cookies of web views and files of the user.
    ///   - cache: Where replies of the methods with `cache` in the spec are kept; in 10 megabytes of
    ///     memory by default; nil to keep none.
    ///   - settings: The settings of the engine, which mainly tests change.
    ///   - listeners: Receive the events of calls, without secrets: logs, metrics, recorders.
    ///   - onEvent: A closure that receives the events. It is called on the task or thread of the
    ///     call. It must be quick and must not block, because other calls wait for it.
    public init(
        transport: any Transport, credentials: any CredentialStore = .memory,
        refresher: (any CredentialRefresher)? = nil,
        schemes: [String: any CredentialStore] = [:], secrets: (any SecretProvider)? = nil,
        server: ServerChoice = .first,
        servers: [String: ServerChoice] = [:], parameters: API.Parameters,
        interceptors: [any Interceptor] = [], checks: API.ReplyChecks? = nil,
        drift: (any DriftListener)? = nil, templates: TemplateUse? = nil,
        onLogOut: (@Sendable () async -> Void)? = nil, cache: HTTPCache? = HTTPCache(),
        settings: EngineSettings = EngineSettings(),
        listeners: [any APIEventListener] = [], onEvent: (@Sendable (APIEvent) -> Void)? = nil
    ) {
        self.credentials = credentials
        self.parameters = parameters
        self.onLogOut = onLogOut
        let definition = API.definition
        let servers = ServerDirectory(definition.servers, defaultChoice: server, choices: servers)
        func declared(_ rules: AuthRules) -> (any CredentialRefresher)? {
            definition.refresher(
                of: rules, among: servers, secrets: secrets, transport: transport,
                clock: settings.clock)
        }
        let refresher = refresher ?? declared(definition.auth)
        self.refresher = refresher
        var builder = RequestBuilder(RequestTemplate(method: "", endpoint: Endpoint(.get, "")))
        parameters.apply(to: &builder)
        let pipeline = CallPipeline(
            definition, transport: transport, credentials: credentials,
            schemes: AuthSchemes(
                definition, stores: schemes, secrets: secrets, refresher: declared),
            servers: servers, clock: settings.clock, interceptors: interceptors,
            refresher: refresher, diagnosis: settings.diagnosis,
            base: builder.template, appChecks: checks, drift: drift, templates: templates,
            cache: cache, seed: settings.seed)
        let hub = EventHub(
            listeners, clock: settings.clock, onFault: settings.onFault, onEvent: onEvent)
        let engine = Engine(
            EngineMachine(
                traffic: definition.traffic, queues: definition.queues,
                canRefresh: refresher != nil, furtherSchemes: pipeline.schemes.furtherKeys,
                refreshTimeout: settings.refreshTimeout,
                canDiagnose: pipeline.diagnostician.canDiagnose, seed: settings.seed),
            clock: settings.clock,
            refresh: { scheme, old, engine in
                try await hub.observeRefresh(of: old, api: definition.name) {
                    try await pipeline.refresh(scheme, replacing: old) {
                        engine.engine.map {
                            OperationFactory(pipeline: pipeline, engine: $0, hub: hub)
                        }
                    }
                }
            },
            onRefreshTimeout: { hub.refreshFailed(definition.name, because: $0) },
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

extension APIManager where API.Parameters: DefaultParameters {
    /// Creates a manager with the default base parameters; otherwise like the other initializer.
    public convenience init(
        transport: any Transport, credentials: any CredentialStore = .memory,
        refresher: (any CredentialRefresher)? = nil,
        schemes: [String: any CredentialStore] = [:], secrets: (any SecretProvider)? = nil,
        server: ServerChoice = .first,
        servers: [String: ServerChoice] = [:], interceptors: [any Interceptor] = [],
        checks: API.ReplyChecks? = nil, drift: (any DriftListener)? = nil,
        templates: TemplateUse? = nil, onLogOut: (@Sendable () async -> Void)? = nil,
        cache: HTTPCache? = HTTPCache(),
        settings: EngineSettings = EngineSettings(),
        listeners: [any APIEventListener] = [], onEvent: (@Sendable (APIEvent) -> Void)? = nil
    ) {
        self.init(
            transport: transport, credentials: credentials, refresher: refresher,
            schemes: schemes, secrets: secrets, server: server, servers: servers,
            parameters: API.Parameters(), interceptors: interceptors,
            checks: checks, drift: drift, templates: templates, onLogOut: onLogOut,
            cache: cache, settings: settings, listeners: listeners, onEvent: onEvent)
    }
}
