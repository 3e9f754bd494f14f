import Synchronization
import TelexRuntime

extension Fault {
    static let reuseFaults = [
        closedBetween, closedOnReuse, postClosedOnReuse, emptyPostClosedOnReuse, halfOpen,
    ]

    /// The server closes a connection that it promised to keep. The next request may be faster than
    /// the news.
    public static let closedBetween = Fault(
        "keep-alive closed between requests",
        duty: "makes another connection, or says that this one is lost",
        Probe(.text("one")), Probe(.text("two"), .noReply(.connectionLost)),
        replies: .text("one").then(.close), .text("two"))

    /// The server closes a kept connection just when the next request arrives: the client cannot
    /// know whether the request was seen.
    public static let closedOnReuse = Fault(
        "keep-alive closed on the next GET",
        duty: "says that the connection is lost, or repeats what may be done twice",
        probes: [Probe(.text("ok")), Probe(.text("ok"), .noReply(.connectionLost))],
        repeats: 1, makeHandler: { secondOnConnection(.closed) })

    /// The same with a request that may not be done twice (RFC 9110, 9.2.2): it must arrive once.
    /// A client that makes a new connection for it does not meet the fault.
    public static let postClosedOnReuse = Fault(
        "keep-alive closed on the next POST", duty: once,
        probes: [Probe(.text("ok")), post(body: .bytes([1]))],
        makeHandler: { secondOnConnection(.closed) })

    /// The same with a request that has no body, which is easily sent again.
    public static let emptyPostClosedOnReuse = Fault(
        "keep-alive closed on the next POST without a body", duty: once,
        probes: [Probe(.text("ok")), post(body: nil)],
        makeHandler: { secondOnConnection(.closed) })

    private static let once =
        "says that the connection is lost, and does not send the request again"

    private static func post(body: RequestBody?) -> Probe {
        Probe(.noReply(.connectionLost), .text("ok"), method: .post, body: body)
    }

    /// A kept connection whose other end is gone without a word: nothing comes, not even an end. A
    /// client that makes a new connection for each request does not meet the fault.
    public static let halfOpen = Fault(
        "half-open connection", duty: "gives up after its time-out and drops the connection",
        probes: [
            Probe(.text("ok")),
            Probe(.noReply(.timedOut), .text("ok"), timeout: patience),
            Probe(.text("ok")),
        ],
        makeHandler: { secondOnConnection(.silence) })

    /// Answers the first request on each connection, and does this at the next.
    private static func secondOnConnection(_ reply: LoopbackReply) -> LoopbackServer.Handler {
        let seen = Mutex<Set<Int>>([])
        return { request in
            seen.withLock { $0.insert(request.connection).inserted } ? .text("ok") : reply
        }
    }
}
