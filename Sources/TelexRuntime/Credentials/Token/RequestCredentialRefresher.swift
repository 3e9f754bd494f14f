import TelexTransport

/// A refresher that sends the token request that a spec declares.
public struct RequestCredentialRefresher: CredentialRefresher {
    private let request: RefreshRequest
    private let refusals: TokenRefusalRules?
    private let endpoint: TokenEndpoint
    private let clock: RuntimeClock

    /// Makes a refresher.
    ///
    /// - Parameters:
    ///   - request: The request to send.
    ///   - transport: The transport that sends it.
    ///   - timeout: The time-out of the whole exchange; 60 seconds by default.
    ///   - clock: The clock for the expiry of the new token and for the time-out; the system's by
    ///     default.
    public init(
        _ request: RefreshRequest, transport: any Transport, timeout: Duration = .seconds(60),
        clock: RuntimeClock = .system
    ) {
        self.init(
            request, refusals: nil, transport: transport, timeout: timeout, clock: clock)
    }

    /// - Parameter refusals: How the server reports refusals in addition to the way of OAuth.
    init(
        _ request: RefreshRequest, refusals: TokenRefusalRules?, transport: any Transport,
        timeout: Duration = .seconds(60), clock: RuntimeClock
    ) {
        self.request = request
        self.refusals = refusals
        endpoint = TokenEndpoint(transport: transport, timeout: timeout, clock: clock)
        self.clock = clock
    }

    /// `false`: the request needs the old credential.
    public var canLogIn: Bool { false }

    /// Sends the request and returns the credential of the reply.
    ///
    /// - Throws: `CredentialError` if there is nothing to refresh with, if the server cannot be
    ///   reached or refuses, or if its reply is not as described; `CancellationError` if the task
    ///   is cancelled.
    public func refresh(_ old: Credential?) async throws -> Credential {
        var sent = try request.request(old)
        sent.refusals = refusals
        let reply = try await endpoint.reply(to: sent)
        return try reply.credential(request.reply, after: old, at: clock.now())
    }
}
