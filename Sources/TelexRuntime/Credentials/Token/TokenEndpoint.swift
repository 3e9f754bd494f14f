import HTTPTypes
import TelexInspection
import TelexJSON
import TelexTransport

/// Sends requests for tokens. What holds for all of them: secrets are sent over `https` only, no
/// redirect is followed, a reply has a bounded size and comes within a bounded time, and no text
/// holds a secret.
package struct TokenEndpoint: Sendable {
    /// How large a reply may be; those of real servers have a few thousand bytes.
    package static let maximumReplyBytes = 262_144

    /// Hands a request to the transport.
    private typealias Transmission = @Sendable () async throws(TransportError) -> TransportReply

    private let transport: any Transport
    private let timeout: Duration
    private let clock: RuntimeClock
    private let witness: TokenEventScope?

    /// - Parameters:
    ///   - transport: What sends requests.
    ///   - timeout: How long a whole exchange may take.
    ///   - clock: What measures that.
    ///   - witness: Who is told of requests that no manager asks for; nobody by default.
    package init(
        transport: any Transport, timeout: Duration, clock: RuntimeClock,
        witness: TokenEventScope? = nil
    ) {
        self.transport = transport
        self.timeout = timeout
        self.clock = clock
        self.witness = witness
    }

    /// Sends a request.
    ///
    /// - Throws: `CredentialError` if there is no reply, or it is a refusal; `CancellationError` if
    ///   the task is cancelled.
    package func reply(to request: TokenRequest) async throws -> TokenReply {
        let address = try Address(secure: request.address, "the token address")
        let sent = try request.request(to: address, timeout: timeout)
        var request = request
        request.hide(queryOf: address)
        let place = "the token server \(address.redacted)"
        let answer = try await exchange(place, hiding: request.redactor) {
            [request] () async throws(TransportError) in
            try await transmit(sent, request, to: address)
        }
        return try TokenReply(answer, to: request, from: place, at: clock.now())
    }

    /// Hands a request to the transport, under the eyes of those who listen.
    private func transmit(
        _ sent: TransportRequest, _ request: TokenRequest, to address: Address
    ) async throws(TransportError) -> TransportReply {
        guard let witness = TokenEventScope.current ?? witness, witness.isObserved else {
            return try await transport.send(sent)
        }
        let maker = TokenRecordMaker(request, to: address, bodyLimit: witness.bodyLimit)
        let observer = ExchangeObserver(sent, maker, witness, clock)
        return try await observer.send(sent, with: transport)
    }

    /// The reply to a request, if it comes in time.
    private func exchange(
        _ place: String, hiding redactor: Redactor, _ transmit: @escaping Transmission
    ) async throws -> Reply {
        try await withThrowingTaskGroup(of: Reply?.self) { group in
            defer { group.cancelAll() }
            group.addTask { try await send(place, hiding: redactor, transmit) }
            group.addTask {
                try await clock.sleep(clock.elapsed().later(by: timeout))
                return nil
            }
            if case .some(let reply?) = try await group.next() { return reply }
            try Task.checkCancellation()
            let error = TransportError(.timedOut, "no reply within \(timeout.inWords)")
            throw CredentialError(.transport(error), "\(place) gave \(error.message)")
        }
    }

    private func body(of reply: TransportReply) async throws(TransportError) -> [UInt8] {
        do throws(TransportError) {
            return try await reply.body.collect(upTo: Self.maximumReplyBytes)
        } catch {
            // The page of a server that is down says no more than its status.
            guard case .tooLarge = error.kind, reply.head.status.code >= 400 else { throw error }
            return []
        }
    }

    private func send(
        _ place: String, hiding redactor: Redactor, _ transmit: Transmission
    ) async throws -> Reply {
        do throws(TransportError) {
            let reply = try await transmit()
            // Whatever a redirect says is of no interest, and may never end.
            let isRedirect = (300...399).contains(reply.head.status.code)
            if isRedirect { reply.body.cancel() }
            return Reply(head: reply.head, body: isRedirect ? [] : try await body(of: reply))
        } catch {
            try Task.checkCancellation()
            var error = error
            // Whose transport it is, and what it repeats of the request, is not known here.
            error.message = redactor.redact(error.message)
            throw CredentialError(
                .transport(error), "\(place) could not be asked for a token: \(error.message)")
        }
    }
}

extension TokenRequest {
    /// What is not shown of the address is not shown by who repeats it either.
    fileprivate mutating func hide(queryOf address: Address) {
        for item in address.query?.split(separator: "&") ?? [] {
            let value = item.firstIndex(of: "=").map { item[$0...].dropFirst() } ?? item
            hide(part: PercentEncoding.decode(value))
        }
    }
}
