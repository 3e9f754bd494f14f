import HTTPTypes
import TelexCredentials
import TelexInspection
import TelexJSON
import TelexRequests
import TelexTransport
import TelexValues

/// Sends token requests. Secrets are sent only over `https` (or to this machine), redirects are not
/// followed, replies are limited in size and time, and no text contains a secret.
package struct TokenEndpoint: Sendable {
    private let transport: any Transport
    private let timeout: Duration
    private let clock: RuntimeClock
    private let eventScope: TokenEventScope?

    /// - Parameters:
    ///   - transport: The transport that sends requests.
    ///   - timeout: The time-out of a whole exchange.
    ///   - clock: The clock that measures the time-out.
    ///   - eventScope: The listeners of requests outside a manager; none by default.
    package init(
        transport: any Transport, timeout: Duration, clock: RuntimeClock,
        eventScope: TokenEventScope? = nil
    ) {
        self.transport = transport
        self.timeout = timeout
        self.clock = clock
        self.eventScope = eventScope
    }

    /// Sends a request and returns the token reply.
    ///
    /// - Throws: `CredentialError` if there is no reply, or if it is a refusal; `CancellationError`
    ///   if the task is cancelled.
    package func reply(to request: TokenRequest) async throws -> TokenReply {
        let address = try Address(secure: request.address, "the token address")
        let sent = try request.request(to: address, timeout: timeout)
        var request = request
        request.hide(queryOf: address)
        let place = "the token server \(address.redacted)"
        do {
            let answer = try await exchange(sent, for: request)
            return try TokenReply(answer, to: request, from: place, at: clock.now())
        } catch var error as TransportError {
            try Task.checkCancellation()
            // The transport's message may repeat parts of the request.
            error.message = request.redactor.redact(error.message)
            throw CredentialError(
                .transport(error), "\(place) could not be asked for a token: \(error.message)")
        }
    }

    /// Returns the reply to a request, or throws after the time-out.
    private func exchange(
        _ sent: TransportRequest, for request: TokenRequest
    ) async throws -> Reply {
        try await withThrowingTaskGroup(of: Reply.self) { group in
            defer { group.cancelAll() }
            group.addTask { try await reply(to: sent, for: request) }
            group.addTask {
                try await clock.sleep(clock.elapsed().later(by: timeout))
                throw TransportError(.timedOut, "no reply within \(timeout.roundedDescription)")
            }
            guard let first = try await group.next() else { throw CancellationError() }
            return first
        }
    }

    /// Sends a request and reads its reply. The body of a redirect is not needed, and may be
    /// endless; the long error page of a server adds nothing to its status.
    private func reply(
        to sent: TransportRequest, for request: TokenRequest
    ) async throws(TransportError) -> Reply {
        let reply = try await transmit(sent, for: request)
        let status = reply.head.status.code
        if (300...399).contains(status) {
            reply.body.cancel()
            return Reply(head: reply.head, body: [])
        }
        do throws(TransportError) {
            let body = try await reply.body.collect(upTo: TokenReply.maximumBytes)
            return Reply(head: reply.head, body: body)
        } catch {
            guard case .tooLarge = error.kind, status >= 400 else { throw error }
            return Reply(head: reply.head, body: [])
        }
    }

    /// Hands a request to the transport, and emits events if there are listeners.
    private func transmit(
        _ sent: TransportRequest, for request: TokenRequest
    ) async throws(TransportError) -> TransportReply {
        guard let eventScope = PrivilegedTask.current?.events ?? eventScope, eventScope.isObserved
        else { return try await transport.send(sent) }
        let maker = TokenRecordMaker(request: request, bodyLimit: eventScope.bodyLimit)
        let observer = ExchangeObserver(sent, recorder: maker, reporter: eventScope, clock: clock)
        return try await observer.send(sent, with: transport)
    }
}

extension TokenRequest {
    /// Hides the values of the query, which other texts may repeat.
    fileprivate mutating func hide(queryOf address: Address) {
        for item in address.query?.split(separator: "&") ?? [] {
            let value = item.firstIndex(of: "=").map { item[$0...].dropFirst() } ?? item
            hide(part: PercentEncoding.decode(value))
        }
    }
}
