import HTTPTypes
import TelexJSON
import TelexRuntime

/// One exchange that a `RecordingTransport` recorded. The values of header fields that carry
/// credentials are replaced by `‹redacted›`. Addresses and bodies are recorded as sent, including
/// any secrets in them. For records that are safe to log, use a `HARRecorder`.
public struct RecordedExchange: Sendable {
    /// The method, address and header fields of the request.
    public var request: HTTPRequest
    /// The body of the request if it was in memory, up to the limit.
    public var requestBody: [UInt8] = []
    /// The status and header fields of the reply; `nil` if there is none (yet).
    public var reply: HTTPResponse?
    /// The part of the reply's body that was read, up to the limit.
    public var replyBody: [UInt8] = []
    /// The error of the exchange; `nil` if it has not failed (yet).
    public var error: TransportError?
    /// Whether the body of the reply was read to its end.
    public var isComplete = false
}

/// A transport that forwards requests to another transport and records requests and replies.
public final class RecordingTransport: Transport {
    /// Fields that carry credentials: `Authorization`, `Proxy-Authorization`, `Cookie` and
    /// `Set-Cookie`.
    public static let credentialFields: Set<HTTPField.Name> = [
        .authorization, .proxyAuthorization, .cookie, .setCookie,
    ]

    private let base: any Transport
    private let redacted: Set<HTTPField.Name>
    private let limit: Int
    private let log = Lock<[RecordedExchange]>([])

    /// Makes a transport that records the exchanges of `base`.
    ///
    /// - Parameters:
    ///   - redacting: Fields whose values are not recorded; those with credentials by default.
    ///   - limit: The number of bytes of each body to record, 1 MiB by default. The bodies
    ///     themselves are passed on completely.
    public init(
        _ base: any Transport, redacting: Set<HTTPField.Name> = credentialFields,
        keeping limit: Int = 1_048_576
    ) {
        self.base = base
        self.redacted = redacting
        self.limit = max(0, limit)
    }

    /// All exchanges so far, in the order in which they began.
    public var exchanges: [RecordedExchange] { log.withLock { $0 } }

    /// The probe of the other transport.
    public var probe: ReachabilityProbe? { base.probe }

    /// Sends `request` with the other transport. See `Transport`.
    ///
    /// - Throws: The error of the other transport.
    public func send(_ request: TransportRequest) async throws(TransportError) -> TransportReply {
        let index = begin(request)
        do throws(TransportError) {
            let reply = try await base.send(request)
            change(index) { $0.reply = reply.head.redacting(redacted) }
            return recording(reply, index)
        } catch {
            change(index) { $0.error = error }
            throw error
        }
    }

    private func begin(_ request: TransportRequest) -> Int {
        var head = request.head
        head.headerFields = head.headerFields.redacting(redacted)
        let body = request.body?.bytesInMemory.prefix(limit) ?? []
        return log.withLock { log in
            log.append(RecordedExchange(request: head, requestBody: Array(body)))
            return log.count - 1
        }
    }

    private func change(_ index: Int, _ edit: (inout RecordedExchange) -> Void) {
        log.withLock { edit(&$0[index]) }
    }

    private func recording(_ reply: TransportReply, _ index: Int) -> TransportReply {
        let body = reply.body.inspected { result throws(TransportError) in
            switch result {
            case .success(let chunk): self.keep(chunk, index)
            case .failure(let error): self.change(index) { $0.error = error }
            }
        }
        return TransportReply(head: reply.head, body: body)
    }

    private func keep(_ chunk: [UInt8]?, _ index: Int) {
        change(index) { exchange in
            guard let chunk else {
                exchange.isComplete = true
                return
            }
            exchange.replyBody += chunk.prefix(max(0, limit - exchange.replyBody.count))
        }
    }
}

extension HTTPFields {
    fileprivate func redacting(_ names: Set<HTTPField.Name>) -> HTTPFields {
        var fields = self
        for name in names where fields.contains(name) { fields[name] = Redactor.mark }
        return fields
    }
}

extension HTTPResponse {
    fileprivate func redacting(_ names: Set<HTTPField.Name>) -> HTTPResponse {
        var head = self
        head.headerFields = headerFields.redacting(names)
        return head
    }
}

extension RequestBody {
    /// The bytes of the body that are in memory, without files and streams.
    fileprivate var bytesInMemory: [UInt8] {
        switch self {
        case .bytes(let bytes): bytes
        case .parts(let parts):
            parts.flatMap { part -> [UInt8] in
                if case .bytes(let bytes) = part { bytes } else { [] }
            }
        case .file, .stream: []
        }
    }
}
