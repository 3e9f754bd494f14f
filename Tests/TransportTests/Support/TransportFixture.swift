import HTTPTypes
import TelexRuntime
import TelexTesting
import TelexURLSession

#if AsyncHTTPClient
    import TelexAsyncHTTPClient
#endif

/// A transport with a server or a script that answers its requests.
struct TransportFixture: Sendable {
    let transport: any Transport
    let authority: String
    private let server: LoopbackServer?

    init(_ kind: TransportKind, _ answer: @escaping @Sendable (ReceivedRequest) -> ScriptedReply)
        throws
    {
        switch kind {
        case .urlSession:
            let server = try LoopbackServer { request in
                answer(ReceivedRequest(request)).loopbackReply
            }
            self.server = server
            transport = URLSessionTransport()
            authority = server.authority
        case .inMemory:
            server = nil
            transport = InMemoryTransport { request throws(TransportError) in
                try await answer(ReceivedRequest(request)).transportReply()
            }
            authority = "example.test"
        #if AsyncHTTPClient
            case .asyncHTTPClient:
                let server = try LoopbackServer { answer(ReceivedRequest($0)).loopbackReply }
                self.server = server
                transport = AsyncHTTPClientTransport()
                authority = server.authority
        #endif
        }
    }

    func request(
        _ method: HTTPRequest.Method = .get, _ path: String = "/", fields: HTTPFields = [:],
        body: RequestBody? = nil
    ) -> TransportRequest {
        TransportRequest(
            head: HTTPRequest(
                method: method, scheme: "http", authority: authority, path: path,
                headerFields: fields),
            body: body, timeout: .noTimeout)
    }

    /// Sends a request and reads the reply to its end.
    func exchange(_ request: TransportRequest) async throws -> (head: HTTPResponse, body: String) {
        let reply = try await transport.send(request)
        let body = try await reply.body.collect(upTo: .max)
        return (reply.head, String(decoding: body, as: UTF8.self))
    }

    func stop() { server?.stop() }
}
