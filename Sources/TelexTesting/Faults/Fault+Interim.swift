extension Fault {
    static let interimFaults = [interim, manyInterim, interimThenClosed]

    /// Interim replies before the final one (RFC 9110, 15.2).
    public static let interim = Fault(
        "1xx before the reply", duty: "waits for the final reply",
        Probe(.text("ok")), Probe(.text("ok"), method: .post, body: .bytes([1])),
        replies: LoopbackReply(
            LoopbackReply.head(100).steps + LoopbackReply.head(103, fields: [.server: "x"]).steps
                + LoopbackReply.text("ok").steps))

    /// A hundred interim replies.
    public static let manyInterim = Fault(
        "a hundred 1xx before the reply", duty: "waits for the final reply, or fails",
        Probe(.text("ok"), .noReply(.other)),
        replies: LoopbackReply(
            [LoopbackReply.Step](repeating: .head(.init(status: .earlyHints)), count: 100)
                + LoopbackReply.text("ok").steps))

    /// An interim reply without a final one.
    public static let interimThenClosed = Fault(
        "1xx, then closed", duty: "does not take the interim reply for the final one",
        Probe(.noReply(.connectionLost)), replies: .head(103).then(.close))
}
