import HTTPTypes

/// The reply of a transfer is never in memory as a whole. One that says no under a status of success is
/// short, and is JSON.
extension Call {
    /// Looks at the keys of a reply that will be read piece by piece, if it is JSON that may be read
    /// into memory.
    ///
    /// - Returns: The same reply, to be read in its place.
    /// - Throws: What the server says, if that is no; what reading throws.
    func judgingKeys(_ reply: TransportReply) async throws(APIError) -> TransportReply {
        let limit = definition.limits.bytes
        // A part is of a document, whatever that is.
        guard rules.askForKeys, reply.head.status == .ok, reply.head.headerFields.areOfJSON,
            reply.body.length ?? 0 <= limit
        else { return reply }
        var bytes: [UInt8] = []
        var chunks = reply.body.makeAsyncIterator()
        while bytes.count <= limit {
            try await passGate()
            guard let chunk = try await next(&chunks, reply.head) else {
                try judgeKeys(Reply(head: reply.head, body: bytes))
                return TransportReply(head: reply.head, body: ReplyBody(bytes))
            }
            bytes += chunk
        }
        return TransportReply(head: reply.head, body: reply.body.preceded(by: bytes))
    }
}

extension HTTPFields {
    /// Whether the body is declared to be JSON (RFC 8259; RFC 6839, section 3.1).
    fileprivate var areOfJSON: Bool {
        guard let type = self[.contentType]?.prefix(while: { $0 != ";" }) else { return false }
        let name = String(type).withoutOptionalSpace.lowercased()
        return name == "application/json" || name.hasSuffix("+json")
    }
}
