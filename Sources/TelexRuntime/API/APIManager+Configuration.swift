import TelexCredentials
import TelexRequests
import TelexTemplates
import TelexTransport

extension APIManager {
    /// Everything that a manager is made of. Only the transport has no default.
    ///
    /// Most managers need a transport and a store of credentials. What else differs from the
    /// defaults is set in a closure:
    ///
    /// ```swift
    /// let vk = APIManager<VK>(transport: .urlSession, credentials: .keychain("vk")) {
    ///     $0.refresher = .app { _ in try await loginScreen.credential() }
    ///     $0.listeners = [log]
    /// }
    /// ```
    ///
    /// A configuration is a value. A function of the app may return one that its managers begin
    /// with, and each of them changes a copy:
    ///
    /// ```swift
    /// var staging = configuration
    /// staging.server = .named("staging")
    /// let vk = APIManager(staging)
    /// ```
    ///
    /// A manager copies its configuration. Later changes have no effect on it.
    public struct Configuration: Sendable {
        // MARK: What each call needs

        /// The transport that sends the requests: `.urlSession` on Apple's platforms,
        /// `.asyncHTTPClient` on servers, an `InMemoryTransport` in tests.
        public var transport: any Transport
        /// The store of the credential of the API's first scheme; in memory, and empty, by default.
        /// An app whose users stay logged in gives one that keeps it: `.keychain("vk")`,
        /// `.file(path)`, or a store of its own.
        public var credentials: any CredentialStore
        /// Values sent with every request: the common parameters and header fields of the spec.
        /// By default the values that the spec declares.
        public var parameters: API.Parameters

        // MARK: Servers

        /// The server to call; the API's first by default. Tests and staged releases give another
        /// one: `.named("staging")`, `.url("http://127.0.0.1:8080/")`. It does not replace a server
        /// that a method names itself, such as one for uploads: see ``servers``.
        public var server = ServerChoice.first
        /// The addresses of servers of the API by name, or the values of their variables, where
        /// they differ from the description; none by default. They apply to all calls to such a
        /// server that give no values for its variables themselves, as in
        /// `["upload": .url("https://upload.staging.example/")]`. With a name that the API does not
        /// have, every call fails.
        public var servers: [String: ServerChoice] = [:]

        // MARK: Tokens and secrets

        /// Obtains a new credential when the token has expired, while the calls that need it wait.
        /// By default the refresh request of the API's description; without one, such calls fail.
        /// An app gives one where only the user or another library can log in again.
        public var refresher: (any CredentialRefresher)?
        /// The stores with the credentials of the API's further schemes, by the names of the
        /// schemes; each is in memory, and empty, by default. ``credentials`` is that of the first
        /// scheme. With a name that the API does not have, every call fails.
        public var schemes: [String: any CredentialStore] = [:]
        /// The secrets that the spec names with `secret` and `$secret.NAME`: a dictionary, or a
        /// provider that reads them when they are needed. None by default; a call that needs one
        /// then fails.
        public var secrets: (any SecretProvider)?
        /// Is called at the end of each log-out, even if the server could not be notified; nothing
        /// by default. It removes what the manager does not, such as the cookies of web views and
        /// files of the user.
        public var onLogOut: (@Sendable () async -> Void)?

        // MARK: Requests and replies

        /// The hooks between the engine and the transport, the outermost first; none by default.
        /// They sign requests, or answer some of them.
        public var interceptors: [any Interceptor] = []
        /// The app's own checks of replies; needed if the description asks for some with
        /// `validate: custom`. None by default.
        public var checks: API.ReplyChecks?
        /// Learns of replies that deviate from their description and are used nevertheless. Nil by
        /// default: such replies are then only in events and in ``OperationResponse/warnings``.
        public var drift: (any DriftListener)?
        /// Checks replies with templates that may change while the app runs, and records them; by
        /// default only those of the description are used.
        public var templates: TemplateUse?
        /// Where replies of the methods with `cache` in the spec are kept; in 10 megabytes of memory
        /// by default. Give one with a folder to keep them across launches, and nil to keep none.
        public var cache: HTTPCache? = HTTPCache()

        // MARK: Observation

        /// Receive the events of calls, without secrets: logs, metrics, recorders. None by default.
        public var listeners: [any APIEventListener] = []
        /// A closure that receives the events; none by default. It is called on the task or thread
        /// of the call. It must be quick and must not block, because other calls wait for it.
        public var onEvent: (@Sendable (APIEvent) -> Void)?

        // MARK: The engine

        /// The clock, the randomness and the network conditions of the engine, and how it diagnoses
        /// failures. Mainly tests change them.
        public var settings = EngineSettings()

        /// Creates a configuration with the defaults of everything else.
        public init(
            transport: any Transport, credentials: any CredentialStore = .memory,
            parameters: API.Parameters
        ) {
            self.transport = transport
            self.credentials = credentials
            self.parameters = parameters
        }
    }

    /// Creates a manager from a configuration that begins with the defaults.
    ///
    /// - Parameters:
    ///   - transport: The transport that sends the requests.
    ///   - credentials: The store of the credential; in memory by default.
    ///   - parameters: Values sent with every request.
    ///   - configure: Sets what differs from the defaults, as in `{ $0.server = .named("staging") }`.
    ///     It is called once, before this initializer returns.
    public convenience init(
        transport: any Transport, credentials: any CredentialStore = .memory,
        parameters: API.Parameters, configure: (inout Configuration) -> Void = { _ in }
    ) {
        var configuration = Configuration(
            transport: transport, credentials: credentials, parameters: parameters)
        configure(&configuration)
        self.init(configuration)
    }
}

extension APIManager where API.Parameters: DefaultParameters {
    /// Creates a manager with the default base parameters; otherwise like the initializer with
    /// `parameters`.
    public convenience init(
        transport: any Transport, credentials: any CredentialStore = .memory,
        configure: (inout Configuration) -> Void = { _ in }
    ) {
        self.init(
            transport: transport, credentials: credentials, parameters: API.Parameters(),
            configure: configure)
    }
}

extension APIManager.Configuration where API.Parameters: DefaultParameters {
    /// Creates a configuration with the default base parameters, and the defaults of everything
    /// else.
    public init(transport: any Transport, credentials: any CredentialStore = .memory) {
        self.init(
            transport: transport, credentials: credentials, parameters: API.Parameters())
    }
}
