import Foundation
import TelexTransport

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

/// Sends requests with Foundation's `URLSession`.
///
/// There is one `URLSession` for each session of the requests. They live as long as the transport;
/// connections are kept and used again. No cookie is stored and nothing is cached unless `configure`
/// asks for it, and in an ephemeral session not even then.
///
/// What to know about it:
/// - Header fields of a reply that came more than once are joined with `, `; on Linux, of those whose
///   names differ in capital letters only one is left.
/// - `GET` and `HEAD` requests with a body throw `.unsupported`.
/// - A body of several parts with files, or a stream, is first written to a temporary file. A stream
///   that does not heed the cancellation of its task is asked for bytes no more, and outlives the
///   exchange until it has answered; the file is removed then.
/// - Waiting for one of the connections that a session may have to a host is no silence. It counts for
///   the time of an attempt and of a call. The requests that began first are taken to have them, since
///   Foundation does not tell.
/// - Waiting for a network is silence, as connecting is: a session whose `configure` sets
///   `waitsForConnectivity` (Apple's platforms) waits as long as the silence of its calls may last,
///   60 seconds by default, and then they end in `.timedOut`. Give calls that are to wait longer a longer
///   `Timeouts.silence`. A background session is the system's, and always waits.
/// - A file that is a whole body is read by Foundation. If it was written to, or another one has its
///   place, before all of it is sent and answered, the exchange ends in `.invalidRequest`.
/// - Foundation adds `Accept`, `Accept-Encoding`, `Accept-Language` and `User-Agent` where they are
///   not set, and percent-encodes characters of the path that RFC 3986 does not allow.
/// - Whom to trust is the system's business, or that of a ``TrustRule``, on Apple's platforms: one
///   that pins certificates, or shows some of the client's own. Foundation on Linux asks nobody.
/// - Transfers of background sessions are the system's on Apple platforms: it follows redirects by
///   itself, measures silence itself and may send an upload again. Header fields that may hold a
///   secret, and bodies that do, throw `.unsupported` there. The page on transfers says more;
///   elsewhere such a session is like any other.
/// - On Linux a reply cannot be held back: what the reader has not taken yet is in memory, at
///   most `maximumReplyBytes` (of the body of a redirect: however much comes). Where the request has
///   `maximumUnreadBytes`, as those of downloads have while they are suspended, the connection is
///   given up when more wait, with `.readerHeld` after them; what is on its way by then comes on top.
///   The body of a redirect without `Location` reads as empty there.
/// - On Linux a request that may not be done twice, such as a `POST` or `PATCH` without a key
///   (`TransportRequest.hasIdempotencyKey`), makes a connection of its own: if a kept connection ended
///   without a reply, libcurl would send it a second time, or at least its head, to which a server may
///   act. So one such `POST` after another pays for a connection each, with TLS for a handshake too; one
///   with a key, or a transport over AsyncHTTPClient, need not. Of such requests, a session has as many
///   at a time as it may have connections to a host, and they are not counted with its others.
/// - On Linux only the words of an error tell whether a connection was made, where one address of a
///   host refuses and another accepts. Those that are not known are of one that was lost
///   (`.connectionLost`), so that nothing is sent twice.
/// - On Linux a head with tens of thousands of fields keeps Foundation busy for seconds or minutes. No
///   other request of the process is sent meanwhile, by whatever transport of this kind; calls that
///   wait for that still end when their time is over or they are cancelled. It counts for the time of
///   an attempt and of a call, and is no silence.
/// - On Linux, what lies below has faults that cannot be mended from here. A server that closes
///   the connection in the middle of a head ends the process (swift-corelibs-foundation #5286, in
///   Swift 6.3 and before), and so does one that sends fields after a body in chunks, or redirects to
///   an address like `//%5B/`. So can one that resets a connection, very rarely: libdispatch may then
///   finish what watches the socket twice, and traps. A head with a field without a space behind its
///   colon, or with bytes that are no UTF-8, is refused (`.other`). Bytes that a server sends after a reply,
///   unasked, may be taken for the next reply (libcurl 7.88). Compressed data whose end is missing
///   reads as if it were whole. Each request costs about 150 bytes that Foundation never frees. Talk
///   to servers that you do not trust with another transport.
public final class URLSessionTransport: Transport {
    /// Changes the configuration of a session.
    ///
    /// - Parameters:
    ///   - configuration: What is to be changed.
    ///   - session: The session that it is for: `.shared`, `.ephemeral`, or one that the API's
    ///     description has, by its `name`.
    public typealias Configure =
        @Sendable (
            _ configuration: URLSessionConfiguration, _ session: TransportSession
        ) -> Void

    private let sessions: Sessions
    private let silence = SilenceWatch()

    /// Makes a transport with sessions of its own.
    ///
    /// - Parameters:
    ///   - background: How background sessions are treated.
    ///   - configure: Changes the configuration of each of its sessions: caches, proxies, cellular
    ///     access, connections per host where the request's session has no number of its own. Called
    ///     when a session is first needed, perhaps by several tasks at once, and on Linux for each
    ///     connection that is made for one request. Cookies, caches and credentials of an ephemeral
    ///     session stay off whatever it does.
    ///   - trust: Decides whom to trust; the system by default, and always on Linux.
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

    /// The one of the system; nil on watchOS, which lets apps make no connections of their own, so that
    /// a probe would find every network broken.
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
            request, upload, session: sessions.session(for: request), silence: silence)
        exchange.start(urlRequest, upload, for: self)
        let head = try await exchange.head()
        return TransportReply(
            head: head.response,
            body: ReplyBody(
                length: head.length, cancel: { exchange.cancel() },
                next: { () async throws(TransportError) in try await exchange.nextChunk() }))
    }

    /// Waits until the system has told what became of a background session's transfers while the
    /// app was not there; call it where the system says that there is news:
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
    /// Replies that no call waits for are on disk then, for the same call when it is made again.
    ///
    /// - Parameter identifier: What the system calls the session.
    /// - Returns: `false` at once if the session is not one of this transport, or if the platform has
    ///   no background sessions.
    @discardableResult
    public func handleBackgroundEvents(ofSession identifier: String) async -> Bool {
        guard let session = sessions.background(identifiedBy: identifier) else { return false }
        await session.waitForEvents()
        return true
    }

    /// Forgets what background sessions hold for calls that may be made again: ends the transfers
    /// that no call waits for, and removes the replies on disk that no call reads. For when somebody
    /// logs out:
    ///
    /// ```swift
    /// try await gallery.logOut(gallery.account.signOut())
    /// await transport.forgetBackgroundTransfers()
    /// ```
    ///
    /// Calls under way are left alone; end them before (`cancelAll()`). So is what other transports
    /// hold.
    public func forgetBackgroundTransfers() async {
        for session in sessions.allBackground() { await session.forget() }
    }

    fileprivate static let shared = URLSessionTransport()
}

extension Transport where Self == URLSessionTransport {
    /// The transport that all who ask share.
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
