import HTTPTypes
import TelexRequests
import TelexTransport

/// Finds refusals among the replies of transfers, which are never in memory as a whole. A refusal
/// with a success status is short JSON.
extension Call {
    /// A body with more bytes is reported as progress, because it is no refusal in all likelihood.
    private static let longestRefusal = 65_536

    /// Checks a reply that will be read in chunks for a refusal. The reply is read into memory only
    /// if it is declared as JSON or begins like a JSON object.
    ///
    /// - Returns: An equivalent reply, to be read in place of the original.
    /// - Throws: The server's refusal, or the error of reading.
    func checkingBody(_ reply: TransportReply) async throws(APIError) -> TransportReply {
        let limit = rules.replyBytes
        // A partial reply (206) belongs to a document, so it is no refusal.
        guard judgesBodies, reply.head.status == .ok, reply.body.length ?? 0 <= limit else {
            return reply
        }
        let (isJSON, brace) = (reply.head.headerFields.declareJSON, UInt8(ascii: "{"))
        // The length of the leading white space, so that each byte is examined once.
        var (bytes, blank): ([UInt8], Int) = ([], 0)
        var chunks = reply.body.makeAsyncIterator()
        while bytes.count <= limit, isJSON || bytes[blank...].first ?? brace == brace {
            try await waitWhilePaused()
            guard let chunk = try await next(&chunks, reply.head) else {
                try judgeBody(Reply(head: reply.head, body: bytes))
                return TransportReply(head: reply.head, body: ReplyBody(bytes))
            }
            bytes += chunk
            if bytes.count > Self.longestRefusal {
                context?.report(
                    OperationProgress(
                        received: bytes.count, expectedToReceive: reply.body.length))
            }
            blank = bytes.startOfJSON(from: blank)
        }
        return TransportReply(head: reply.head, body: reply.body.preceded(by: bytes))
    }
}
