import TelexCredentials
import TelexRequests
import TelexTransport
import TelexValues

/// A refresher that sends the token request that a spec declares.
public struct RequestCredentialRefresher: CredentialRefresher {
    private let request: RefreshRequest
    private let refusals: TokenRefusalRules?
    private let secrets: (any SecretProvider)?
    private let endpoint: TokenEndpoint
    private let clock: RuntimeClock

    /// Makes a refresher.
    ///
    /// - Parameters:
    ///   - request: The request to send.
    ///   - secrets: The secrets that the request sends; none by default.
    ///   - transport: The transport that sends it.
    ///   - timeout: The time-out of the whole exchange; 60 seconds by default.
    ///   - clock: The clock for the expiry of the new token and for the time-out; the system's by
    ///     default.
    public init(
        _ request: RefreshRequest, secrets: (any SecretProvider)? = nil,
        transport: any Transport, timeout: Duration = .seconds(60), clock: RuntimeClock = .system
    ) {
        self.init(
            request, secrets: secrets, refusals: nil, transport: transport, timeout: timeout,
            clock: clock)
    }

    /// - Parameter refusals: How the server reports refusals in addition to the way of OAuth.
    init(
        _ request: RefreshRequest, secrets: (any SecretProvider)?, refusals: TokenRefusalRules?,
        transport: any Transport, timeout: Duration = .seconds(60), clock: RuntimeClock
    ) {
        self.request = request
        self.secrets = secrets
        self.refusals = refusals
        endpoint = TokenEndpoint(transport: transport, timeout: timeout, clock: clock)
        self.clock = clock
    }

    /// Whether the request needs nothing of an old credential.
    public var canLogIn: Bool { request.logsIn }

    /// Sends the request and returns the credential of the reply.
    ///
    /// - Throws: `CredentialError` if there is nothing to refresh with, if a secret is missing, if
    ///   the server cannot be reached or refuses, or if its reply is not as described;
    ///   `CredentialStoreError` if a secret cannot be read; `CancellationError` if the task is
    ///   cancelled.
    public func refresh(_ old: Credential?) async throws -> Credential {
        var values: [String: String] = [:]
        for name in request.secretNames { values[name] = try await secrets?.text(of: name) }
        var sent = try request.request(old, values)
        sent.refusals = refusals
        let reply = try await endpoint.reply(to: sent)
        return try reply.credential(request.reply, after: old, at: clock.now())
    }
}
