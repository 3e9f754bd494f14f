import HTTPTypes

extension Fault {
    static let framingFaults = [
        duplicateLength, conflictingLengths, invalidLength, lengthAndChunks, badChunkSize,
        hugeChunkSize, chunkWithoutEnd, missingLastChunk, conflictingSpellings, trailers,
    ]

    /// `Content-Length` comes twice with the same number (RFC 9110, 8.6).
    public static let duplicateLength = Fault(
        "duplicate Content-Length", duty: "takes the reply, or refuses it",
        Probe(.text("ok"), .noReply(.other)), replies: lengths(["2", "2"], body: "ok"))

    /// `Content-Length` comes twice with different numbers: nobody knows where the body ends, and
    /// whoever guesses can be given a reply of somebody else's making.
    public static let conflictingLengths = Fault(
        "conflicting Content-Length", duty: badLength, Probe(.noReply(.other)),
        replies: lengths(["2", "5"], body: "okays"))

    /// The same, the name written differently.
    public static let conflictingSpellings = Fault(
        "conflicting content-length", duty: badLength, Probe(.noReply(.other)),
        isInBytes: true,
        replies: LoopbackReply([
            .send(
                Array(
                    "HTTP/1.1 200 OK\r\nContent-Length: 2\r\ncontent-length: 5\r\n\r\nokays".utf8)),
            .close,
        ]))

    /// `Content-Length` is no number of bytes.
    public static let invalidLength = Fault(
        "invalid Content-Length", duty: badLength,
        probes: ["-1", "2x", "0x2", "99999999999999999999999"].map {
            Probe(.noReply(.other), fields: [.wanted: $0])
        }
    ) { { lengths([$0.fields[.wanted] ?? ""], body: "ok").then(.close) } }

    /// Both framings at once: the chunks count (RFC 9112, 6.3).
    public static let lengthAndChunks = Fault(
        "Content-Length and chunks", duty: "reads the chunks, or refuses the reply",
        Probe(.text("okay"), .noReply(.other)),
        replies: .chunked([Array("okay".utf8)], fields: [.contentLength: "2"]).then(.close))

    /// The size of a chunk is no number.
    public static let badChunkSize = Fault(
        "bad chunk size", duty: badChunk, brokenChunks, replies: chunks("zz\r\nmore\r\n"))

    /// The size of a chunk does not fit into 64 bits.
    public static let hugeChunkSize = Fault(
        "huge chunk size", duty: badChunk, brokenChunks,
        replies: chunks("fffffffffffffffffffff\r\nmore\r\n"))

    /// A chunk is longer than its size says.
    public static let chunkWithoutEnd = Fault(
        "chunk longer than its size", duty: badChunk,
        Probe(
            .cut(after: 0, of: nil), .cut(after: 2, of: nil), .cut(after: 4, of: nil),
            .brokenBody(status: 200, .other)),
        replies: chunks("2\r\nmore\r\n0\r\n\r\n"))

    /// The connection is closed in order, but the last, empty chunk never came.
    public static let missingLastChunk = Fault(
        "missing last chunk", duty: "says that the body is truncated",
        Probe(.cut(after: 2, of: nil)), replies: .chunked([Array("ok".utf8)], isComplete: false))

    /// Fields come after the last chunk (RFC 9112, 7.1.2).
    public static let trailers = Fault(
        "fields after the body", duty: "takes the reply, with those fields or without them",
        Probe(.text("ok")), isInBytes: true,
        replies: LoopbackReply.head(fields: [.transferEncoding: "chunked"])
            .then(.send(Array("2\r\nok\r\n0\r\nX-After: a\r\n\r\n".utf8))))

    private static let badLength = "refuses the reply and closes the connection (RFC 9112, 6.3)"
    private static let badChunk = "says that the body is broken and closes the connection"

    private static let brokenChunks = Probe(
        .cut(after: 2, of: nil), .cut(after: 0, of: nil), .brokenBody(status: 200, .other))

    /// A good chunk of two bytes, and then this.
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
    /// What a request asks a server with a fault to do.
    static let wanted = HTTPField.Name("X-Wanted")!
}
