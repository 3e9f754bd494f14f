import HTTPTypes

/// The reply of a transfer is never in memory as a whole. One that says no under a status of success is
/// short, and is JSON.
extension Call {
    /// Looks at a reply that will be read piece by piece, if it may be a no that may be read into memory:
    /// if it says that it is JSON, or begins like an object of it.
    ///
    /// - Returns: The same reply, to be read in its place.
    /// - Throws: What the server says, if that is no; what reading throws.
    func judgingBody(_ reply: TransportReply) async throws(APIError) -> TransportReply {
        let limit = definition.limits.bytes
        // A part is of a document, whatever that is.
        guard judgesBodies, reply.head.status == .ok, reply.body.length ?? 0 <= limit else {
            return reply
        }
        let (isJSON, brace) = (reply.head.headerFields.areOfJSON, UInt8(ascii: "{"))
        // How much of it comes before what it may be, which is looked at once, however much it is.
        var (bytes, blank): ([UInt8], Int) = ([], 0)
        var chunks = reply.body.makeAsyncIterator()
        while bytes.count <= limit, isJSON || bytes[blank...].first ?? brace == brace {
            try await waitWhileHeld()
            guard let chunk = try await next(&chunks, reply.head) else {
                try judgeBody(Reply(head: reply.head, body: bytes))
                return TransportReply(head: reply.head, body: ReplyBody(bytes))
            }
            bytes += chunk
            blank = bytes.startOfJSON(from: blank)
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
