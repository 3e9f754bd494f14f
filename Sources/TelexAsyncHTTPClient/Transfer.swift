#if AsyncHTTPClient
    import AsyncHTTPClient
    import HTTPTypes
    import NIOCore
    import TelexTransport

    /// The work of an exchange's driving task: it sends the request, receives the reply into the
    /// pipe, and stops at the idle time-out.
    struct Transfer: Sendable {
        /// The elements of the pipe: one head, then chunks.
        enum Part: Sendable {
            case head(Head)
            case chunk([UInt8])
        }

        /// The head of a reply and the declared length of its body, if known.
        struct Head: Sendable {
            let response: HTTPResponse
            let length: Int?
            let isWithoutBody: Bool
        }

        let reply = Pipe<Part>(capacity: 4)
        private let idleTimeout = IdleTimeout()
        private let clients: Clients
        private let request: TransportRequest
        private let first: Sending
        private let timeout: Duration
        private let limit: Int

        init(_ request: TransportRequest, _ clients: Clients) throws(TransportError) {
            try request.check()
            self.clients = clients
            let client = try clients.client(for: Clients.Use(session: request.session))
            self.request = request
            first = try Sending(
                request, idleTimeout, with: client, isWatched: !clients.areForeign)
            timeout = request.timeout
            limit = max(0, request.maximumReplyBytes)
        }

        /// Runs the exchange and its idle time-out. Whichever ends first cancels the other.
        func run() async {
            await withTaskGroup(of: Void.self) { group in
                group.addTask { await exchange(first) }
                group.addTask {
                    await idleTimeout.wait(for: timeout)
                    reply.finish(.failure(.timedOut(after: timeout)))
                }
                await group.next()
                group.cancelAll()
            }
        }

        private func exchange(_ sending: Sending) async {
            // The idle time-out starts here, because the task may have waited for a thread.
            idleTimeout.end()
            async let uploading: Void? = sending.upload?.run()
            let next = await outcome(of: sending)
            await uploading
            if let next { await exchange(next) }
        }

        /// Finishes the reply, or returns what has to be sent instead.
        private func outcome(of sending: Sending) async -> Sending? {
            var progress = Progress(limit: limit)
            defer { sending.upload?.stop(isRefused: progress.isRefused) }
            do {
                try await sending.upload?.checkIfEmpty()
                try await receive(try await sending.response(), &progress)
                reply.finish(.success(()))
            } catch {
                if progress.isComplete(despite: error) {
                    reply.finish(.success(()))
                    return nil
                }
                var failure = progress.failure(error)
                if progress.head == nil {
                    if sending.isUnsent(error) { failure.kind = .cannotConnect }
                    if let next = next(after: sending, error) {
                        request.onRepeat?(failure)
                        return next
                    }
                }
                reply.finish(.failure(failure))
            }
            return nil
        }

        /// Returns the request for a new connection, if it was lost with a kept one.
        private func next(after sending: Sending, _ error: any Error) -> Sending? {
            let use = Clients.Use(session: request.session, needsNewConnection: true)
            guard sending.mayRepeat(after: error), !reply.isFinished,
                let client = try? clients.client(for: use)
            else { return nil }
            return try? Sending(
                request, idleTimeout, with: client, isWatched: !clients.areForeign,
                repeats: sending.repeats + 1)
        }

        private func receive(
            _ response: HTTPClientResponse, _ progress: inout Progress
        ) async throws {
            guard response.history.count <= 1 else { throw TransportError.redirectFollowed }
            let head = try Head(response, to: request.head.method)
            progress.head = head
            await send(.head(head))
            if let length = head.length, length > limit {
                throw TransportError.tooLarge(limit: limit)
            }
            for try await buffer in response.body where buffer.readableBytes > 0 {
                try progress.receive(buffer.readableBytes)
                await send(.chunk(Array(buffer: buffer)))
            }
            try progress.end()
        }

        /// Sends a part to the reader. The idle time-out is paused while the reader is behind.
        private func send(_ part: Part) async {
            idleTimeout.pause()
            await reply.send(part)
            idleTimeout.resume()
        }
    }

    extension TransportError {
        fileprivate static let redirectFollowed = TransportError(
            .unsupported,
            "the transport's client follows redirects; set its `redirectConfiguration` to `.disallow`"
        )
    }
#endif
