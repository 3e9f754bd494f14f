import HTTPTypes

extension Fault {
    static let bodyFaults = [
        shortBody, halfClosedBody, longBody, surplusLater, resetInBody(after: 4),
        stallInBody(after: 4),
        dripped, endlessElement, endlessComments, noContentWithBody, notModifiedWithBody,
        headWithBody,
    ]

    /// Fewer bytes than declared, then an orderly close (FIN).
    public static let shortBody = Fault(
        "body shorter than declared", duty: truncated, Probe(.cut(after: 4, of: 10)),
        replies: .truncated(Array(digits.prefix(4)), declaring: 10))

    /// Fewer bytes than declared, then the server closes its direction (FIN) and continues to read.
    public static let halfClosedBody = Fault(
        "half closed in the body", duty: truncated, Probe(.cut(after: 4, of: 10)),
        replies: LoopbackReply.bytes(digits).cut(after: 4, by: .halfClose).then(.stall))

    /// More bytes than declared, and the surplus looks like another reply. A client that keeps the
    /// connection would take it for the reply to its next request.
    public static let longBody = Fault(
        "body longer than declared", duty: ignoresSurplus,
        Probe(.reply(status: 200, body: digits)), afterSurplus,
        replies: LoopbackReply.head(fields: [.contentLength: "10"])
            .then(.send(digits + surplusBytes)), .text("ok"))

    /// The same, but the surplus comes only when the reply is complete and the connection is idle.
    /// A client that opens a new connection for each request does not meet the fault.
    public static let surplusLater = Fault(
        "surplus after the reply", duty: ignoresSurplus,
        probes: [
            Probe(.reply(status: 200, body: digits)),
            Probe(.text("ok"), path: "/other", session: .ephemeral), afterSurplus,
        ],
        isInBytes: true,
        makeHandler: {
            let (isRead, isOver) = (Gate(), Gate())
            // The gate also opens if the client has closed the connection, so no surplus can be
            // sent.
            let first = LoopbackReply.bytes(digits).then(.wait(isRead), .send(surplusBytes))
                .opening(isOver)
            let inTurn = LoopbackServer.inTurn([first, .text("ok")])
            return { request in
                guard request.path == "/other" else { return inTurn(request) }
                // This connection closes, so that the only open one is that with the surplus.
                let closing = LoopbackReply.text("ok", fields: [.connection: "close"])
                return LoopbackReply([.open(isRead), .wait(isOver)] + closing.steps + [.close])
            }
        })

    /// The connection is reset (RST) in the body.
    ///
    /// - Parameter count: After how many of its ten bytes: 0 to 9; other values are clamped. Bytes
    ///   that the client has not read before the reset may be lost.
    public static func resetInBody(after count: Int) -> Fault {
        let count = within(count)
        var exchange = Probe()
        exchange.outcomes = (0...count).map { .cut(after: $0, of: 10) }
        return Fault(
            "reset in the body at byte \(count)", duty: truncated, exchange,
            replies: LoopbackReply.bytes(digits).cut(after: count, by: .reset))
    }

    /// The server sends nothing more in the middle of the body.
    ///
    /// - Parameter count: After how many of its ten bytes: 0 to 9; other values are clamped.
    public static func stallInBody(after count: Int) -> Fault {
        let count = within(count)
        return Fault(
            "stall in the body at byte \(count)",
            duty: "times out and closes the connection",
            Probe(.brokenBody(status: 200, .timedOut), timeout: silenceTimeout),
            replies: LoopbackReply.bytes(digits).cut(after: count, by: .stall))
    }

    /// The count, clamped to a place before the end of the ten bytes.
    private static func within(_ count: Int) -> Int { min(max(0, count), digits.count - 1) }

    /// A thousand bytes, one at a time.
    public static let dripped = Fault(
        "body in single bytes", duty: "waits for slow bytes",
        Probe(.reply(status: 200, body: [UInt8](repeating: 0x2E, count: 1000))),
        replies: LoopbackReply.bytes([UInt8](repeating: 0x2E, count: 1000)).dripped())

    /// A body without end: one event of a stream that never ends.
    public static let endlessElement = endless("endless event", "data: ", repeating: "x")

    /// A body without end: comments of a stream of events, and no event.
    public static let endlessComments = endless("endless comments", "", repeating: ": alive\n")

    private static func endless(_ name: String, _ start: String, repeating text: String) -> Fault {
        let limit = 1_048_576
        return Fault(
            name, duty: "ends as soon as more has arrived than the request allows",
            Probe(.brokenBody(status: 200, .tooLarge(limit: limit)), maximumReplyBytes: limit),
            isInBytes: true,
            replies: .endless(start, repeating: text, fields: [.contentType: "text/event-stream"]))
    }

    /// A 204 with a body, which is not allowed (RFC 9110, 15.3.5).
    public static let noContentWithBody = Fault(
        "204 with a body", duty: ignoresSurplus, Probe(.text("", status: 204)), afterSurplus,
        replies: .head(204).then(.send(surplusBytes)), .text("ok"))

    /// A 304 with a body and a length, which describes the reply to an unconditional request (RFC
    /// 9110, 8.6).
    public static let notModifiedWithBody = Fault(
        "304 with a body", duty: ignoresSurplus, Probe(.text("", status: 304)), afterSurplus,
        replies: .head(304, fields: [.contentLength: "10"]).then(.send(surplusBytes)), .text("ok"))

    /// A body after the head of a reply to HEAD (RFC 9110, 9.3.2).
    public static let headWithBody = Fault(
        "reply to HEAD with a body", duty: ignoresSurplus, Probe(.text(""), method: .head),
        afterSurplus,
        replies: .head(fields: [.contentLength: "10"]).then(.send(surplusBytes)), .text("ok"))

    private static let truncated = "reports a truncated body; resumes only with a validator"
    private static let ignoresSurplus = "does not take bytes after the body for another reply"

    /// A request after a fault that makes the connection unusable. The client opens another
    /// connection or reports an error.
    private static let afterSurplus = Probe(
        .text("ok"), .noReply(.connectionLost), .noReply(.other))

    /// The surplus, which a client must not take for the reply to its next request.
    private static let surplusBytes = Array(
        "HTTP/1.1 200 OK\r\nContent-Length: 6\r\n\r\npoison".utf8)
}
