import HTTPTypes
import TelexRuntime
import TelexTesting

/// A client whose requests a handler answers: over a socket, or in memory.
struct TransportTestClient: Sendable {
    let transport: any Transport
    private let server: LoopbackServer?

    init(_ kind: TransportKind, _ handler: @escaping LoopbackServer.Handler) throws {
        server = kind == .inMemory ? nil : try LoopbackServer(handler)
        transport =
            kind == .inMemory ? InMemoryTransport(serving: handler) : kind.makeTransport()
    }

    func stop() { server?.stop() }

    /// Sends a request and returns the reply as soon as its head is there.
    func send(
        _ method: HTTPRequest.Method = .get, _ path: String = "/", fields: HTTPFields = [:],
        body: RequestBody? = nil
    ) async throws(TransportError) -> TransportReply {
        try await transport.send(
            TransportRequest(
                head: HTTPRequest(
                    method: method, scheme: "http", authority: server?.authority ?? "example.test",
                    path: path, headerFields: fields),
                body: body, timeout: .noTimeout))
    }

    /// Sends a request and reads the reply to its end.
    func fetch(
        _ method: HTTPRequest.Method = .get, _ path: String = "/", fields: HTTPFields = [:],
        body: RequestBody? = nil
    ) async throws(TransportError) -> CollectedReply {
        let reply = try await send(method, path, fields: fields, body: body)
        return CollectedReply(head: reply.head, body: try await reply.body.collect(upTo: .max))
    }
}
