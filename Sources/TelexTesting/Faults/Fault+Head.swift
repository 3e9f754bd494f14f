extension Fault {
    static let headFaults = [
        slowHead, noHTTP, malformedStatus, statusTooLow, missingReason, missingReasonAndSpace,
        fieldWithoutColon,
        looseFields,
    ]

    /// Head and body in single bytes.
    public static let slowHead = Fault(
        "slow head", duty: "waits for slow bytes",
        Probe(.text("ok")), replies: LoopbackReply.text("ok").dripped())

    /// A reply that is not HTTP.
    public static let noHTTP = Fault(
        "no HTTP", duty: notHTTP, Probe(.noReply(.other)), replies: .raw("220 ready\r\n"))

    /// A status line whose status code is not a number.
    public static let malformedStatus = Fault(
        "malformed status line", duty: notHTTP, Probe(.noReply(.other)),
        replies: .raw("HTTP/1.1 okay\r\nContent-Length: 0\r\n\r\n"))

    /// Status codes below 100 (RFC 9110, 15), which are neither interim nor final.
    public static let statusTooLow = Fault(
        "status below 100", duty: notHTTP,
        probes: lowStatuses.map { _ in Probe(.noReply(.other)) }, isInBytes: true
    ) {
        LoopbackServer.inTurn(
            lowStatuses.map { .raw("HTTP/1.1 \($0) No\r\nContent-Length: 2\r\n\r\nok") })
    }

    private static let lowStatuses = ["0", "000", "099"]

    /// A status line without a reason phrase, which is optional (RFC 9112, 4).
    public static let missingReason = Fault(
        "missing reason", duty: "takes the reply", Probe(.text("ok", status: 299)),
        isInBytes: true, replies: .raw("HTTP/1.1 299 \r\nContent-Length: 2\r\n\r\nok"))

    /// A status line also without the space before the reason. The space is mandatory but often
    /// missing.
    public static let missingReasonAndSpace = Fault(
        "missing reason and space", duty: "takes the reply, or refuses it",
        Probe(.text("ok", status: 299), .noReply(.other)),
        isInBytes: true, replies: .raw("HTTP/1.1 299\r\nContent-Length: 2\r\n\r\nok"))

    /// A line of the head without a colon (RFC 9112, 5).
    public static let fieldWithoutColon = Fault(
        "header field without a colon", duty: "refuses the reply, or takes it without the line",
        Probe(.noReply(.other), .text("ok")),
        isInBytes: true,
        replies: LoopbackReply([
            .send(Array("HTTP/1.1 200 OK\r\nnonsense\r\nContent-Length: 2\r\n\r\nok".utf8))
        ]))

    /// Unusual but valid fields (RFC 9110, 5.5 and RFC 9112, 5): no space after the colon, two
    /// spaces, a value in Latin-1.
    public static let looseFields = Fault(
        "loosely written fields", duty: "takes the reply",
        probes: loose.map { _ in Probe(.text("ok")) }, isInBytes: true
    ) { LoopbackServer.inTurn(loose) }

    private static let loose = [
        Array("X-Loose:a".utf8), Array("X-Loose:  a".utf8), Array("X-Loose: caf".utf8) + [0xE9],
    ].map { field in
        let start = Array("HTTP/1.1 200 OK\r\n".utf8)
        return LoopbackReply([
            .send(start + field + Array("\r\nContent-Length: 2\r\n\r\nok".utf8))
        ])
    }

    private static let notHTTP = "refuses the reply; does not wait for more"
}
