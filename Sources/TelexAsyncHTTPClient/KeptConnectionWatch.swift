#if AsyncHTTPClient
    import AsyncHTTPClient
    import NIOCore
    import NIOHTTP1

    /// A connection that had served a request before was lost, and no byte of the reply to the next
    /// one had come: the server has probably closed it while it was idle.
    struct KeptConnectionLost: Error {}

    /// Watches an HTTP/1.1 connection, because the client reports the loss of a kept one like that
    /// of a new one.
    private final class KeptConnectionWatch: ChannelDuplexHandler {
        typealias InboundIn = ByteBuffer
        typealias OutboundIn = HTTPClientRequestPart
        typealias OutboundOut = HTTPClientRequestPart

        private var requestCount = 0
        private var isAnswered = true

        func write(
            context: ChannelHandlerContext, data: NIOAny, promise: EventLoopPromise<Void>?
        ) {
            if case .head = unwrapOutboundIn(data) {
                requestCount += 1
                isAnswered = false
            }
            context.write(data, promise: promise)
        }

        func channelRead(context: ChannelHandlerContext, data: NIOAny) {
            isAnswered = true
            context.fireChannelRead(data)
        }

        func errorCaught(context: ChannelHandlerContext, error: any Error) {
            context.fireErrorCaught(isKeptAndUnanswered ? KeptConnectionLost() : error)
        }

        func channelInactive(context: ChannelHandlerContext) {
            if isKeptAndUnanswered { context.fireErrorCaught(KeptConnectionLost()) }
            context.fireChannelInactive()
        }

        private var isKeptAndUnanswered: Bool { requestCount > 1 && !isAnswered }
    }

    extension HTTPClient.Configuration {
        /// Makes the loss of a kept connection recognizable, after the caller's own initializer.
        mutating func watchKeptConnections() {
            let own = http1_1ConnectionDebugInitializer
            http1_1ConnectionDebugInitializer = { channel in
                (own?(channel) ?? channel.eventLoop.makeSucceededVoidFuture()).flatMapThrowing {
                    let handlers = channel.pipeline.syncOperations
                    // The bytes of replies are seen before they are parsed, the requests before
                    // they are written.
                    let parser = try handlers.handler(
                        type: ByteToMessageHandler<HTTPResponseDecoder>.self)
                    try handlers.addHandler(KeptConnectionWatch(), position: .before(parser))
                }
            }
        }
    }
#endif
