import TelexJSON
import TelexRuntime

extension Fault {
    static let reuseFaults = [
        closedBetween, closedAfterReplies, closedOnReuse, putClosedOnReuse, postClosedOnReuse,
        emptyPostClosedOnReuse, halfOpen,
    ]

    /// The server closes a connection that it promised to keep. The client may send the next
    /// request before it notices, and then sends it again.
    public static let closedBetween = Fault(
        "keep-alive closed between requests", duty: "opens another connection",
        Probe(.text("one")), Probe(.text("two")),
        replies: .text("one").then(.close), .text("two"))

    /// The server closes every connection right after a reply that promised to keep it. The client
    /// may find out after it has sent the next request. The server reads no request on a closed
    /// connection, so a request never arrives twice. One that must not be repeated may be lost.
    public static let closedAfterReplies = Fault(
        "every connection closed after its reply",
        duty: "opens another connection, and repeats a request that is safe to repeat",
        probes: (0..<10).flatMap { _ in [Probe(.text("ok")), post(body: .bytes([1]))] },
        makeHandler: { { _ in .text("ok").then(.close) } })

    /// The server closes a kept connection when the next request arrives. The client cannot know
    /// whether the server has processed the request.
    public static let closedOnReuse = Fault(
        "keep-alive closed on the next GET",
        duty: lostOrRepeated,
        probes: [Probe(.text("ok")), Probe(.text("ok"), .noReply(.connectionLost))],
        repeats: 1, makeHandler: { secondOnConnection(.closed) })

    /// The same with an idempotent request that has a body.
    public static let putClosedOnReuse = Fault(
        "keep-alive closed on the next PUT", duty: lostOrRepeated,
        probes: [
            Probe(.text("ok")),
            Probe(.text("ok"), .noReply(.connectionLost), method: .put, body: .bytes([1])),
        ],
        repeats: 1, makeHandler: { secondOnConnection(.closed) })

    private static let lostOrRepeated =
        "reports a lost connection, or repeats a request that is safe to repeat"

    /// The same with a non-idempotent request (RFC 9110, 9.2.2), which must arrive once. A client
    /// that opens a new connection for it does not meet the fault.
    public static let postClosedOnReuse = Fault(
        "keep-alive closed on the next POST", duty: once,
        probes: [Probe(.text("ok")), post(body: .bytes([1]))],
        makeHandler: { secondOnConnection(.closed) })

    /// The same with a request without a body, which clients repeat more readily.
    public static let emptyPostClosedOnReuse = Fault(
        "keep-alive closed on the next POST without a body", duty: once,
        probes: [Probe(.text("ok")), post(body: nil)],
        makeHandler: { secondOnConnection(.closed) })

    private static let once =
        "reports a lost connection and does not repeat the request"

    private static func post(body: RequestBody?) -> Probe {
        Probe(.noReply(.connectionLost), .text("ok"), method: .post, body: body)
    }

    /// A kept connection whose peer is gone without closing it: no byte and no FIN arrive. A client
    /// that opens a new connection for each request does not meet the fault.
    public static let halfOpen = Fault(
        "half-open connection", duty: "times out and closes the connection",
        probes: [
            Probe(.text("ok")),
            Probe(.noReply(.timedOut), .text("ok"), timeout: silenceTimeout),
            Probe(.text("ok")),
        ],
        makeHandler: { secondOnConnection(.silence) })

    /// Answers the first request on each connection with `ok`, and later ones with `reply`.
    private static func secondOnConnection(_ reply: LoopbackReply) -> LoopbackServer.Handler {
        let seen = Lock<Set<Int>>([])
        return { request in
            seen.withLock { $0.insert(request.connection).inserted } ? .text("ok") : reply
        }
    }
}
