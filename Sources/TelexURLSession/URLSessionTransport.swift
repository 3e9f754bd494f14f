import Foundation
import TelexTransport

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

/// Sends requests with Foundation's `URLSession`.
///
/// There is one `URLSession` for each session of the requests. They live as long as the transport;
/// connections are kept and reused. No cookie is stored and nothing is cached unless `configure`
/// enables it, and in an ephemeral session not even then.
///
/// Properties and limits:
/// - Header fields of a reply that occur more than once are joined with `, `; on Linux, of those
///   whose names differ only in case, one is left.
/// - `GET` and `HEAD` requests with a body throw `.unsupported`.
/// - A body of several parts with files, or a stream, is first written to a temporary file. A
///   stream that ignores the cancellation of its task is not read further, but outlives the
///   exchange until its pending read returns; the file is removed then.
/// - Waiting for one of the connections that a session may have to a host does not count for the
///   idle time-out, but for the time of an attempt and of a call. The requests that started first
///   are assumed to have them, because Foundation does not report it.
/// - Waiting for a network counts for the idle time-out, as connecting does: a session whose
///   `configure` sets `waitsForConnectivity` (Apple's platforms) waits until the idle time-out of
///   its calls, 60 seconds by default, and then they end in `.timedOut`. Give calls that should
///   wait longer a longer `Timeouts.silence`. A background session belongs to the system, and
///   always waits.
/// - A file that is a whole body is read by Foundation. If it is changed or replaced before all of
///   it is sent and answered, the exchange ends in `.invalidRequest`.
/// - Foundation adds `Accept`, `Accept-Encoding`, `Accept-Language` and `User-Agent` where they are
///   not set, and percent-encodes characters of the path that RFC 3986 does not allow.
/// - The system decides about trust. On Apple's platforms a ``TrustRule`` can decide instead: for
///   certificate pinning, or for client certificates. Foundation on Linux does not support it.
/// - The system performs the transfers of background sessions on Apple platforms: it follows
///   redirects, measures the idle time-out itself and may send an upload again. Header fields that
///   may hold a secret, and bodies that do, throw `.unsupported` there. See the page on transfers.
///   On other platforms such a session is like any other.
/// - On Linux a connection cannot be paused. While more than 4 MiB of a reply are unread, each
///   piece of up to 16 KiB waits for 10 ms, and so do other exchanges. With 64 MiB unread, the
///   connection is closed; after these bytes the body throws `.readerHeld`. Only a reader that takes
///   less than 1.6 MB/s for long gets there. If the request has `maximumUnreadBytes`, as those of
///   suspended downloads have, its bound replaces these. The body of a redirect is collected by
///   Foundation, without a bound until the idle time-out ends it; without `Location` it reads as
///   empty. While several servers send without end at the same time, libcurl ends a cancelled
///   request late, after up to half a minute: its bytes are dropped, and other calls wait. A server
///   that faces clients it does not trust needs `TelexAsyncHTTPClient`.
/// - On Linux a request that is not idempotent and has no key
///   (`TransportRequest.isRepeatable`), such as a plain `POST` or `PATCH`, uses a new
///   connection: if a kept connection ended without a reply, libcurl would send the request a
///   second time, or at least its head, and the server might act on it. So each such `POST` pays
///   for a connection, with TLS for a handshake too. A request with a key, or a transport over
///   AsyncHTTPClient, avoids that. A session has at most as many such requests at a time as it may
///   have connections to a host, and counts them apart from its others.
/// - On Linux only the message of an error reveals whether a connection was made, if one address of
///   a host refuses and another accepts. Unknown messages are treated as a lost connection
///   (`.connectionLost`), so that nothing is sent twice.
/// - On Linux a head with tens of thousands of fields blocks Foundation for seconds or minutes.
///   During that time no other request of the process is sent by any transport of this kind;
///   waiting calls still end at their deadline or when they are cancelled. That time counts for an
///   attempt and a call, but not for the idle time-out.
/// - On Linux, the layers below have faults that this transport cannot correct. A server that
///   closes the connection in the middle of a head ends the process (swift-corelibs-foundation
///   #5286, in Swift 6.3 and earlier), and so does one that sends fields after a chunked body, or
///   redirects to an address like `//%5B/`. A connection reset can end it too, very rarely:
///   libdispatch may then finish the socket's watcher twice, and trap. A head with a field without
///   a space after its colon, or with bytes that are not UTF-8, is refused (`.other`). Unrequested
///   bytes that a server sends after a reply may be read as the next reply (libcurl 7.88).
///   Compressed data without its end reads as if it were complete. Each request costs about 150
///   bytes that Foundation never frees. Use another transport for servers that you do not trust.
public final class URLSessionTransport: Transport {
    /// Changes the configuration of a session.
    ///
    /// - Parameters:
    ///   - configuration: The configuration to change.
    ///   - session: The session that it is for: `.shared`, `.ephemeral`, or one of the API's
    ///     description, by its `name`.
    public typealias Configure =
        @Sendable (
            _ configuration: URLSessionConfiguration, _ session: TransportSession
        ) -> Void

    private let sessions: Sessions
    private let silence = IdleTimeoutMonitor()

    /// Makes a transport with sessions of its own.
    ///
    /// - Parameters:
    ///   - background: The settings of background sessions.
    ///   - configure: Changes the configuration of each of its sessions: caches, proxies, cellular
    ///     access, connections per host where the request's session specifies no number. Called
    ///     when a session is first needed, perhaps by several tasks at once, and on Linux for each
    ///     connection that is made for a single request. Cookies, caches and credentials of an
    ///     ephemeral session stay off in any case.
    ///   - trust: Decides about trust; the system by default, and always on Linux.
    public convenience init(
        background: BackgroundTransfers = BackgroundTransfers(),
        configure: @escaping Configure = { _, _ in },
        trust: TrustRule? = nil
    ) {
        self.init(background: background, system: .current, configure: configure, trust: trust)
    }

    init(
        background: BackgroundTransfers, system: BackgroundSystem?,
        configure: @escaping Configure = { _, _ in },
        trust: TrustRule? = nil
    ) {
        sessions = Sessions(
            background: background, system: system, trust: trust, configure: configure)
    }

    deinit { sessions.finish() }

    /// The system's probe; nil on watchOS, where apps may not open connections themselves, so that
    /// a probe would report every network as broken.
    public var probe: ReachabilityProbe? {
        #if os(watchOS)
            nil
        #else
            .system
        #endif
    }

    /// Sends `request`. See `Transport`.
    ///
    /// - Throws: A `TransportError` if no complete head arrived.
    public func send(_ request: TransportRequest) async throws(TransportError) -> TransportReply {
        if Task.isCancelled { throw .cancelled }
        if let session = sessions.background(for: request) {
            return try await session.send(request)
        }
        let urlRequest = try URLRequest(checking: request)
        let upload = try await Upload(request.body, timeout: request.timeout)
        let exchange = SessionExchange(
            request, upload: upload, session: sessions.session(for: request), idleTimeouts: silence)
        exchange.start(urlRequest, upload: upload, for: self)
        let head = try await exchange.head()
        return TransportReply(
            head: head.response,
            body: ReplyBody(
                length: head.length, cancel: { exchange.cancel() },
                next: { () async throws(TransportError) in try await exchange.nextChunk() }))
    }

    /// Waits until the system has delivered the events of a background session's transfers that
    /// occurred while the app was not running. Call it where the system announces such events:
    ///
    /// ```swift
    /// func application(
    ///     _ application: UIApplication,
    ///     handleEventsForBackgroundURLSession identifier: String,
    ///     completionHandler: @escaping () -> Void
    /// ) {
    ///     Task {
    ///         await URLSessionTransport.urlSession.handleBackgroundEvents(ofSession: identifier)
    ///         completionHandler()
    ///     }
    /// }
    /// ```
    ///
    /// Replies that no call awaits are then on disk, for the same call when it is made again.
    ///
    /// - Parameter identifier: The system's identifier of the session.
    /// - Returns: `false` at once if the session does not belong to this transport, or if the
    ///   platform has no background sessions.
    @discardableResult
    public func handleBackgroundEvents(ofSession identifier: String) async -> Bool {
        guard let session = sessions.background(identifiedBy: identifier) else { return false }
        await session.waitForEvents()
        return true
    }

    /// Discards what background sessions keep for calls that may be made again: cancels the
    /// transfers that no call awaits, and removes the replies on disk that no call reads. Use it
    /// when a user logs out:
    ///
    /// ```swift
    /// try await gallery.logOut(gallery.account.signOut())
    /// await transport.forgetBackgroundTransfers()
    /// ```
    ///
    /// Calls in progress are not affected; cancel them before (`cancelAll()`). Other transports are
    /// not affected either.
    public func forgetBackgroundTransfers() async {
        for session in sessions.allBackground() { await session.forget() }
    }

    fileprivate static let shared = URLSessionTransport()
}

extension Transport where Self == URLSessionTransport {
    /// The shared transport.
    public static var urlSession: URLSessionTransport { URLSessionTransport.shared }

    /// A transport with sessions of its own. See `URLSessionTransport`.
    ///
    /// ```swift
    /// let transport: any Transport = .urlSession { configuration, session in
    ///     if session.name == "images" { configuration.urlCache = URLCache.shared }
    /// }
    /// ```
    public static func urlSession(
        configure: @escaping URLSessionTransport.Configure
    ) -> URLSessionTransport {
        URLSessionTransport(configure: configure)
    }
}
