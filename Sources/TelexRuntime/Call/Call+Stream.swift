import HTTPTypes
import TelexJSON
import TelexRequests
import TelexScheduling
import TelexTransport

extension Call {
    /// Delivers the elements of the reply as they arrive.
    ///
    /// - Returns: The number of elements in all attempts.
    func stream(_ job: StreamJob) async throws(APIError) -> Int {
        guard let start = await job.begin(attempt) else {
            throw failure(in: .receive, reason: .transport(.cancelled))
        }
        let fields = job.requestFields(after: start.lastEventID)
        let reply = try await accepted(open(adding: fields), job.format)
        var decoder = StreamDecoder(
            job.format, limit: rules.replyBytes, lastEventID: start.lastEventID)
        var chunks = reply.body.makeAsyncIterator()
        var received = 0
        while !decoder.isOver {
            try await waitWhilePaused()
            guard let chunk = try await next(&chunks, reply.head) else { break }
            received += chunk.count
            context?.report(OperationProgress(received: received))
            let elements = try bounded { () throws(StreamLimitError) in try decoder.feed(chunk) }
            if let pause = decoder.pause { heed(pause, job) }
            for element in elements { try await deliver(element, of: job, head: reply.head) }
            // An event without data advances the last event ID too.
            if decoder.lastEventID != job.now.lastEventID {
                try await advance(job, to: decoder.lastEventID, isElement: false)
            }
            // The error is thrown now, because the next chunk may take long to arrive.
            if let error = decoder.error { throw tooLarge(error) }
        }
        if decoder.isOver { return job.now.count }
        if let last = try bounded({ () throws(StreamLimitError) in try decoder.finish() }) {
            try await deliver(last, of: job, head: reply.head)
        }
        if let end = decoder.missingEnd { throw truncationError(received, before: end) }
        return job.now.count
    }

    /// The error for a reply that ended before the stream did. The connection was closed properly,
    /// so only the missing end marker reveals it.
    @inline(never)
    private func truncationError(_ received: Int, before end: String) -> APIError {
        failure(
            in: .receive,
            reason: .transport(
                TransportError(
                    .truncated(received: received, expected: nil),
                    "the stream ended after \(received) bytes, without `\(end)`")))
    }

    /// Accepts a reply that may be a stream. The body of any other reply is read into memory for
    /// its error details.
    ///
    /// - Throws: The server's refusal, or an error about the media type.
    private func accepted(
        _ reply: TransportReply, _ format: StreamFormat
    ) async throws(APIError) -> TransportReply {
        let status = reply.head.status.code
        guard replyRules.allows(status: status) else {
            throw refusal(of: try await collect(reply), reason: .status(status))
        }
        let fields = reply.head.headerFields
        let types = replyRules.accepts
        // JSON Lines are served with many media types.
        guard let type = fields.mediaType,
            !fields.hasType(among: format.framing.mediaTypes + types),
            !types.isEmpty || format.framing == .serverSentEvents
        else { return reply }
        let answer = try await collect(reply)
        // A refusal in the body is more specific than the wrong media type.
        try judgeBody(answer)
        throw unexpected(type, answer, expected: types.isEmpty ? format.framing.mediaTypes : types)
    }

    /// The error for a reply whose media type is not an event stream. It is not treated as a stream
    /// without events, because a proxy may have answered in the server's place (WHATWG HTML,
    /// section 9.2.3).
    @inline(never)
    private func unexpected(_ type: String, _ answer: Reply, expected: [String]) -> APIError {
        let violation = Violation(
            path: "Content-Type", rule: "type", expected: expected.joined(separator: " or "),
            found: type)
        return refusal(of: answer, reason: .unexpectedReply, violations: [violation])
    }

    /// Maps one element and waits until the reader has room for it. A chunk may contain thousands
    /// of elements, so a suspended stream stops between two of them.
    private func deliver(
        _ element: StreamDecoder.Element, of job: StreamJob, head: HTTPResponse
    ) async throws(APIError) {
        try await waitWhilePaused()
        let output = try judgedValue(in: Reply(head: head, body: element.bytes))
        try await advance(job, to: element.id, isElement: true)
        defer { job.didDeliver() }
        do {
            try await context?.deliver(output)
        } catch {
            throw failure(in: .receive, reason: .transport(.cancelled))
        }
    }

    /// Advances the stream past an event before the event is delivered. The attempt may be stopped
    /// at any moment, and no later attempt may deliver the event again.
    private func advance(
        _ job: StreamJob, to id: String, isElement: Bool
    ) async throws(APIError) {
        let next = job.now.after(id, isElement: isElement)
        // After this point the stream may be unable to restart, so the engine has to confirm first.
        // It may just have decided to start another attempt from the beginning.
        let attemptProgress = attemptProgress(next, hasProgress: isElement)
        let isGivenUp = attemptProgress.isLast && context?.reportProgress(attemptProgress) == true
        if isGivenUp { await context?.stopped() }
        guard !isGivenUp, job.advance(attempt, to: id, isElement: isElement) else {
            throw failure(in: .receive, reason: .transport(.cancelled))
        }
        context?.reportProgress(attemptProgress)
    }

    private func heed(_ pause: Duration, _ job: StreamJob) {
        job.heed(pause)
        context?.reportProgress(attemptProgress(job.now, hasProgress: false))
    }

    /// The progress of the stream, as the engine records it.
    ///
    /// - Parameter hasProgress: Whether this attempt has just delivered an element.
    private func attemptProgress(_ state: StreamJob.State, hasProgress: Bool) -> AttemptProgress {
        AttemptProgress(
            hasProgress: hasProgress || context?.record.attemptProgress.hasProgress == true,
            isLast: !state.canContinue, pause: state.pause)
    }

    private func bounded<Result>(
        _ body: () throws(StreamLimitError) -> Result
    ) throws(APIError) -> Result {
        do throws(StreamLimitError) { return try body() } catch { throw tooLarge(error) }
    }

    @inline(never)
    private func tooLarge(_ error: StreamLimitError) -> APIError {
        failure(in: .receive, reason: .transport(.tooLarge(limit: error.limit)))
    }
}

extension StreamJob {
    /// The header fields of a request that continues after the last event (WHATWG HTML, section
    /// 9.2.4).
    fileprivate func requestFields(after id: String) -> HTTPFields {
        guard format.framing == .serverSentEvents, Self.canSendEventID(id),
            let name = HTTPField.Name("Last-Event-ID")
        else { return [:] }
        return [name: id]
    }
}
