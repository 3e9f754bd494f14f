import HTTPTypes
import Synchronization
import TelexRuntime

/// What a `RecordingTransport` saw of one exchange. The values of header fields that carry credentials
/// are replaced by `‹redacted›`; addresses and bodies are as they were sent, with whatever secrets a
/// test has put there. What may go into logs is recorded by a `HARRecorder`.
public struct RecordedExchange: Sendable {
    /// Method, address and header fields of the request.
    public var request: HTTPRequest
    /// The body of the request if it was in memory, as far as it is kept.
    public var requestBody: [UInt8] = []
    /// Status and header fields of the reply; `nil` if there was none (yet).
    public var reply: HTTPResponse?
    /// The body of the reply, as far as it was read and is kept.
    public var replyBody: [UInt8] = []
    /// Why the exchange failed; `nil` if it did not (yet).
    public var error: TransportError?
    /// Whether the body of the reply was read to its end.
    public var isComplete = false
}

/// Passes requests on to another transport and keeps what was sent and received.
public final class RecordingTransport: Transport {
    /// Fields that carry credentials: `Authorization`, `Proxy-Authorization`, `Cookie` and
    /// `Set-Cookie`.
    public static let credentialFields: Set<HTTPField.Name> = [
        .authorization, .proxyAuthorization, .cookie, .setCookie,
    ]

    private let base: any Transport
    private let redacted: Set<HTTPField.Name>
    private let limit: Int
    private let log = Mutex<[RecordedExchange]>([])

    /// Makes a transport that records what `base` does.
    ///
    /// - Parameters:
    ///   - redacting: Fields whose values are not kept; those with credentials by default.
    ///   - limit: How many bytes of each body to keep, 1 MiB by default. The bodies themselves
    ///     are passed on completely.
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

    /// That of the other transport.
    public var probe: ReachabilityProbe? { base.probe }

    /// Sends `request` with the other transport. See `Transport`.
    ///
    /// - Throws: What the other transport throws.
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
    /// What of the body is in memory: files and streams are left out.
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
