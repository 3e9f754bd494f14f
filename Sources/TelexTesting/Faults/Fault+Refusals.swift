import HTTPTypes

extension Fault {
    static let refusalFaults = [401, 403, 413].flatMap { status in
        RefusalEnd.allCases.map { refusedUpload(status: status, $0) }
    }

    /// What a server does with the connection after it has refused an upload.
    public enum RefusalEnd: String, Sendable, CaseIterable {
        /// It reads the rest of the upload and drops it.
        case kept
        /// It closes the connection. The unread bytes turn that into a reset.
        case closed
        /// It resets the connection (RST).
        case reset
    }

    /// A server that refuses an upload before it has read the body: at the head, and at each tenth
    /// of the body, which is larger than what a connection buffers at first. On a kept connection,
    /// the refusal arrives in single bytes.
    public static func refusedUpload(status: Int, _ end: RefusalEnd) -> Fault {
        let body = [UInt8](repeating: 0x2E, count: 2_000_000)
        var fault = Fault(
            "upload refused with \(status), connection \(end.rawValue)",
            duty: "reports the refusal, whenever it comes, and stops sending",
            probes: (0...10).map { tenth in
                Probe(
                    .text("refused", status: status), method: .post, path: "/\(tenth)",
                    body: .bytes(body))
            },
            makeHandler: {
                // Without the field, the next upload could be sent on the connection before it ends,
                // and would be lost with it (RFC 9112, section 9.6).
                let fields: HTTPFields = end == .kept ? [:] : [.connection: "close"]
                let refusal = LoopbackReply.text("refused", status: status, fields: fields)
                return { _ in
                    switch end {
                    case .kept: refusal.dripped()
                    // A reset discards what has not left the server, so that only one piece is sent.
                    case .closed: refusal.then(.close)
                    case .reset: refusal.then(.reset)
                    }
                }
            })
        fault.bodyPart = { target in Int(target.dropFirst()).map { $0 * body.count / 10 } }
        return fault
    }
}
