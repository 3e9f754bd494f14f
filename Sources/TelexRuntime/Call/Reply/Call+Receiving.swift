import HTTPTypes
import TelexJSON
import TelexRequests
import TelexTransport

/// Reads replies into memory, and chunk by chunk.
extension Call {
    /// Reads the reply into memory.
    nonisolated(nonsending) func collect(_ reply: TransportReply) async throws(APIError) -> Reply {
        do throws(TransportError) {
            var buffer = try ReplyBuffer(of: reply.body, upTo: rules.replyBytes)
            var chunks = reply.body.makeAsyncIterator()
            while true {
                do { try await context?.waitWhilePaused() } catch { throw .cancelled }
                guard let chunk = try await chunks.next() else { break }
                try buffer.append(chunk)
                show(buffer.bytes.count, of: reply.body.length, in: reply.head)
            }
            // The end tells the length of a chunked body.
            if reply.body.length == nil {
                show(buffer.bytes.count, of: buffer.bytes.count, in: reply.head)
            }
            context?.noteReply(reply.head, buffer.bytes)
            return Reply(
                head: reply.head, body: buffer.bytes, address: context?.kept.hop?.address)
        } catch {
            // The status tells more than the size of its body.
            if case .tooLarge = error.kind, !replyRules.allows(status: reply.head.status.code) {
                throw refusal(
                    of: Reply(head: reply.head, body: []), reason: .status(reply.head.status.code))
            }
            throw broken(reply.head, error)
        }
    }

    /// Reports the received bytes if the progress is observed. Refused replies and replies that a
    /// transfer reads into memory are not reported, because they are not the call's result.
    @inline(never)
    private func show(_ received: Int, of length: Int?, in head: HTTPResponse) {
        guard let context, context.hasListener, !template.isTransfer,
            replyRules.allows(status: head.status.code)
        else { return }
        context.report(OperationProgress(received: received, expectedToReceive: length))
    }

    /// Returns the next chunk of a body; nil at its end.
    func next(
        _ chunks: inout ReplyBody.AsyncIterator, _ head: HTTPResponse
    ) async throws(APIError) -> [UInt8]? {
        do throws(TransportError) { return try await chunks.next(isolation: nil) } catch {
            throw broken(head, error)
        }
    }

    /// Returns once the attempt is not suspended.
    nonisolated(nonsending) func waitWhilePaused() async throws(APIError) {
        do { try await context?.waitWhilePaused() } catch {
            throw failure(in: .receive, reason: .transport(.cancelled))
        }
    }

    @inline(never)
    private func broken(_ head: HTTPResponse, _ error: TransportError) -> APIError {
        // The body is lost, so its wait time is unknown and the header fields are used.
        if head.isBusy, rules.errors.declaresWait { applyServerWait(in: head) }
        var failure = failure(in: .receive, reason: .transport(error))
        failure.status = head.status.code
        return failure
    }
}
