import HTTPTypes
import TelexJSON
import TelexRuntime

extension TransportReply {
    /// A reply whose whole body is available at once.
    ///
    /// - Parameters:
    ///   - status: The status code, 200 by default.
    ///   - fields: Header fields; a `Content-Length` is added unless there is one.
    public static func bytes(
        _ body: [UInt8] = [], status: HTTPResponse.Status = .ok, fields: HTTPFields = [:]
    ) -> TransportReply {
        var fields = fields
        if fields[.contentLength] == nil { fields[.contentLength] = "\(body.count)" }
        return TransportReply(
            head: HTTPResponse(status: status, headerFields: fields), body: ReplyBody(body))
    }

    /// A reply with a JSON text and the media type `application/json`.
    public static func json(
        _ text: String, status: HTTPResponse.Status = .ok, fields: HTTPFields = [:]
    ) -> TransportReply {
        var fields = fields
        fields[.contentType] = "application/json"
        return .bytes(Array(text.utf8), status: status, fields: fields)
    }

    /// An error reply of a token server (RFC 6749, section 5.2), with status 400.
    ///
    /// - Parameters:
    ///   - code: The error code, such as `invalid_grant`.
    ///   - words: The error description, inserted into the JSON text without escaping.
    public static func tokenRefusal(_ code: String, _ words: String = "") -> TransportReply {
        .json(
            #"{"error": "\#(code)", "error_description": "\#(words)"}"#, status: .badRequest)
    }

    /// A reply whose body consists of these chunks and then ends, or fails with `error`. An
    /// ``InMemoryTransport`` may use it for several requests: each gets the body from the
    /// beginning.
    ///
    /// - Parameters:
    ///   - length: The declared length of the body, if any.
    ///   - gate: If given, the end (or the error) waits for this gate.
    public static func chunks(
        _ chunks: [[UInt8]], length: Int? = nil, then error: TransportError? = nil,
        after gate: Gate? = nil, status: HTTPResponse.Status = .ok, fields: HTTPFields = [:]
    ) -> TransportReply {
        var fields = fields
        if let length { fields[.contentLength] = "\(length)" }
        return TransportReply(
            head: HTTPResponse(status: status, headerFields: fields),
            body: ReplyBody(makingAgain: { body(chunks, length: length, then: error, after: gate) })
        )
    }

    private static func body(
        _ chunks: [[UInt8]], length: Int?, then error: TransportError?, after gate: Gate?
    ) -> ReplyBody {
        let rest = Lock(chunks[...])
        let cancellation = BodyCancellation()
        return ReplyBody(length: length, cancel: cancellation.cancel) {
            () async throws(TransportError) in
            try cancellation.check()
            if let chunk = rest.withLock({ $0.popFirst() }) { return chunk }
            if let gate { try await cancellation.pass(gate) }
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
