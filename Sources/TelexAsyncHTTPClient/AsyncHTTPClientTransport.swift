#if AsyncHTTPClient
    import AsyncHTTPClient
    import NIOCore
    import TelexTransport

    /// Sends requests with AsyncHTTPClient, the HTTP client of servers on SwiftNIO. HTTP/2 is used
    /// with servers that offer it over TLS.
    ///
    /// Properties and limits:
    /// - The module is empty unless the package's trait `AsyncHTTPClient` is on.
    /// - Header fields of a reply that occur more than once are kept apart.
    /// - A slow reader applies back-pressure to the connection. The decompressed bytes of one read
    ///   from the socket are in memory at once: some 200 MiB for a decompression bomb.
    /// - Bytes that arrive in the same read from the socket as a broken chunk or broken compressed
    ///   data are lost, and so are the last bytes before a connection ended too early: the
    ///   `received` of `.truncated` counts the bytes that were delivered.
    /// - A connection that the server has closed while it was idle is not used for the next
    ///   request, as far as the system knows of the end. If it is closed later, before a byte of
    ///   the reply, the request is sent again once, on a new connection beside those of the
    ///   session, if the server cannot have all of it, or if it may get it twice (see
    ///   `Transport`). Otherwise it ends in `.connectionLost`. A client of the caller does not tell
    ///   which connections were kept, and has no new one for a repeat: a request of which nothing
    ///   was sent is tried on up to eight more, and one that the server may get twice is sent
    ///   again once. Over HTTP/2, only a request of which nothing was sent is sent again.
    /// - Over HTTP/2, a request that the server ends before the head of its reply is
    ///   `.connectionLost`, even if the server has processed nothing of it (RFC 9113, 8.7): a
    ///   connection existed, and the client reports a `GOAWAY` as a cancelled stream.
    /// - A connection that is closed during the TLS handshake is `.tls`, but one that is reset is
    ///   `.connectionLost`, because the client does not report the phase.
    /// - Bytes that a server sends late after a reply may be read as the reply to the next request
    ///   on that connection (`Fault.surplusLater` of TelexTesting).
    /// - `gzip` and `deflate` are requested, unless `Accept-Encoding` is set, and decompressed. A
    ///   body with several compressed members, or with bytes after the first, is `.truncated`.
    /// - Until the head of a reply is complete, its bytes and interim replies do not reset the idle
    ///   time-out.
    /// - A reply with a status below 100 is refused over HTTP/1.1. Over HTTP/2 and with a client of
    ///   the caller, it may end the process.
    /// - `onBodySent` counts bytes that were passed to the connection, which may hold up to 128 KiB
    ///   before they are on the network.
    /// - Connecting, and waiting for one of the connections per host (8 by default), take 60
    ///   seconds at most, even if the `timeout` of the request is longer.
    /// - A reply that is complete before the body of its request ends the sending; the head of a
    ///   reply with a status of 300 or higher ends it at once. If the connection took no more bytes
    ///   at that moment, the client keeps the head of the request and up to 64 KiB of its body in
    ///   memory from then on.
    public final class AsyncHTTPClientTransport: Transport {
        private let clients: Clients

        /// Makes a transport with clients of its own, one for each session of the requests. They
        /// are shut down by `shutdown()`, or when the transport and all of its exchanges are
        /// released.
        ///
        /// - Parameters:
        ///   - eventLoopGroup: The threads to use; SwiftNIO's shared ones by default.
        ///   - configure: Changes the configuration: TLS, proxies, connections per host where the
        ///     request's session specifies no number. Redirects are never followed, whatever it
        ///     sets. The client does no tracing of its own unless it is given a tracer here: its
        ///     spans contain whole addresses, which may hold a token.
        public init(
            eventLoopGroup: any EventLoopGroup = HTTPClient.defaultEventLoopGroup,
            configure: (inout HTTPClient.Configuration) -> Void = { _ in }
        ) {
            clients = Clients(on: eventLoopGroup, configure)
        }

        /// Makes a transport that uses a client of the caller. The caller shuts it down after the
        /// last exchange. The configuration of the client applies, even where it is stricter than
        /// the request: its time-outs, its limit for decompression (`.tooLarge`), and its
        /// `tracing`, which by default passes whole addresses, perhaps with a token, to the
        /// program's tracer.
        ///
        /// - Parameters:
        ///   - client: Must not follow redirects: set `redirectConfiguration` to `.disallow`, which
        ///     `HTTPClient.shared` does not. A reply after a redirect throws `.unsupported`, but
        ///     the redirect has been followed then.
        ///   - ephemeral: The client for ephemeral requests. Without one, which is the default,
        ///     they throw `.unsupported`; so do requests of named sessions, which need a transport
        ///     with clients of its own.
        public init(client: HTTPClient, ephemeral: HTTPClient? = nil) {
            clients = Clients(common: client, ephemeral: ephemeral)
        }

        /// Ends the exchanges in progress with `.cancelled`, closes the connections and returns
        /// when they are closed. Sending afterwards throws `.other`. Has no effect the second time,
        /// nor on clients of the caller. A program that exits need not call it.
        public func shutdown() async { await clients.shutdown() }

        /// The system's probe.
        public var probe: ReachabilityProbe? { .system }

        /// Sends `request`. See `Transport`.
        ///
        /// - Throws: A `TransportError` if no complete head arrived.
        public func send(
            _ request: TransportRequest
        ) async throws(TransportError) -> TransportReply {
            if Task.isCancelled { throw .cancelled }
            let exchange = try ClientExchange(request, clients)
            let head = try await exchange.head()
            return TransportReply(
                head: head.response,
                body: ReplyBody(
                    length: head.length, cancel: { exchange.cancel() },
                    next: { () async throws(TransportError) in try await exchange.nextChunk() }))
        }

        fileprivate static let shared = AsyncHTTPClientTransport()
    }

    extension Transport where Self == AsyncHTTPClientTransport {
        /// The shared transport. It is never shut down automatically.
        public static var asyncHTTPClient: AsyncHTTPClientTransport {
            AsyncHTTPClientTransport.shared
        }

        /// A transport with clients of its own. See `AsyncHTTPClientTransport`.
        public static func asyncHTTPClient(
            configure: (inout HTTPClient.Configuration) -> Void
        ) -> AsyncHTTPClientTransport {
            AsyncHTTPClientTransport(configure: configure)
        }

        /// A transport that uses a client of the caller. See `AsyncHTTPClientTransport`.
        public static func asyncHTTPClient(
            _ client: HTTPClient, ephemeral: HTTPClient? = nil
        ) -> AsyncHTTPClientTransport {
            AsyncHTTPClientTransport(client: client, ephemeral: ephemeral)
        }
    }
#endif
