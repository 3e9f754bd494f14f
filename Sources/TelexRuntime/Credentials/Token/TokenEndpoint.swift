import HTTPTypes
import TelexCredentials
import TelexInspection
import TelexJSON
import TelexTransport

/// Sends token requests. Secrets are sent only over `https` (or to this machine), redirects are not
/// followed, replies are limited in size and time, and no text contains a secret.
package struct TokenEndpoint: Sendable {
    /// The maximum size of a reply in bytes; real replies have a few thousand bytes.
    package static let maximumReplyBytes = 262_144

    /// A closure that hands a request to the transport.
    private typealias Transmission = @Sendable () async throws(TransportError) -> TransportReply

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
        let answer = try await exchange(with: place, hiding: request.redactor) {
            [request] () async throws(TransportError) in
            try await transmit(sent, for: request, to: address)
        }
        return try TokenReply(answer, to: request, from: place, at: clock.now())
    }

    /// Hands a request to the transport, and emits events if there are listeners.
    private func transmit(
        _ sent: TransportRequest, for request: TokenRequest, to address: Address
    ) async throws(TransportError) -> TransportReply {
        guard let eventScope = PrivilegedTask.current?.events ?? eventScope, eventScope.isObserved
        else {
            return try await transport.send(sent)
        }
        let maker = TokenRecordMaker(request, to: address, bodyLimit: eventScope.bodyLimit)
        let observer = ExchangeObserver(sent, recorder: maker, reporter: eventScope, clock: clock)
        return try await observer.send(sent, with: transport)
    }

    /// Returns the reply to a request, or throws after the time-out.
    private func exchange(
        with place: String, hiding redactor: Redactor, transmit: @escaping Transmission
    ) async throws -> Reply {
        try await withThrowingTaskGroup(of: Reply?.self) { group in
            defer { group.cancelAll() }
            group.addTask { try await send(to: place, hiding: redactor, transmit: transmit) }
            group.addTask {
                try await clock.sleep(clock.elapsed().later(by: timeout))
                return nil
            }
            if case .some(let reply?) = try await group.next() { return reply }
            try Task.checkCancellation()
            let error = TransportError(.timedOut, "no reply within \(timeout.roundedDescription)")
            throw CredentialError(.transport(error), "\(place) gave \(error.message)")
        }
    }

    private func body(of reply: TransportReply) async throws(TransportError) -> [UInt8] {
        do throws(TransportError) {
            return try await reply.body.collect(upTo: Self.maximumReplyBytes)
        } catch {
            // The long error page of a server adds nothing to its status.
            guard case .tooLarge = error.kind, reply.head.status.code >= 400 else { throw error }
            return []
        }
    }

    private func send(
        to place: String, hiding redactor: Redactor, transmit: Transmission
    ) async throws -> Reply {
        do throws(TransportError) {
            let reply = try await transmit()
            // The body of a redirect is not needed, and may be endless.
            let isRedirect = (300...399).contains(reply.head.status.code)
            if isRedirect { reply.body.cancel() }
            return Reply(head: reply.head, body: isRedirect ? [] : try await body(of: reply))
        } catch {
            try Task.checkCancellation()
            var error = error
            // The transport's message may repeat parts of the request.
            error.message = redactor.redact(error.message)
            throw CredentialError(
                .transport(error), "\(place) could not be asked for a token: \(error.message)")
        }
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
