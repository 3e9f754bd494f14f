import HTTPTypes
import TelexRuntime
import TelexTesting
import TelexURLSession

#if AsyncHTTPClient
    import TelexAsyncHTTPClient
#endif

/// The transports that have to behave alike.
enum Kind: CaseIterable, Sendable {
    case urlSession
    case inMemory
    #if AsyncHTTPClient
        case asyncHTTPClient
    #endif
}

/// What the other side got, whatever the transport.
struct Seen: Sendable {
    let method: String
    let target: String
    let fields: HTTPFields
    let body: [UInt8]
}

/// What the other side does.
enum Answer: Sendable {
    case bytes([UInt8] = [], status: Int = 200, fields: HTTPFields = [:])
    case truncated([UInt8], declaring: Int)
    case stalled([UInt8], declaring: Int, until: Gate)
    case closed
    case held(Gate)
}

/// A transport and something that answers it.
struct Rig: Sendable {
    let transport: any Transport
    let authority: String
    private let server: LoopbackServer?

    init(_ kind: Kind, _ answer: @escaping @Sendable (Seen) -> Answer) throws {
        switch kind {
        case .urlSession:
            let server = try LoopbackServer { request in
                answer(Seen(request)).loopbackReply
            }
            self.server = server
            transport = URLSessionTransport()
            authority = server.authority
        case .inMemory:
            server = nil
            transport = InMemoryTransport { request throws(TransportError) in
                try await answer(Seen(request)).transportReply()
            }
            authority = "example.test"
        #if AsyncHTTPClient
            case .asyncHTTPClient:
                let server = try LoopbackServer { answer(Seen($0)).loopbackReply }
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

extension Seen {
    init(_ request: LoopbackRequest) {
        self.init(
            method: request.method, target: request.target, fields: request.fields,
            body: request.body)
    }

    init(_ request: SentRequest) {
        self.init(
            method: request.head.method.rawValue, target: request.head.path ?? "",
            fields: request.head.headerFields, body: request.body)
    }
}

extension Answer {
    var loopbackReply: LoopbackReply {
        switch self {
        case .bytes(let body, let status, let fields):
            .bytes(body, status: status, fields: fields)
        case .truncated(let body, let length): .truncated(body, declaring: length)
        case .stalled(let body, let length, _): .stalled(body, declaring: length)
        case .closed: .closed
        case .held(let gate): .bytes().held(by: gate)
        }
    }

    func transportReply() async throws(TransportError) -> TransportReply {
        switch self {
        case .bytes(let body, let status, let fields):
            return .bytes(body, status: .init(code: status), fields: fields)
        case .truncated(let body, let length): return .truncated(body, declaring: length)
        case .stalled(let body, let length, let gate):
            return .chunks([body], length: length, after: gate)
        case .closed: throw TransportError(.connectionLost, "closed")
        case .held(let gate):
            await gate.wait()
            return .bytes()
        }
    }
}

extension TransportError {
    /// The kind of the error that `body` throws; `nil` if it throws none.
    static func kind(of body: () async throws -> Void) async -> Kind? {
        do {
            try await body()
            return nil
        } catch { return (error as? TransportError)?.kind }
    }
}
