#if AsyncHTTPClient
    import AsyncHTTPClient
    import HTTPTypes
    import NIOCore
    import TelexTransport

    /// What the driving task of an exchange does: sends the request, receives the reply into the
    /// pipe, and gives up after too long a silence.
    struct Transfer: Sendable {
        /// What goes through the pipe: one head, then chunks.
        enum Part: Sendable {
            case head(Head)
            case chunk([UInt8])
        }

        /// The head of a reply and how many bytes of body it declares, as far as that can be known.
        struct Head: Sendable {
            let response: HTTPResponse
            let length: Int?
            let isWithoutBody: Bool
        }

        let reply = Pipe<Part>(capacity: 4)
        private let silence = IdleTimeout()
        private let clients: Clients
        private let client: HTTPClient
        private let request: HTTPClientRequest
        private let upload: Upload?
        private let timeout: Duration
        private let limit: Int

        init(_ request: TransportRequest, _ clients: Clients) throws(TransportError) {
            try request.check()
            self.clients = clients
            client = try clients.client(for: request.session)
            upload = try Upload(request, silence)
            self.request = HTTPClientRequest(request, upload)
            timeout = request.timeout
            limit = max(0, request.maximumReplyBytes)
        }

        /// Whichever ends first ends the other.
        func run() async {
            await withTaskGroup(of: Void.self) { group in
                group.addTask { await exchange() }
                group.addTask {
                    await silence.wait(for: timeout)
                    reply.finish(.failure(.timedOut(after: timeout)))
                }
                await group.next()
                group.cancelAll()
            }
        }

        private func exchange() async {
            // Not before: the task may have had to wait for a thread.
            silence.end()
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

        /// While the reader is behind, silence is its own.
        private func send(_ part: Part) async {
            silence.pause()
            await reply.send(part)
            silence.resume()
        }
    }

    extension TransportError {
        fileprivate static let redirectFollowed = TransportError(
            .unsupported, "the client that was given to the transport follows redirects")
    }
#endif
