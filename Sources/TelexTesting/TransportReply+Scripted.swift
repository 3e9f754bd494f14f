import HTTPTypes
import Synchronization
import TelexRuntime

extension TransportReply {
    /// A reply with a body that is there at once.
    ///
    /// - Parameters:
    ///   - status: 200 by default.
    ///   - fields: Header fields; a `Content-Length` is added unless there is one.
    public static func bytes(
        _ body: [UInt8] = [], status: HTTPResponse.Status = .ok, fields: HTTPFields = [:]
    ) -> TransportReply {
        var fields = fields
        if fields[.contentLength] == nil { fields[.contentLength] = "\(body.count)" }
        return TransportReply(
            head: HTTPResponse(status: status, headerFields: fields), body: ReplyBody(body))
    }

    /// A reply with a JSON text, marked as such.
    public static func json(
        _ text: String, status: HTTPResponse.Status = .ok, fields: HTTPFields = [:]
    ) -> TransportReply {
        var fields = fields
        fields[.contentType] = "application/json"
        return .bytes(Array(text.utf8), status: status, fields: fields)
    }

    /// A token server's no (RFC 6749, section 5.2), of status 400.
    ///
    /// - Parameters:
    ///   - code: What it says to programs, such as `invalid_grant`.
    ///   - words: What it says to people, put into JSON as it is.
    public static func tokenRefusal(_ code: String, _ words: String = "") -> TransportReply {
        .json(
            #"{"error": "\#(code)", "error_description": "\#(words)"}"#, status: .badRequest)
    }

    /// A reply whose body comes in these chunks and then ends, or fails with `error`. An
    /// ``InMemoryTransport`` may give it to several requests: each gets it from the beginning.
    ///
    /// - Parameters:
    ///   - length: The declared length of the body, if any.
    ///   - gate: If given, the end (or the error) waits for it.
    public static func chunks(
        _ chunks: [[UInt8]], length: Int? = nil, then error: TransportError? = nil,
        after gate: Gate? = nil, status: HTTPResponse.Status = .ok, fields: HTTPFields = [:]
    ) -> TransportReply {
        var fields = fields
        if let length { fields[.contentLength] = "\(length)" }
        return TransportReply(
            head: HTTPResponse(status: status, headerFields: fields),
            body: ReplyBody(anew: { body(chunks, length, then: error, after: gate) }))
    }

    private static func body(
        _ chunks: [[UInt8]], _ length: Int?, then error: TransportError?, after gate: Gate?
    ) -> ReplyBody {
        let rest = Mutex(chunks[...])
        let abandonment = Abandonment()
        return ReplyBody(length: length, cancel: abandonment.cancel) {
            () async throws(TransportError) in
            try abandonment.check()
            if let chunk = rest.withLock({ $0.popFirst() }) { return chunk }
            if let gate { try await abandonment.pass(gate) }
            if let error { throw error }
            return nil
        }
    }

    /// A reply that declares `length` bytes, sends fewer, and ends in `.truncated`.
    public static func truncated(_ body: [UInt8], declaring length: Int) -> TransportReply {
        .chunks(
            [body], length: length, then: .truncated(received: body.count, expected: length))
    }
}
