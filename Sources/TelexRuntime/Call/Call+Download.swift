import HTTPTypes

#if canImport(FoundationEssentials)
    import FoundationEssentials
#else
    import Foundation
#endif

extension Call {
    /// Writes the reply to a file, from where the last attempt stopped.
    func download(_ job: DownloadJob) async throws(APIError) -> DownloadedFile {
        let attempt = context?.number ?? 0
        let source = try source()
        var offset = try onDisk { () throws(DownloadError) in
            try job.begin(attempt, source: source)
        }
        let hold = DownloadHold()
        context?.onHold { hold.set(isHeld: $0) }
        while true {
            var fields = try onDisk { () throws(DownloadError) in
                try job.with(attempt) { file in file.requestFields }
            }
            fields[.acceptEncoding] = "identity"
            hold.begin()
            let reply = try await accepted(open(adding: fields, hold))
            let now = pipeline.clock.now()
            let verdict = try onDisk { () throws(DownloadError) in
                try job.with(attempt) { file throws(DownloadError) in
                    try file.accept(reply.head, at: now)
                }
            }
            switch verdict {
            case .askAgain:
                reply.body.cancel()
                context?.sendsAnother()
                continue
            case .complete: reply.body.cancel()
            case .receive:
                do throws(APIError) { try await receive(reply, job, hold, &offset) } catch {
                    guard hold.explains(error) else { throw error }
                    continue
                }
            }
            try onDisk { () throws(DownloadError) in
                try job.with(attempt) { file throws(DownloadError) in try file.finish() }
            }
            return try downloaded(reply.head, job)
        }
    }

    /// Where the bytes come from, without what changes from call to call.
    private func source() throws(APIError) -> Address {
        let server = try server()
        do {
            var source = try template.address(on: server, credential)
            for field in template.query
            where field.isHidden || field.credentialKey.map({ Redactor.isSuspicious($0) }) == true {
                source.remove(item: field.name)
            }
            return source
        } catch {
            throw failure(.build, .invalidRequest, [error])
        }
    }

    /// A reply that may have a part of the document. Another one is read into memory, for what it
    /// says.
    private func accepted(_ reply: TransportReply) async throws(APIError) -> TransportReply {
        let status = reply.head.status.code
        // A part of what would come with a 200.
        let isAllowed = rules.allows(status: status) || status == 206 && rules.allows(status: 200)
        guard status != 416, !isAllowed || status >= 300 else {
            return try await judgingKeys(reply)
        }
        let answer = try await collect(reply)
        throw refusal(answer, .status(status))
    }

    private func receive(
        _ reply: TransportReply, _ job: DownloadJob, _ hold: DownloadHold, _ offset: inout Int
    ) async throws(APIError) {
        let attempt = context?.number ?? 0
        let canContinue = try onDisk { () throws(DownloadError) in
            try job.with(attempt) { file in file.canContinue }
        }
        hold.receive(
            reply.head, canContinue: canContinue && FailureJudge.mayRepeat(template))
        var chunks = reply.body.makeAsyncIterator()
        let start = offset
        while true {
            try await passGate()
            let chunk = try await next(&chunks, reply.head)
            guard let chunk else { return }
            let (done, expected) = try onDisk { () throws(DownloadError) in
                try job.with(attempt) { file throws(DownloadError) in
                    try file.write(chunk)
                    return (file.offset, file.expected)
                }
            }
            offset = done
            if done > start { context?.cameForward() }
            context?.report(OperationProgress(received: done, expectedToReceive: expected))
        }
    }

    private func downloaded(
        _ head: HTTPResponse, _ job: DownloadJob
    ) throws(APIError) -> DownloadedFile {
        let bytes = try onDisk { () throws(DownloadError) in
            try job.with(context?.number ?? 0) { file in file.offset }
        }
        context?.keep(head, [])
        // One that says that nothing is left describes its own words.
        let fields = head.status == .rangeNotSatisfiable ? [:] : head.headerFields
        let name = fields[.contentDisposition].flatMap(ContentDisposition.fileName)
        return DownloadedFile(
            path: job.destination, bytes: bytes, contentType: fields[.contentType],
            suggestedName: name.flatMap(SafeFileName.name))
    }

    private func onDisk<Result>(
        _ body: () throws(DownloadError) -> Result
    ) throws(APIError) -> Result {
        do throws(DownloadError) { return try body() } catch {
            throw failure(.receive, .download(error))
        }
    }
}
