import HTTPTypes
import TelexDownloads
import TelexRequests
import TelexTransport

#if canImport(FoundationEssentials)
    import FoundationEssentials
#else
    import Foundation
#endif

extension Call {
    /// Writes the reply to a file, continuing where the last attempt stopped.
    func download(_ job: DownloadJob) async throws(APIError) -> DownloadedFile {
        if let outcome = try await begin(job) { return ended(outcome.file, outcome.head) }
        let hold = DownloadHold()
        context?.onHold { hold.set(isHeld: $0) }
        while true {
            var fields = try onDisk { () throws(DownloadError) in
                try job.with(attempt) { file in file.requestFields }
            }
            fields[.acceptEncoding] = "identity"
            hold.begin()
            let reply = try await accepted(
                open(adding: fields, hold), asksForPart: fields[.range] != nil)
            let now = pipeline.clock.now()
            let verdict = try onDisk(reply.head) { () throws(DownloadError) in
                try job.with(attempt) { file throws(DownloadError) in
                    try file.accept(reply.head, at: now)
                }
            }
            switch verdict {
            case .requestAgain:
                reply.body.cancel()
                context?.countNextRequest()
                continue
            case .complete: reply.body.cancel()
            case .receive:
                do throws(APIError) { try await receive(reply, into: job, hold: hold) } catch {
                    if hold.explains(error) {
                        // The transport closed the connection because the download was suspended.
                        // Another request fetches the rest; it waits for its turn like a new one.
                        try await waitToSendNextRequest()
                    } else if fields[.range] != nil, error.isTooLongDownload {
                        // The reply was not the requested range, so all received data was dropped.
                        reply.body.cancel()
                        context?.countNextRequest()
                    } else {
                        throw error
                    }
                    continue
                }
            }
            let file = try onDisk(reply.head) { () throws(DownloadError) in
                try job.finish(attempt, after: reply.head)
            }
            return ended(file, reply.head)
        }
    }

    /// Reports the finished file. Progress is reported even if no bytes arrived, because the file
    /// may be empty or already complete.
    @inline(never)
    private func ended(_ file: DownloadedFile, _ head: HTTPResponse) -> DownloadedFile {
        context?.noteReply(head, [])
        context?.report(OperationProgress(received: file.bytes, expectedToReceive: file.bytes))
        return file
    }

    /// Acquires the file for this attempt.
    ///
    /// - Returns: The outcome, if the download has already ended.
    private func begin(_ job: DownloadJob) async throws(APIError) -> DownloadJob.Outcome? {
        let source = try source()
        do throws(DownloadError) {
            return try await job.begin(attempt, source: source)
        } catch {
            throw failure(in: .receive, reason: .download(error))
        }
    }

    /// The requested document, without the parts of the request that differ between calls.
    @inline(never)
    private func source() throws(APIError) -> DownloadSource {
        let problems = template.partProblems
        guard problems.isEmpty else {
            throw failure(in: .build, reason: .invalidRequest, violations: problems)
        }
        let server = try server()
        do {
            let reader = auth.usesRefreshedScheme ? credential : nil
            return try template.downloadSource(on: server, credential: credential, reader: reader)
        } catch {
            throw failure(in: .build, reason: .invalidRequest, violations: [error])
        }
    }

    /// Accepts a reply that may contain the document or a part of it. The body of any other reply
    /// is read into memory for its error details.
    ///
    /// - Parameter asksForPart: Whether only the missing rest was requested, which may be empty.
    /// - Throws: The server's refusal, for any other reply.
    private func accepted(
        _ reply: TransportReply, asksForPart: Bool
    ) async throws(APIError) -> TransportReply {
        let status = reply.head.status.code
        // A 206 is a part of the document that a 200 would contain.
        let isAllowed =
            replyRules.allows(status: status) || status == 206 && replyRules.allows(status: 200)
        let isEnd = asksForPart && status == 416
        guard !isEnd, !isAllowed || status >= 300 else {
            return try await checkingBody(reply)
        }
        let answer = try await collect(reply)
        throw refusal(of: answer, reason: .status(status))
    }

    private func receive(
        _ reply: TransportReply, into job: DownloadJob, hold: DownloadHold
    ) async throws(APIError) {
        let canContinue = try onDisk(reply.head) { () throws(DownloadError) in
            try job.with(attempt) { file in file.canContinue }
        }
        hold.receive(
            reply.head, canContinue: canContinue && template.mayRepeat)
        var chunks = reply.body.makeAsyncIterator()
        while true {
            try await waitWhilePaused()
            let chunk = try await next(&chunks, reply.head)
            guard let chunk else { return }
            try write(chunk, to: job, head: reply.head)
        }
    }

    private func waitToSendNextRequest() async throws(APIError) {
        do throws(CancellationError) { try await context?.waitToSendNextRequest() } catch {
            throw failure(in: .receive, reason: .transport(.cancelled))
        }
    }

    @inline(never)
    private func write(
        _ chunk: [UInt8], to job: DownloadJob, head: HTTPResponse
    ) throws(APIError) {
        let now = try onDisk(head) { () throws(DownloadError) in
            try job.write(attempt, chunk)
        }
        // Only bytes beyond the furthest position count as progress. Otherwise a download that
        // loses and re-fetches the same bytes would be retried forever.
        if now.isFurther { context?.reportAdvance() }
        var progress = OperationProgress(received: now.done, expectedToReceive: now.expected)
        progress.headStart.bytes = now.headStart
        context?.report(progress)
    }

    /// Runs a step on disk and maps its error.
    ///
    /// - Parameter head: The head of the reply that the step handles.
    private func onDisk<Result>(
        _ head: HTTPResponse? = nil, _ body: () throws(DownloadError) -> Result
    ) throws(APIError) -> Result {
        do throws(DownloadError) { return try body() } catch {
            throw failure(
                in: .receive, reason: .download(error), at: head.map { Reply(head: $0, body: []) })
        }
    }
}

extension APIError {
    /// Whether the server sent more bytes than it had declared.
    fileprivate var isTooLongDownload: Bool {
        if case .download(let error) = reason, case .tooLong = error.reason { true } else { false }
    }
}
