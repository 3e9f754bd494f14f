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
        private let isRepeat: Bool

        /// - Parameter isRepeat: Whether the request was sent before.
        /// - Throws: `.invalidRequest` if a file does not match its declaration.
        init(
            _ request: TransportRequest, _ idleTimeout: IdleTimeout, with client: HTTPClient,
            isRepeat: Bool = false
        ) throws(TransportError) {
            upload = try ClientUpload(request, idleTimeout, on: client.eventLoopGroup)
            self.client = client
            self.request = HTTPClientRequest(request, upload)
            mayBeSentTwice = request.mayBeSentTwice && request.body?.isReplayable != false
            self.isRepeat = isRepeat
        }

        /// Sends the request and returns the head of the reply.
        func response() async throws -> HTTPClientResponse {
            try await client.execute(request, deadline: .distantFuture)
        }

        /// Whether the request may be sent again after it was lost with a kept connection.
        func mayRepeat(after error: any Error) -> Bool {
            !isRepeat && (isUnsent(error) || mayBeSentTwice && error is KeptConnectionLost)
        }

        /// Whether an error before the head of a reply proves that the server does not have the
        /// whole request.
        func isUnsent(_ error: any Error) -> Bool {
            switch error {
            // The client found the connection closed when it was about to use it. Later, it gives
            // the same error for the end of a body.
            case ChannelError.ioOnClosedChannel: upload?.isUntouched ?? true
            case is KeptConnectionLost: upload?.isUntouched ?? false
            default: false
            }
        }
    }
#endif
