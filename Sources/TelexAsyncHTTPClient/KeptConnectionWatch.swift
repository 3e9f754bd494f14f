#if AsyncHTTPClient
    import AsyncHTTPClient
    import NIOCore
    import NIOHTTP1
    import TelexTransport

    /// A connection that had been idle was lost, and no byte of the reply to the next request had
    /// come: the server has probably closed it while it was idle.
    struct KeptConnectionLost: Error {
        /// Whether the connection has not taken all bytes of the request. The server then does not
        /// have the whole request.
        var isIncomplete = false
    }

    /// Watches an HTTP/1.1 connection, because the client reports the loss of a kept one like that
    /// of a new one, and hands it a request even if the end of the connection waits to be read.
    private final class KeptConnectionWatch: ChannelDuplexHandler {
        typealias InboundIn = ByteBuffer
        typealias OutboundIn = HTTPClientRequestPart
        typealias OutboundOut = HTTPClientRequestPart

        /// Whether the connection has been idle before its last request. It is at first if another
        /// connection has taken the request for which it was made.
        private var wasIdle = false
        private var hasRequest = false
        private var isAnswered = true
        /// The number of parts of requests that the connection has not taken yet.
        private var untakenCount = 0
        /// The number of bytes of the body that the client has not passed to the connection yet.
        private var missingCount = 0

        func handlerAdded(context: ChannelHandlerContext) {
            // A request for which the connection was made is written before that.
            context.eventLoop.assumeIsolated().execute { self.wasIdle = !self.hasRequest }
        }

        func write(
            context: ChannelHandlerContext, data: NIOAny, promise: EventLoopPromise<Void>?
        ) {
            let promise = promise ?? context.eventLoop.makePromise()
            switch unwrapOutboundIn(data) {
            case .head(let head):
                wasIdle = wasIdle || hasRequest
                hasRequest = true
                isAnswered = false
                // Without a length, the body is complete with its end.
                missingCount = head.headers.first(name: "Content-Length").flatMap(Int.init) ?? .max
                if context.channel.isClosedByPeer {
                    context.fireErrorCaught(KeptConnectionLost(isIncomplete: true))
                    return promise.fail(ChannelError.ioOnClosedChannel)
                }
            case .body(let part): missingCount -= part.readableBytes
            case .end: missingCount = 0
            }
            untakenCount += 1
            promise.futureResult.assumeIsolated().whenSuccess { self.untakenCount -= 1 }
            context.write(data, promise: promise)
        }

        func channelRead(context: ChannelHandlerContext, data: NIOAny) {
            isAnswered = true
            context.fireChannelRead(data)
        }

        func errorCaught(context: ChannelHandlerContext, error: any Error) {
            context.fireErrorCaught(loss ?? error)
        }

        func channelInactive(context: ChannelHandlerContext) {
            if let loss { context.fireErrorCaught(loss) }
            context.fireChannelInactive()
        }

        private var loss: KeptConnectionLost? {
            guard wasIdle, hasRequest, !isAnswered else { return nil }
            return KeptConnectionLost(isIncomplete: untakenCount > 0 || missingCount > 0)
        }
    }

    extension Channel {
        /// Whether the other end has closed or reset the TCP connection. The event loop learns of
        /// it when it reads next, which may be too late for a request.
        var isClosedByPeer: Bool {
            guard let socket = self as? any SocketOptionProvider else { return false }
            var isClosed = false
            // On its own thread, the channel answers at once. The states are `CLOSE_WAIT` and
            // `CLOSED` of the systems' headers.
            #if canImport(Darwin)
                socket.getTCPConnectionInfo().assumeIsolated()
                    .whenSuccess { isClosed = [5, 0].contains($0.tcpi_state) }
            #elseif os(Linux) || os(FreeBSD) || os(Android)
                socket.getTCPInfo().assumeIsolated()
                    .whenSuccess { isClosed = [8, 7].contains($0.tcpi_state) }
            #endif
            return isClosed
        }
    }

    /// Refuses a reply whose status is below 100. The client takes its head for an interim one, and
    /// ends the process at what follows.
    private final class StatusCheck: ChannelInboundHandler {
        typealias InboundIn = HTTPClientResponsePart

        func channelRead(context: ChannelHandlerContext, data: NIOAny) {
            if case .head(let head) = unwrapInboundIn(data), head.status.code < 100 {
                return context.fireErrorCaught(TransportError.invalidReply)
            }
            context.fireChannelRead(data)
        }
    }

    extension HTTPClient.Configuration {
        /// Makes the loss of a kept connection recognizable, and checks replies, after the caller's
        /// own initializer.
        mutating func installHandlers() {
            let own = http1_1ConnectionDebugInitializer
            http1_1ConnectionDebugInitializer = { channel in
                (own?(channel) ?? channel.eventLoop.makeSucceededVoidFuture()).flatMapThrowing {
                    let handlers = channel.pipeline.syncOperations
                    // The bytes of replies are seen before they are parsed, the requests before
                    // they are written.
                    let parser = try handlers.handler(
                        type: ByteToMessageHandler<HTTPResponseDecoder>.self)
                    try handlers.addHandler(KeptConnectionWatch(), position: .before(parser))
                    try handlers.addHandler(StatusCheck(), position: .after(parser))
                }
            }
        }
    }
#endif
