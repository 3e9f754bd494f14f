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
        private let client: HTTPClient
        private let request: HTTPClientRequest
        private let upload: ClientUpload?
        private let timeout: Duration
        private let limit: Int

        init(_ request: TransportRequest, _ clients: Clients) throws(TransportError) {
            try request.check()
            self.clients = clients
            client = try clients.client(for: request.session)
            upload = try ClientUpload(request, idleTimeout)
            self.request = HTTPClientRequest(request, upload)
            timeout = request.timeout
            limit = max(0, request.maximumReplyBytes)
        }

        /// Runs the exchange and its idle time-out. Whichever ends first cancels the other.
        func run() async {
            await withTaskGroup(of: Void.self) { group in
                group.addTask { await exchange() }
                group.addTask {
                    await idleTimeout.wait(for: timeout)
                    reply.finish(.failure(.timedOut(after: timeout)))
                }
                await group.next()
                group.cancelAll()
            }
        }

        private func exchange() async {
            // The idle time-out starts here, because the task may have waited for a thread.
            idleTimeout.end()
            async let sending: Void? = upload?.run()
            reply.finish(await outcome())
            upload?.stop()
            await sending
        }

        private func outcome() async -> Result<Void, TransportError> {
            var progress = Progress(limit: limit)
            do {
                try await upload?.checkIfEmpty()
                let response = try await client.execute(request, deadline: .distantFuture)
                try await receive(response, &progress)
                return .success(())
            } catch {
                return progress.isComplete(despite: error)
                    ? .success(()) : .failure(progress.failure(error))
            }
        }

        private func receive(
            _ response: HTTPClientResponse, _ progress: inout Progress
        ) async throws {
            guard response.history.count <= 1 else { throw TransportError.redirectFollowed }
            let head = try Head(response, to: request.method)
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
