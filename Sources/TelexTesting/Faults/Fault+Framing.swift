import HTTPTypes

extension Fault {
    static let framingFaults = [
        duplicateLength, conflictingLengths, invalidLength, lengthAndChunks, badChunkSize,
        hugeChunkSize, chunkWithoutEnd, missingLastChunk, conflictingSpellings, trailers,
    ]

    /// Two `Content-Length` fields with the same number (RFC 9110, 8.6).
    public static let duplicateLength = Fault(
        "duplicate Content-Length", duty: "takes the reply, or refuses it",
        Probe(.text("ok"), .noReply(.other)), replies: lengths(["2", "2"], body: "ok"))

    /// Two `Content-Length` fields with different numbers. The end of the body is ambiguous, so a
    /// client that picks one can be tricked into reading a forged reply.
    public static let conflictingLengths = Fault(
        "conflicting Content-Length", duty: badLength, Probe(.noReply(.other)),
        replies: lengths(["2", "5"], body: "okays"))

    /// The same, with the second name in lower case.
    public static let conflictingSpellings = Fault(
        "conflicting content-length", duty: badLength, Probe(.noReply(.other)),
        isInBytes: true,
        replies: LoopbackReply([
            .send(
                Array(
                    "HTTP/1.1 200 OK\r\nContent-Length: 2\r\ncontent-length: 5\r\n\r\nokays".utf8)),
            .close,
        ]))

    /// A `Content-Length` that is not a number of bytes.
    public static let invalidLength = Fault(
        "invalid Content-Length", duty: badLength,
        probes: ["-1", "2x", "0x2", "99999999999999999999999"].map {
            Probe(.noReply(.other), fields: [.wanted: $0])
        }
    ) { { lengths([$0.fields[.wanted] ?? ""], body: "ok").then(.close) } }

    /// Both `Content-Length` and chunks: the chunks take precedence (RFC 9112, 6.3).
    public static let lengthAndChunks = Fault(
        "Content-Length and chunks", duty: "reads the chunks, or refuses the reply",
        Probe(.text("okay"), .noReply(.other)),
        replies: .chunked([Array("okay".utf8)], fields: [.contentLength: "2"]).then(.close))

    /// A chunk size that is not a number.
    public static let badChunkSize = Fault(
        "bad chunk size", duty: badChunk, brokenChunks, replies: chunks("zz\r\nmore\r\n"))

    /// A chunk size that does not fit into 64 bits.
    public static let hugeChunkSize = Fault(
        "huge chunk size", duty: badChunk, brokenChunks,
        replies: chunks("fffffffffffffffffffff\r\nmore\r\n"))

    /// A chunk that is longer than its size.
    public static let chunkWithoutEnd = Fault(
        "chunk longer than its size", duty: badChunk,
        Probe(
            .cut(after: 0, of: nil), .cut(after: 2, of: nil), .cut(after: 4, of: nil),
            .brokenBody(status: 200, .other)),
        replies: chunks("2\r\nmore\r\n0\r\n\r\n"))

    /// An orderly close (FIN) without the last, empty chunk.
    public static let missingLastChunk = Fault(
        "missing last chunk", duty: "reports a truncated body",
        Probe(.cut(after: 2, of: nil)), replies: .chunked([Array("ok".utf8)], isComplete: false))

    /// Trailer fields after the last chunk (RFC 9112, 7.1.2).
    public static let trailers = Fault(
        "fields after the body", duty: "takes the reply, with those fields or without them",
        Probe(.text("ok")), isInBytes: true,
        replies: LoopbackReply.head(fields: [.transferEncoding: "chunked"])
            .then(.send(Array("2\r\nok\r\n0\r\nX-After: a\r\n\r\n".utf8))))

    private static let badLength = "refuses the reply and closes the connection (RFC 9112, 6.3)"
    private static let badChunk = "reports a broken body and closes the connection"

    private static let brokenChunks = Probe(
        .cut(after: 2, of: nil), .cut(after: 0, of: nil), .brokenBody(status: 200, .other))

    /// A valid chunk of two bytes, and then `text`.
    private static func chunks(_ text: String) -> LoopbackReply {
        LoopbackReply.head(fields: [.transferEncoding: "chunked"])
            .then(.chunk(Array("ok".utf8)), .send(Array(text.utf8)), .stall)
    }

    private static func lengths(_ lengths: [String], body: String) -> LoopbackReply {
        var fields: HTTPFields = [.connection: "close"]
        for length in lengths { fields.append(HTTPField(name: .contentLength, value: length)) }
        return LoopbackReply.head(fields: fields).then(.send(Array(body.utf8)))
    }
}

extension HTTPField.Name {
    /// The value that a request asks a faulty server to send.
    static let wanted = HTTPField.Name("X-Wanted")!
}
