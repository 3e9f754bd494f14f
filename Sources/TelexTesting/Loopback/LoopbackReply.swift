import HTTPTypes

/// What a `LoopbackServer` does once it has read a request: a script of steps, so that it can send
/// what no honest server would.
public struct LoopbackReply: Sendable {
    /// A thing to do on the connection.
    public enum Step: Sendable {
        /// Sends these bytes.
        case send([UInt8])
        /// Waits until the gate is open (or the server stops).
        case wait(Gate)
        /// Sends nothing more until the client closes the connection or the server stops.
        case stall
        /// Closes the connection in order (FIN).
        case close
        /// Breaks the connection off (RST).
        case reset
    }

    /// What is done, in this order. Unless a step ends the connection, it is kept open for the next
    /// request.
    public var steps: [Step]

    /// Makes a reply of steps.
    public init(_ steps: [Step]) { self.steps = steps }

    /// A head with these fields and nothing else; no `Content-Length` is added.
    public static func head(_ status: Int = 200, fields: HTTPFields = [:]) -> LoopbackReply {
        var text = "HTTP/1.1 \(status) \(status == 200 ? "OK" : "Status")\r\n"
        for field in fields { text += "\(field.name): \(field.value)\r\n" }
        return LoopbackReply([.send(Array((text + "\r\n").utf8))])
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
        for chunk in chunks where !chunk.isEmpty {
            let size = String(chunk.count, radix: 16)
            reply.steps.append(.send(Array("\(size)\r\n".utf8) + chunk + Array("\r\n".utf8)))
        }
        reply.steps.append(isComplete ? .send(Array("0\r\n\r\n".utf8)) : .close)
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
        LoopbackReply([.wait(gate)] + steps)
    }

    private static func declaring(
        _ length: Int, _ body: [UInt8], status: Int = 200, fields: HTTPFields = [:]
    ) -> LoopbackReply {
        var fields = fields
        fields[.contentLength] = "\(length)"
        var reply = head(status, fields: fields)
        if !body.isEmpty { reply.steps.append(.send(body)) }
        return reply
    }
}
