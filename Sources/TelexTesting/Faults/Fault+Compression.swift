import HTTPTypes

extension Fault {
    static let compressionFaults = [
        gzip, truncatedGzip, corruptGzip, noGzip, gzipBomb(inflatingTo: 4_194_304, limit: 65_536),
    ]

    /// A valid compressed reply. It shows that the invalid ones fail because of their fault.
    public static let gzip = Fault(
        "gzip", duty: "decompresses the body and counts the decompressed bytes", Probe(.text(text)),
        isInBytes: true, replies: compressed(Gzip.storing(Array(text.utf8))))

    /// The compressed data ends early, although the body has its declared length.
    public static let truncatedGzip = Fault(
        "gzip truncated", duty: "reports a broken body", broken,
        isInBytes: true, replies: compressed(Gzip.storing(Array(text.utf8)).dropLast(12)))

    /// The checksum is wrong (RFC 1952, 2.3.1).
    public static let corruptGzip = Fault(
        "gzip with a wrong checksum", duty: "reports a broken body", broken,
        isInBytes: true,
        replies: compressed(
            Gzip.storing(Array(text.utf8)).dropLast(8) + [UInt8](repeating: 7, count: 8)))

    /// The body is declared as compressed but is not.
    public static let noGzip = Fault(
        "body that is not gzip", duty: "reports a broken body", broken,
        isInBytes: true, replies: compressed(Array(text.utf8)))

    /// A small body that decompresses to a huge one.
    ///
    /// - Parameters:
    ///   - size: The decompressed number of bytes.
    ///   - limit: The number of bytes that the request allows; less than `size`.
    public static func gzipBomb(inflatingTo size: Int, limit: Int) -> Fault {
        Fault(
            "gzip bomb", duty: "stops as soon as the output exceeds the limit",
            Probe(
                .brokenBody(status: 200, .tooLarge(limit: limit)), maximumReplyBytes: limit),
            isInBytes: true, replies: compressed(Gzip.bomb(inflatingTo: size)))
    }

    private static let text = "compressed"

    /// Some or all of the text and then an error, never a complete reply.
    private static let broken: Probe = {
        var exchange = Probe(.brokenBody(status: 200, .other))
        exchange.outcomes += (0...text.utf8.count).map { .cut(after: $0, of: nil) }
        return exchange
    }()

    private static func compressed(_ body: some Sequence<UInt8>) -> LoopbackReply {
        .bytes(Array(body), fields: [.contentEncoding: "gzip"])
    }
}
