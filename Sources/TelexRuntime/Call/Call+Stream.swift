import HTTPTypes

extension Call {
    /// Hands out the elements of the reply as they arrive.
    ///
    /// - Returns: How many there were, in all attempts.
    func stream<Output>(
        _ request: APIRequest<Output>, _ job: StreamJob
    ) async throws(APIError) -> Int {
        let reply = try await open(adding: job.requestFields)
        let status = reply.head.status.code
        guard rules.allows(status: status) else {
            throw refusal(try await collect(reply), .status(status))
        }
        context?.keep(reply.head, [])
        var decoder = StreamDecoder(
            job.format, limit: pipeline.definition.limits.bytes, lastEventID: job.now.lastEventID)
        var chunks = reply.body.makeAsyncIterator()
        var received = 0
        while true {
            try await passGate()
            guard let chunk = try await next(&chunks, reply.head) else { break }
            received += chunk.count
            context?.report(OperationProgress(received: received))
            for element in try bounded({ () throws(StreamLimitError) in try decoder.feed(chunk) }) {
                try await handOut(element, request, job, reply.head)
            }
            let (id, pause) = (decoder.lastEventID, decoder.pause)
            job.update { now in
                now.lastEventID = id
                now.pause = pause
            }
        }
        if let last = try bounded({ () throws(StreamLimitError) in try decoder.finish() }) {
            try await handOut(last, request, job, reply.head)
        }
        return job.now.count
    }

    /// Maps one element and waits until there is room for it where it is read.
    private func handOut<Output>(
        _ bytes: [UInt8], _ request: APIRequest<Output>, _ job: StreamJob, _ head: HTTPResponse
    ) async throws(APIError) {
        let element = try map(Reply(head: head, body: bytes), request)
        do {
            try await context?.handOut(element)
        } catch {
            throw failure(.receive, .transport(.cancelled))
        }
        job.update { $0.count += 1 }
        context?.cameForward()
    }

    private func bounded<Result>(
        _ body: () throws(StreamLimitError) -> Result
    ) throws(APIError) -> Result {
        do throws(StreamLimitError) { return try body() } catch {
            throw failure(.receive, .transport(.tooLarge(limit: error.limit)))
        }
    }
}

extension StreamJob {
    /// What a request carries that goes on after the last event (WHATWG HTML, section 9.2.4).
    fileprivate var requestFields: HTTPFields {
        var fields: HTTPFields = [:]
        switch format {
        case .serverSentEvents:
            fields[.accept] = "text/event-stream"
            let id = now.lastEventID
            if let name = HTTPField.Name("Last-Event-ID"), !id.isEmpty, HTTPField.isValidValue(id) {
                fields[name] = id
            }
        case .jsonLines: fields[.accept] = "application/jsonl, application/x-ndjson"
        }
        return fields
    }
}
