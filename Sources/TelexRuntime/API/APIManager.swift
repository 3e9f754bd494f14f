public import HTTPTypes
import TelexJSON

/// The one front door to an API: it holds what all calls share, and makes operations.
///
/// ```swift
/// let vk = APIManager<VK>(transport: .urlSession, credentials: .keychain("vk"))
/// let users = try await vk.users.get(userIDs: ["1"]).value
/// ```
public final class APIManager<API: APIDescription>: Sendable {
    /// Where the credential is kept. Log in with ``logIn(_:)`` and out with ``logOut(_:)``: to save one
    /// here leaves the calls waiting that wait for a login, and to clear it the calls at work that carry
    /// the token.
    public let credentials: any CredentialStore
    /// Values sent with every request.
    public let parameters: API.Parameters

    let factory: OperationFactory
    let refresher: (any CredentialRefresher)?

    /// Makes a manager.
    ///
    /// - Parameters:
    ///   - transport: What sends requests.
    ///   - credentials: Where the credential is kept; in memory by default.
    ///   - refresher: Gets a new credential when the server no longer takes the present one, while
    ///     the calls that need it wait. By default the request that the API's description has for
    ///     that; without one, such calls fail.
    ///   - server: Which server to call; the API's first by default. A server that a method names
    ///     itself, such as one for uploads, is another matter: see `servers`.
    ///   - servers: Where servers of the API are, by name, if not where its description says, or the
    ///     values of their variables: `["upload": .url("https://upload.staging.example/")]`. Holds for
    ///     all calls to such a server that give no values for its variables themselves. A name that
    ///     the API does not have makes every call fail.
    ///   - parameters: Values sent with every request.
    ///   - interceptors: What stands between the engine and the transport, the outermost first.
    ///   - settings: How the engine works; rarely of interest outside of tests.
    ///   - listeners: Are told what happens to calls, without secrets: logs, metrics, recorders.
    ///   - onEvent: A listener that is a closure, for what needs no more. Called on whatever task or
    ///     thread the call is in, so it has to be quick and must not block: other calls wait for it.
    public init(
        transport: any Transport, credentials: any CredentialStore = .memory,
        refresher: (any CredentialRefresher)? = nil, server: ServerChoice = .first,
        servers: [String: ServerChoice] = [:], parameters: API.Parameters,
        interceptors: [any Interceptor] = [],
        settings: EngineSettings = EngineSettings(), listeners: [any APIEventListener] = [],
        onEvent: (@Sendable (APIEvent) -> Void)? = nil
    ) {
        self.credentials = credentials
        self.parameters = parameters
        let definition = API.definition
        let servers = ServerDirectory(definition.servers, server, servers)
        let refresher =
            refresher
            ?? definition.refresher(
                among: servers, transport: transport, clock: settings.clock)
        self.refresher = refresher
        var builder = RequestBuilder(RequestDraft(method: "", endpoint: Endpoint(.get, "")))
        parameters.apply(to: &builder)
        let pipeline = CallPipeline(
            definition, transport, credentials, servers, settings.clock, interceptors,
            canRefresh: refresher != nil, diagnosis: settings.diagnosis,
            base: builder.template)
        let hub = EventHub(listeners, clock: settings.clock, onEvent: onEvent)
        let engine = Engine(
            EngineMachine(
                traffic: definition.traffic, queues: definition.queues,
                canRefresh: refresher != nil, refreshTimeout: settings.refreshTimeout,
                canExamine: pipeline.diagnostician.canExamine, seed: settings.seed),
            clock: settings.clock,
            refresh: { old in
                guard let refresher else { return }
                try await hub.watchRefresh(of: old, definition.name) {
                    _ = try await credentials.renewed(old, with: refresher)
                }
            },
            onRefreshTimeout: { hub.refreshFailed(definition.name, because: $0) },
            diagnostician: pipeline.diagnostician)
        factory = OperationFactory(pipeline, engine, hub)
    }

    /// Makes the operation that will send a request. Nothing is sent until it is started.
    ///
    /// - Parameters:
    ///   - request: What to send, made by generated code.
    ///   - options: What this call wants different from the rest; nothing by default.
    ///   - dependencies: Operations that have to succeed before this one begins. If one of them
    ///     fails or is cancelled, or is let go of before anybody started it, this one fails. It
    ///     starts none of them, and does not hold them. A call that is an `invalidRequest` fails
    ///     without waiting for them.
    public func operation<Output>(
        _ request: APIRequest<Output>, options: CallOptions? = nil,
        after dependencies: [OperationHandle] = []
    ) -> NetworkOperation<Output> {
        factory.operation(request, options, after: dependencies)
    }

    /// Makes the operation that will send a request: what generated methods call.
    public func operation<Output>(
        _ request: consuming APIRequest<Output>, _ options: CallOptions?
    ) -> DataOperation<Output> {
        operation(request, options: options)
    }

    /// The head of the request that a call would send now, with the token in it: for handing it to
    /// other code. Show people the description of the `APIRequest` instead.
    ///
    /// - Throws: An `APIError` of the phase `build` or `auth` if the call could not be sent.
    public func httpRequest<Output>(
        for request: APIRequest<Output>, options: CallOptions? = nil
    ) async throws(APIError) -> HTTPRequest {
        try await factory.head(of: request, options)
    }
}

extension APIManager where API.Parameters: DefaultParameters {
    /// Makes a manager whose base parameters are the defaults; otherwise as the other initialiser.
    public convenience init(
        transport: any Transport, credentials: any CredentialStore = .memory,
        refresher: (any CredentialRefresher)? = nil, server: ServerChoice = .first,
        servers: [String: ServerChoice] = [:], interceptors: [any Interceptor] = [],
        settings: EngineSettings = EngineSettings(),
        listeners: [any APIEventListener] = [], onEvent: (@Sendable (APIEvent) -> Void)? = nil
    ) {
        self.init(
            transport: transport, credentials: credentials, refresher: refresher, server: server,
            servers: servers, parameters: API.Parameters(), interceptors: interceptors,
            settings: settings,
            listeners: listeners, onEvent: onEvent)
    }
}
