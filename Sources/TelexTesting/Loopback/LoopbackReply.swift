import HTTPTypes

/// What a `LoopbackServer` does once it has read a request: a script of steps, so that it can send
/// what no honest server would. An `InMemoryTransport` can play it too, without a network.
public struct LoopbackReply: Sendable {
    /// A thing to do on the connection.
    public enum Step: Sendable {
        /// Sends a status line and these header fields; nothing is added or checked.
        case head(HTTPResponse)
        /// Sends these bytes as they are.
        case send([UInt8])
        /// Sends these bytes as a chunk (RFC 9112, 7.1), and the end of all chunks if there are
        /// none.
        case chunk([UInt8])
        /// Waits until the gate is open (or the server stops). If the client leaves before, the
        /// connection ends there, and what follows is not done.
        case wait(Gate)
        /// Opens the gate: what comes before has been done.
        case open(Gate)
        /// Sends nothing more until the client closes the connection or the server stops.
        case stall
        /// Closes the direction to the client (FIN), while the server goes on to listen.
        case halfClose
        /// Closes the connection in order (FIN).
        case close
        /// Breaks the connection off (RST).
        case reset
    }

    /// What is done, in this order. Unless a step ends the connection, it is kept open for the next
    /// request.
    public var steps: [Step]

    /// Whether every byte is sent in a packet of its own. `false` by default.
    public var isDripped = false

    /// Opened when nothing more is done, be it that the client has left before the last step.
    private(set) var whenOver: Gate?

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
        return declaring(body.count, body, status: status, fields: fields)
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

    /// Declares `length` bytes, sends `body` and closes the connection.
    public static func truncated(_ body: [UInt8], declaring length: Int) -> LoopbackReply {
        var reply = declaring(length, body)
        reply.steps.append(.close)
        return reply
    }

    /// Declares `length` bytes, sends `body`, and then nothing more.
    public static func stalled(_ body: [UInt8] = [], declaring length: Int) -> LoopbackReply {
        var reply = declaring(length, body)
        reply.steps.append(.stall)
        return reply
    }

    /// Sends nothing, not even a head, and keeps the connection open.
    public static let silence = LoopbackReply([.stall])

    /// Closes the connection before any byte of the head.
    public static let closed = LoopbackReply([.close])

    /// Breaks the connection off before any byte of the head.
    public static let reset = LoopbackReply([.reset])

    /// Sends these bytes as they are and closes the connection.
    public static func raw(_ text: String) -> LoopbackReply {
        LoopbackReply([.send(Array(text.utf8)), .close])
    }

    /// The same reply, begun only when the gate is open.
    public func held(by gate: Gate) -> LoopbackReply {
        var reply = self
        reply.steps.insert(.wait(gate), at: 0)
        return reply
    }

    /// The same reply, with every byte in a packet of its own.
    public func dripped() -> LoopbackReply {
        var reply = self
        reply.isDripped = true
        return reply
    }

    /// The same reply, and then these steps.
    public func then(_ steps: Step...) -> LoopbackReply {
        var reply = self
        reply.steps += steps
        return reply
    }

    /// The same reply, on a connection, with a gate that is opened once nothing more of it is done:
    /// unlike a step `open` at its end, also when the client has left.
    func opening(_ gate: Gate) -> LoopbackReply {
        var reply = self
        reply.whenOver = gate
        return reply
    }

    /// The steps up to the byte `count` of the body, then `end`: what is left when the connection
    /// breaks there. The head is never cut, nor is a chunk: only what steps `send` counts. Returns
    /// the same reply if that is not longer.
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
        _ length: Int, _ body: [UInt8], status: Int = 200, fields: HTTPFields = [:]
    ) -> LoopbackReply {
        var fields = fields
        fields[.contentLength] = "\(length)"
        var reply = head(status, fields: fields)
        if !body.isEmpty { reply.steps.append(.send(body)) }
        return reply
    }
}

extension LoopbackReply.Step {
    /// What the step sends; `nil` if it does something else.
    var bytes: [UInt8]? {
        switch self {
        case .head(let head): head.bytes
        case .send(let bytes): bytes
        case .chunk(let chunk):
            Array("\(String(chunk.count, radix: 16))\r\n".utf8) + chunk + Self.lineEnd
        case .wait, .open, .stall, .halfClose, .close, .reset: nil
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
