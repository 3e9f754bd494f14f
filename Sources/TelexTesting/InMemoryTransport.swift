import HTTPTypes
import TelexJSON
import TelexRuntime

/// A request that arrived at a transport for tests, with the bytes of its body.
public struct SentRequest: Sendable {
    /// The request that was passed to the transport.
    public let request: TransportRequest
    /// The bytes of the body, read from its files and streams; empty if there is no body.
    public let body: [UInt8]

    /// The method, address and header fields.
    public var head: HTTPRequest { request.head }
    /// The body as text.
    public var text: String { String(decoding: body, as: UTF8.self) }
}

/// A transport without a network that answers with a script. Like a real transport, it checks
/// requests, limits the size of replies and supports cancellation. The script must react to
/// cancellation while it waits, as a ``Gate`` does. Time does not pass: `timeout` has no effect,
/// and a script that simulates a time-out throws `.timedOut`.
///
/// The body must match its head, as over a connection. If the body is shorter than
/// `Content-Length`, it ends in `.truncated`; bytes above that length are dropped. In a reply with
/// a `Content-Encoding`, the length counts compressed bytes, so it is not compared with the body.
///
/// ```swift
/// let transport = InMemoryTransport { request in
///     if request.head.path == "/slow" { await gate.wait() }
///     return .json(#"{"id": 1}"#)
/// }
/// ```
public final class InMemoryTransport: Transport {
    /// Answers a request, or throws an error of a transport.
    public typealias Script =
        @Sendable (_ request: SentRequest) async throws(TransportError) -> TransportReply

    private let script: Script
    private let log = Lock<[SentRequest]>([])

    /// Makes a transport that answers with `script`.
    public init(_ script: @escaping Script) { self.script = script }

    /// All requests so far, in the order of their arrival.
    public var requests: [SentRequest] { log.withLock { $0 } }

    /// Sends `request` to the script. See `Transport`.
    ///
    /// - Throws: The error of the script, `.invalidRequest` or `.cancelled`; `.other` if the
    ///   reply's `Content-Length` is not a length.
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
        return try reply.received(upTo: request.maximumReplyBytes)
    }
}

extension TransportReply {
    /// Whether the reply may have a body (RFC 9112, section 6.3).
    fileprivate func mayHaveBody(to method: HTTPRequest.Method) -> Bool {
        method != .head && ![204, 304].contains(head.status.code)
    }

    /// The reply from its beginning, with a checked body. It throws `.tooLarge` above `limit`
    /// bytes, and `.truncated` if it has fewer bytes than the head declares.
    fileprivate func received(upTo limit: Int) throws(TransportError) -> TransportReply {
        let declared = try head.declaredLength()
        let body = body.restarted
        let reader = BodyReader(body, declaredLength: declared, limit: max(0, limit))
        return TransportReply(
            head: head,
            body: ReplyBody(
                length: declared ?? body.length, cancel: body.cancel,
                next: { () async throws(TransportError) in try await reader.next() }))
    }
}

extension HTTPResponse {
    /// The declared length of the body (RFC 9112, 6.3). Nil if there is none, or if it does not
    /// count the bytes that the reader gets.
    fileprivate func declaredLength() throws(TransportError) -> Int? {
        guard headerFields[.transferEncoding] == nil, headerFields[.contentEncoding] == nil
        else { return nil }
        return try headerFields.contentLength()
    }
}

extension HTTPFields {
    /// The value of `Content-Length`; nil if there is no such field.
    ///
    /// - Throws: `.other` if the value is not a length.
    func contentLength() throws(TransportError) -> Int? {
        guard let text = self[.contentLength] else { return nil }
        guard let length = Int(text), length >= 0, text.utf8.first != 0x2B else {
            throw TransportError(.other, "`Content-Length` is not a length")
        }
        return length
    }
}

/// Reads a scripted body as if it came over a connection: with its declared length and limit.
private final class BodyReader: Sendable {
    private struct State {
        var received = 0
        var isReading = false
    }

    private let source: ReplyBody.Next
    private let cancel: @Sendable () -> Void
    private let declared: Int?
    private let limit: Int
    private let state = Lock(State())

    init(_ body: ReplyBody, declaredLength declared: Int?, limit: Int) {
        source = body.sharedNext
        cancel = body.cancel
        self.declared = declared
        self.limit = limit
    }

    /// The next bytes; nil at the end.
    func next() async throws(TransportError) -> [UInt8]? {
        guard let received = beginRead() else { throw .secondReader }
        var chunk: [UInt8]?
        defer { endRead(chunk) }
        do throws(TransportError) {
            chunk = try await self.chunk(after: received)
            return chunk
        } catch {
            cancel()
            throw error
        }
    }

    /// Marks the body as being read and returns the number of bytes received so far; nil if another
    /// reader is reading.
    private func beginRead() -> Int? {
        state.withLock { state in
            defer { state.isReading = true }
            return state.isReading ? nil : state.received
        }
    }

    private func endRead(_ chunk: [UInt8]?) {
        state.withLock { state in
            state.received += chunk?.count ?? 0
            state.isReading = false
        }
    }

    private func chunk(after received: Int) async throws(TransportError) -> [UInt8]? {
        let rest = (declared ?? .max) - received
        var chunk = rest > 0 ? try await source() : nil
        if Task.isCancelled { throw .cancelled }
        if let count = chunk?.count, count > rest { chunk?.removeLast(count - rest) }
        guard declared ?? 0 <= limit, chunk?.count ?? 0 <= limit - received else {
            throw .tooLarge(limit: limit)
        }
        if chunk == nil, let declared, rest > 0 {
            throw .truncated(received: received, expected: declared)
        }
        return chunk
    }
}
