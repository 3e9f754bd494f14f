#if AsyncHTTPClient
    import AsyncHTTPClient
    import NIOCore
    import TelexTransport

    /// A request that is sent with a client, at most once.
    struct Sending: Sendable {
        let upload: ClientUpload?
        private let client: HTTPClient
        private let request: HTTPClientRequest
        private let mayBeSentTwice: Bool
        private let isReplayable: Bool
        private let isWatched: Bool
        let repeats: Int

        /// How often a request of which nothing was sent is sent again with a client of the caller,
        /// each of whose connections may be closed: the usual number of them.
        private static let mostRepeats = 8

        /// - Parameters:
        ///   - client: Sends the request.
        ///   - isWatched: Whether the client reports kept connections that are lost.
        ///   - repeats: How often the request was sent before.
        /// - Throws: `.invalidRequest` if a file does not match its declaration.
        init(
            _ request: TransportRequest, _ idleTimeout: IdleTimeout, with client: HTTPClient,
            isWatched: Bool, repeats: Int = 0
        ) throws(TransportError) {
            upload = try ClientUpload(request, idleTimeout, on: client.eventLoopGroup)
            self.client = client
            self.request = HTTPClientRequest(request, upload)
            mayBeSentTwice = request.mayBeSentTwice
            isReplayable = request.body?.isReplayable != false
            self.isWatched = isWatched
            self.repeats = repeats
        }

        /// Sends the request and returns the head of the reply.
        func response() async throws -> HTTPClientResponse {
            try await client.execute(request, deadline: .distantFuture)
        }

        /// Whether the request may be sent again after it was lost with a kept connection. A client
        /// of the caller provides no new connection, perhaps another one that was closed; and each
        /// of its connections may be a kept one.
        func mayRepeat(after error: any Error) -> Bool {
            if isUnsent(error) { return repeats < (isWatched ? 1 : Self.mostRepeats) }
            guard isReplayable, repeats == 0 else { return false }
            guard let loss = error as? KeptConnectionLost else {
                return !isWatched && mayBeSentTwice && TransportError(error).kind == .connectionLost
            }
            return mayBeSentTwice || loss.isIncomplete
        }

        /// Whether an error before the head of a reply proves that the server has no byte of the
        /// body, or not the whole head.
        func isUnsent(_ error: any Error) -> Bool {
            switch error {
            // The client found the connection closed when it was about to use it. Later, it gives
            // the same error for the end of a body.
            case ChannelError.ioOnClosedChannel: upload?.isUntouched ?? true
            case let loss as KeptConnectionLost: upload?.isUntouched ?? loss.isIncomplete
            default: false
            }
        }
    }
#endif
