import HTTPTypes
import Synchronization
import TelexRuntime

/// A request that arrived at a transport for tests, with the bytes of its body.
public struct SentRequest: Sendable {
    /// The request as it was given to the transport.
    public let request: TransportRequest
    /// The bytes of the body, read from its files and streams; empty if there is no body.
    public let body: [UInt8]

    /// Method, address and header fields.
    public var head: HTTPRequest { request.head }
    /// The body as text.
    public var text: String { String(decoding: body, as: UTF8.self) }
}

/// A transport without a network: a script answers. It checks requests, bounds replies and is
/// cancelled like a real one, if its script heeds that while it waits, as a ``Gate`` does; only time
/// does not pass (`timeout` has no effect: a script that means a time-out throws `.timedOut`).
///
/// ```swift
/// let transport = InMemoryTransport { request in
///     if request.head.path == "/slow" { await gate.wait() }
///     return .json(#"{"id": 1}"#)
/// }
/// ```
public final class InMemoryTransport: Transport {
    /// Answers a request, or throws what a transport would.
    public typealias Script =
        @Sendable (_ request: SentRequest) async throws(TransportError) -> TransportReply

    private let script: Script
    private let log = Mutex<[SentRequest]>([])

    /// Makes a transport that answers with `script`.
    public init(_ script: @escaping Script) { self.script = script }

    /// All requests so far, in the order of their arrival.
    public var requests: [SentRequest] { log.withLock { $0 } }

    /// Sends `request` to the script. See `Transport`.
    ///
    /// - Throws: What the script throws, `.invalidRequest`, `.cancelled`.
    public func send(_ request: TransportRequest) async throws(TransportError) -> TransportReply {
        if Task.isCancelled { throw .cancelled }
        try request.check()
        var body: [UInt8] = []
        try await request.body?.read { chunk throws(TransportError) in
            body += chunk
            request.onBodySent?(body.count)
        }
        let sent = SentRequest(request: request, body: body)
        log.withLock { $0.append(sent) }
        let reply = try await script(sent)
        if Task.isCancelled { throw .cancelled }
        guard reply.mayHaveBody(to: request.head.method) else {
            reply.body.cancel()
            return TransportReply(head: reply.head, body: ReplyBody([]))
        }
        return reply.bounded(by: request.maximumReplyBytes)
    }
}

extension TransportReply {
    /// Whether a reply has a body over a connection (RFC 9112, section 6.3).
    fileprivate func mayHaveBody(to method: HTTPRequest.Method) -> Bool {
        method != .head && ![204, 304].contains(head.status.code)
    }

    /// The reply from its beginning, with a body that throws `.tooLarge` once it has more than `limit`
    /// bytes.
    fileprivate func bounded(by limit: Int) -> TransportReply {
        let limit = max(0, limit)
        let length = body.length
        let received = Count()
        let bounded = body.renewed.inspected { result throws(TransportError) in
            if Task.isCancelled { throw .cancelled }
            let chunk = try result.get() ?? []
            if length ?? 0 > limit || received.add(chunk.count) > limit {
                throw .tooLarge(limit: limit)
            }
        }
        return TransportReply(head: head, body: bounded)
    }
}

private final class Count: Sendable {
    private let total = Mutex(0)

    func add(_ more: Int) -> Int {
        total.withLock { total in
            total += more
            return total
        }
    }
}
