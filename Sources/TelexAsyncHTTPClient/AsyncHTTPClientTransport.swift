#if AsyncHTTPClient
    import AsyncHTTPClient
    import NIOCore
    import TelexTransport

    /// Sends requests with AsyncHTTPClient, the HTTP client of servers on SwiftNIO. HTTP/2 is spoken
    /// with servers that offer it over TLS.
    ///
    /// What to know about it:
    /// - The module is empty unless the package's trait `AsyncHTTPClient` is on.
    /// - Header fields of a reply that came more than once are kept apart.
    /// - A reply is held back while its reader is slow. What one read from the socket decompresses
    ///   to is in memory at once: some 200 MiB, if somebody sends a bomb.
    /// - What came in the same read from the socket as a broken chunk or broken compressed data is
    ///   lost with it, and so is the last of what came before a connection ended too early: the
    ///   `received` of `.truncated` counts what was handed over.
    /// - A connection that the server closes while it is not used may be taken for the next request,
    ///   which ends in `.connectionLost`. It is not sent again: that is for the engine to decide.
    /// - Over HTTP/2, a request that the server ends before the head of its reply is `.connectionLost`,
    ///   also if it has looked at nothing of it (RFC 9113, 8.7): a connection there was, and the client
    ///   tells a `GOAWAY` as a cancelled stream.
    /// - A connection that is closed during the TLS handshake is `.tls`, but one that is reset is
    ///   `.connectionLost`: the client does not say when it was.
    /// - A server that sends more than a reply, and late, may have it taken for the reply to the next
    ///   request on that connection (`Fault.surplusLater` of TelexTesting).
    /// - `gzip` and `deflate` are asked for, unless `Accept-Encoding` is set, and decompressed. Of
    ///   several compressed members in one body, and of anything behind it, all is `.truncated`.
    /// - Until the head of a reply is complete, what has come of it, and interim replies, count as
    ///   silence.
    /// - `onBodySent` is told of bytes once they are with the connection, which may keep up to
    ///   128 KiB before they are on the network.
    /// - To connect, and to wait for one of the connections per host (8 by default), takes 60
    ///   seconds at most, however long the `timeout` of the request is.
    /// - A reply that is complete before the body of its request ends the sending, and a status of
    ///   300 or higher already does when it comes.
    public final class AsyncHTTPClientTransport: Transport {
        private let clients: Clients

        /// Makes a transport with clients of its own, one for each session of the requests. They are
        /// shut down when neither the transport nor one of its exchanges is left, or by `shutdown()`.
        ///
        /// - Parameters:
        ///   - eventLoopGroup: The threads to use; those that all of SwiftNIO shares by default.
        ///   - configure: Changes the configuration: TLS, proxies, connections per host where the
        ///     request's session has no number of its own. Redirects are never followed, whatever
        ///     it sets. The client traces nothing by itself, unless it is given a tracer here: its
        ///     spans show whole addresses, which may hold a token.
        public init(
            eventLoopGroup: any EventLoopGroup = HTTPClient.defaultEventLoopGroup,
            configure: (inout HTTPClient.Configuration) -> Void = { _ in }
        ) {
            clients = Clients(on: eventLoopGroup, configure)
        }

        /// Makes a transport that uses a client of the caller, who shuts it down after the last
        /// exchange. The configuration of the client counts, also where it is stricter than the
        /// request: its time-outs, its limit for decompression (`.tooLarge`), and its `tracing`, which
        /// by default shows whole addresses, perhaps with a token, to the program's tracer.
        ///
        /// - Parameters:
        ///   - client: Must not follow redirects: set `redirectConfiguration` to `.disallow`, which
        ///     `HTTPClient.shared` does not. A reply that came after a redirect throws
        ///     `.unsupported`, but by then the redirect has been followed.
        ///   - ephemeral: The client for ephemeral requests. If there is none, which is the
        ///     default, they throw `.unsupported`; so do requests of sessions with a name, which
        ///     need a transport with clients of its own.
        public init(client: HTTPClient, ephemeral: HTTPClient? = nil) {
            clients = Clients(common: client, ephemeral: ephemeral)
        }

        /// Ends the exchanges under way with `.cancelled`, closes the connections and returns when
        /// they are closed. Sending afterwards throws `.other`. Does nothing the second time, nor
        /// to clients of the caller. A program that ends need not call it.
        public func shutdown() async { await clients.shutdown() }

        /// The one of the system.
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
        /// The transport that all who ask share. It is never shut down by itself.
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
