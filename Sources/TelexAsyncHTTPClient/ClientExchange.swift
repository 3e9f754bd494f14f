#if AsyncHTTPClient
    import AsyncHTTPClient
    import NIOCore
    import TelexTransport

    /// One request and its reply, between the task that drives the client and the caller's task,
    /// which awaits the results. One pipe delivers the head, then the chunks.
    struct ClientExchange: Sendable {
        private let reply: Pipe<Transfer.Part>
        private let driver: Task<Void, Never>

        /// Starts the exchange.
        ///
        /// - Throws: `.invalidRequest` or `.unsupported` if the request cannot be sent as it is.
        init(_ request: TransportRequest, _ clients: Clients) throws(TransportError) {
            let transfer = try Transfer(request, clients)
            reply = transfer.reply
            driver = Task { await transfer.run() }
        }

        func head() async throws(TransportError) -> Transfer.Head {
            guard case .head(let head) = try await next() else { throw .noHead }
            return head
        }

        func nextChunk() async throws(TransportError) -> [UInt8]? {
            guard case .chunk(let chunk) = try await next() else { return nil }
            return chunk
        }

        func cancel() {
            reply.finish(.failure(.cancelled))
            driver.cancel()
        }

        private func next() async throws(TransportError) -> Transfer.Part? {
            let result = await withTaskCancellationHandler {
                await reply.next()
            } onCancel: {
                cancel()
            }
            return try result.get()
        }
    }
#endif
