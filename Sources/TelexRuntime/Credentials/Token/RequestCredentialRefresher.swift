import TelexTransport

/// Gets a new credential with the request that a spec declares.
public struct RequestCredentialRefresher: CredentialRefresher {
    private let request: RefreshRequest
    private let refusals: TokenRefusalRules?
    private let endpoint: TokenEndpoint
    private let clock: RuntimeClock

    /// Makes a refresher.
    ///
    /// - Parameters:
    ///   - request: What to send.
    ///   - transport: What sends it.
    ///   - timeout: How long the whole exchange may take; 60 seconds by default.
    ///   - clock: What time it is, to know when the new token is over, and what measures the
    ///     timeout; the system's by default.
    public init(
        _ request: RefreshRequest, transport: any Transport, timeout: Duration = .seconds(60),
        clock: RuntimeClock = .system
    ) {
        self.init(
            request, refusals: nil, transport: transport, timeout: timeout, clock: clock)
    }

    /// - Parameter refusals: How the server says no, besides as OAuth has it.
    init(
        _ request: RefreshRequest, refusals: TokenRefusalRules?, transport: any Transport,
        timeout: Duration = .seconds(60), clock: RuntimeClock
    ) {
        self.request = request
        self.refusals = refusals
        endpoint = TokenEndpoint(transport: transport, timeout: timeout, clock: clock)
        self.clock = clock
    }

    /// Sends the request and reads the reply.
    ///
    /// - Throws: `CredentialError` if there is nothing to refresh with, the server cannot be
    ///   reached or refuses, or its reply is not as described; `CancellationError` if the task is
    ///   cancelled.
    public func refresh(_ old: Credential?) async throws -> Credential {
        var sent = try request.request(old)
        sent.refusals = refusals
        let reply = try await endpoint.reply(to: sent)
        return try reply.credential(request.reply, after: old, at: clock.now())
    }
}
