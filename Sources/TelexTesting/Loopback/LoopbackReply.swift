import HTTPTypes

/// The script of steps that a `LoopbackServer` runs after it has read a request. Steps can send
/// invalid HTTP. An `InMemoryTransport` can play the same script without a network.
public struct LoopbackReply: Sendable {
    /// One action on the connection.
    public enum Step: Sendable {
        /// Sends a status line and these header fields; nothing is added or checked.
        case head(HTTPResponse)
        /// Sends these bytes as they are.
        case send([UInt8])
        /// Sends these bytes as a chunk (RFC 9112, 7.1); an empty array sends the last chunk.
        case chunk([UInt8])
        /// Waits until the gate is open or the server stops. If the client leaves first, the
        /// connection ends and later steps are skipped.
        case wait(Gate)
        /// Opens the gate, which shows that the earlier steps have run.
        case open(Gate)
        /// Runs the steps that the closure returns at this point. They may end with another such
        /// step, so that a reply can go on as long as there is something to send.
        case more(@Sendable () -> [Step])
        /// Sends nothing more until the client closes the connection or the server stops.
        case stall
        /// Closes the direction to the client (FIN); the server continues to read.
        case halfClose
        /// Closes the connection in order (FIN).
        case close
        /// Resets the connection (RST).
        case reset
    }

    /// The steps in order. Unless a step ends the connection, it is kept open for the next request.
    public var steps: [Step]

    /// Whether every byte is sent in a separate write. `false` by default.
    public var isDripped = false

    /// A gate that opens after the last step, or when the client leaves earlier.
    private(set) var finishedGate: Gate?

    /// Makes a reply of steps.
    public init(_ steps: [Step]) { self.steps = steps }

    /// A head with these fields and nothing else; no `Content-Length` is added.
    public static func head(_ status: Int = 200, fields: HTTPFields = [:]) -> LoopbackReply {
        LoopbackReply([.head(HTTPResponse(status: .init(code: status), headerFields: fields))])
    }

    /// A correct reply with a `Content-Length`, except for a status that has no body
    /// (RFC 9110, 6.4.1), which is sent without length and body.
    public static func bytes(
        _ body: [UInt8] = [], status: Int = 200, fields: HTTPFields = [:]
    ) -> LoopbackReply {
        guard status >= 200, status != 204, status != 304 else {
            return head(status, fields: fields)
        }
        return declaring(body.count, body: body, status: status, fields: fields)
    }

    /// A correct reply with a text as its body.
    public static func text(
        _ text: String, status: Int = 200, fields: HTTPFields = [:]
    ) -> LoopbackReply {
        bytes(Array(text.utf8), status: status, fields: fields)
    }

    /// A chunked reply (RFC 9112, 7.1), one chunk for each element.
    ///
    /// - Parameter isComplete: If `false`, the connection is closed instead of sending the last,
    ///   empty chunk.
    public static func chunked(
        _ chunks: [[UInt8]], isComplete: Bool = true, status: Int = 200, fields: HTTPFields = [:]
    ) -> LoopbackReply {
        var fields = fields
        fields[.transferEncoding] = "chunked"
        var reply = head(status, fields: fields)
        reply.steps += chunks.filter { !$0.isEmpty }.map { .chunk($0) }
        reply.steps.append(isComplete ? .chunk([]) : .close)
        return reply
    }

    /// A reply without a declared length: `start`, and then `text` again and again, some 4 GiB in
    /// all, or until the client leaves.
    public static func endless(
        _ start: String = "", repeating text: String, fields: HTTPFields = [:]
    ) -> LoopbackReply {
        let block = Array(String(repeating: text, count: 65_536 / max(1, text.utf8.count)).utf8)
        var reply = head(fields: fields).then(.send(Array(start.utf8)))
        reply.steps += Array(repeating: .send(block), count: 65_536) + [.close]
        return reply
    }

    /// Declares `length` bytes, sends `body` and closes the connection.
    public static func truncated(_ body: [UInt8], declaring length: Int) -> LoopbackReply {
        var reply = declaring(length, body: body)
        reply.steps.append(.close)
        return reply
    }

    /// Declares `length` bytes, sends `body`, and then nothing more.
    public static func stalled(_ body: [UInt8] = [], declaring length: Int) -> LoopbackReply {
        var reply = declaring(length, body: body)
        reply.steps.append(.stall)
        return reply
    }

    /// Sends nothing, not even a head, and keeps the connection open.
    public static let silence = LoopbackReply([.stall])

    /// Closes the connection before any byte of the head.
    public static let closed = LoopbackReply([.close])

    /// Resets the connection before any byte of the head.
    public static let reset = LoopbackReply([.reset])

    /// Sends these bytes as they are and closes the connection.
    public static func raw(_ text: String) -> LoopbackReply {
        LoopbackReply([.send(Array(text.utf8)), .close])
    }

    /// The reply, started only when the gate is open.
    public func held(by gate: Gate) -> LoopbackReply {
        var reply = self
        reply.steps.insert(.wait(gate), at: 0)
        return reply
    }

    /// The reply, with every byte in a separate write.
    public func dripped() -> LoopbackReply {
        var reply = self
        reply.isDripped = true
        return reply
    }

    /// The reply, followed by these steps.
    public func then(_ steps: Step...) -> LoopbackReply {
        var reply = self
        reply.steps += steps
        return reply
    }

    /// The reply with a gate that opens when it is finished on a connection. Unlike a final `open`
    /// step, the gate also opens if the client has left.
    func opening(_ gate: Gate) -> LoopbackReply {
        var reply = self
        reply.finishedGate = gate
        return reply
    }

    /// The reply truncated after `count` bytes of the body and followed by `end`. Only `send` steps
    /// are counted and cut; heads and chunks stay whole. If the body is not longer, the reply is
    /// unchanged.
    public func cut(after count: Int, by end: Step) -> LoopbackReply {
        var reply = self
        var left = count
        for (index, step) in steps.enumerated() {
            guard case .send(let bytes) = step else { continue }
            if bytes.count > left {
                reply.steps[index...] = [.send(Array(bytes.prefix(max(0, left)))), end]
                return reply
            }
            left -= bytes.count
        }
        return reply
    }

    static func declaring(
        _ length: Int, body: [UInt8], status: Int = 200, fields: HTTPFields = [:]
    ) -> LoopbackReply {
        var fields = fields
        fields[.contentLength] = "\(length)"
        var reply = head(status, fields: fields)
        if !body.isEmpty { reply.steps.append(.send(body)) }
        return reply
    }
}

extension LoopbackReply.Step {
    /// The bytes that the step sends; `nil` if it does not send.
    var bytes: [UInt8]? {
        switch self {
        case .head(let head): head.bytes
        case .send(let bytes): bytes
        case .chunk(let chunk):
            Array("\(String(chunk.count, radix: 16))\r\n".utf8) + chunk + Self.lineEnd
        case .wait, .open, .more, .stall, .halfClose, .close, .reset: nil
        }
    }

    private static let lineEnd: [UInt8] = [0x0D, 0x0A]
}

extension HTTPResponse {
    /// The head as HTTP/1.1 sends it (RFC 9112, 4 and 5).
    fileprivate var bytes: [UInt8] {
        var text = "HTTP/1.1 \(status.code) \(status.reasonPhrase)\r\n"
        for field in headerFields { text += "\(field.name): \(field.value)\r\n" }
        return Array((text + "\r\n").utf8)
    }
}
