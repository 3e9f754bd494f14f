public import HTTPTypes
import TelexJSON

/// The one front door to an API: it holds what all calls share, and makes operations.
///
/// ```swift
/// let vk = APIManager<VK>(transport: .urlSession, credentials: .keychain("vk"))
/// let users = try await vk.users.get(userIDs: ["1"]).value
/// ```
public final class APIManager<API: APIDescription>: Sendable {
    /// Where the credential is kept; save one after logging in, clear it when logging out.
    public let credentials: any CredentialStore
    /// Values sent with every request.
    public let parameters: API.Parameters

    private let engine: CallEngine
    /// The base parameters, as fields.
    private let base: RequestTemplate

    /// Makes a manager.
    ///
    /// - Parameters:
    ///   - transport: What sends requests.
    ///   - credentials: Where the credential is kept; in memory by default.
    ///   - server: Which server to call; the API's first by default.
    ///   - parameters: Values sent with every request.
    ///   - clock: What time it is, for rules about dates; the system's by default.
    ///   - onEvent: Is told what happens to calls, without secrets. Called on whatever task the
    ///     call is in, so it has to be quick.
    public init(
        transport: any Transport, credentials: any CredentialStore = .memory,
        server: ServerChoice = .first, parameters: API.Parameters, clock: RuntimeClock = .system,
        onEvent: (@Sendable (APIEvent) -> Void)? = nil
    ) {
        self.credentials = credentials
        self.parameters = parameters
        engine = CallEngine(
            definition: API.definition, transport: transport, credentials: credentials,
            server: server, clock: clock, onEvent: onEvent)
        var builder = RequestBuilder(
            template: RequestTemplate(method: "", endpoint: Endpoint(.get, "")))
        parameters.apply(to: &builder)
        base = builder.template
    }

    /// Makes the operation that will send a request. Nothing is sent until it is started.
    ///
    /// - Parameters:
    ///   - request: What to send, made by generated code.
    ///   - options: What this call wants different from the rest.
    public func operation<Output>(
        _ request: APIRequest<Output>, options: CallOptions = CallOptions()
    ) -> DataOperation<Output> {
        DataOperation(work: { [engine, base] attempt in
            try await engine.run(request, base, options, attempt)
        })
    }

    /// Makes the operation that will send a request: what generated methods call.
    public func operation<Output>(
        _ request: consuming APIRequest<Output>, _ options: CallOptions?
    ) -> DataOperation<Output> {
        operation(request, options: options ?? CallOptions())
    }

    /// The head of the request that a call would send now, with the token in it: for handing it to
    /// other code. Show people the description of the `APIRequest` instead.
    ///
    /// - Throws: An `APIError` of the phase `build` or `auth` if the call could not be sent.
    public func httpRequest<Output>(
        for request: APIRequest<Output>, options: CallOptions = CallOptions()
    ) async throws(APIError) -> HTTPRequest {
        try await engine.head(of: request.template, base, options)
    }
}

extension APIManager where API.Parameters: DefaultParameters {
    /// Makes a manager whose base parameters are the defaults; otherwise as
    /// ``init(transport:credentials:server:parameters:clock:onEvent:)``.
    public convenience init(
        transport: any Transport, credentials: any CredentialStore = .memory,
        server: ServerChoice = .first, clock: RuntimeClock = .system,
        onEvent: (@Sendable (APIEvent) -> Void)? = nil
    ) {
        self.init(
            transport: transport, credentials: credentials, server: server,
            parameters: API.Parameters(), clock: clock, onEvent: onEvent)
    }
}
