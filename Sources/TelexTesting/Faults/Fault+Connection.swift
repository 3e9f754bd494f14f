extension Fault {
    static let connectionFaults = [
        refused, silence, resetBeforeHead, closedBeforeHead, closedInHead, resetInHead,
        stallInHead, halfClosed,
    ]

    /// No process listens on the port.
    public static let refused = Fault(
        "connection refused",
        duty: "reports that it cannot connect; may repeat any request",
        probes: [Probe(.noReply(.cannotConnect))], acceptsConnections: false
    ) { { _ in .closed } }

    /// The server reads the request and sends nothing.
    public static let silence = Fault(
        "accepted, then silence", duty: "times out and closes the connection",
        Probe(.noReply(.timedOut), timeout: silenceTimeout), replies: .silence)

    /// The connection is reset (RST) before any byte of the head.
    public static let resetBeforeHead = Fault(
        "reset before the head", duty: lost, Probe(.noReply(.connectionLost)), replies: .reset)

    /// The connection is closed (FIN) before any byte of the head.
    public static let closedBeforeHead = Fault(
        "closed before the head", duty: lost, Probe(.noReply(.connectionLost)),
        replies: .closed)

    /// The connection is closed in the middle of a header field.
    public static let closedInHead = Fault(
        "closed in the head", duty: lost, Probe(.noReply(.connectionLost)),
        isInBytes: true, replies: LoopbackReply([.send(halfHead), .close]))

    /// The connection is reset (RST) in the middle of a header field.
    public static let resetInHead = Fault(
        "reset in the head", duty: lost, Probe(.noReply(.connectionLost)),
        isInBytes: true, replies: LoopbackReply([.send(halfHead), .reset]))

    /// The server sends half a head and then nothing.
    public static let stallInHead = Fault(
        "stall in the head", duty: "times out even though some bytes arrived",
        Probe(.noReply(.timedOut), timeout: silenceTimeout),
        isInBytes: true, replies: LoopbackReply([.send(halfHead), .stall]))

    /// The server closes its direction (FIN) before the head and continues to read.
    public static let halfClosed = Fault(
        "half closed before the head", duty: "closes its own direction, too, instead of waiting",
        Probe(.noReply(.connectionLost)), replies: LoopbackReply([.halfClose, .stall]))

    private static let lost =
        "reports a lost connection; repeats only requests that are safe to repeat"

    private static let halfHead = Array("HTTP/1.1 200 OK\r\nContent-Le".utf8)
}
