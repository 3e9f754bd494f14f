import HTTPTypes

/// Sends one request and streams one reply. Nothing more: redirects, retries, credentials, cookies
/// and suspension belong to the engine, so that every transport can be small and behave alike.
///
/// What every transport promises:
/// - a redirect (3xx) is returned like any other reply and never followed;
/// - a reply of any status is a reply, not an error;
/// - requests of different sessions share no connection, and a session has no more connections to a
///   host at a time than it may have;
/// - no cookie is stored or added, and no reply is cached;
/// - no header is dropped or changed: a request that cannot be sent as it is throws
///   `.invalidRequest`;
/// - a body that comes over a network compressed with `gzip` is decompressed; its `length` is `nil`, and
///   what is counted is what comes out;
/// - a body shorter than the reply declared ends in `.truncated`, never as if it were complete;
/// - a reply whose length is contradictory or no number throws `.other` (RFC 9112, 6.3);
/// - a request is sent once: only what may be done twice (RFC 9110, 9.2.2) may be sent again when a
///   connection that was used before turns out to be closed;
/// - a body larger than the request allows ends in `.tooLarge`, thrown by the body, so that the
///   head of the reply is known even then;
/// - cancelling the task that waits ends the exchange at once with `.cancelled`.
///
/// Where the system carries out the transfers of a background session, it follows redirects and
/// sends again as it sees fit; such a transport says how it keeps credentials out of that.
public protocol Transport: Sendable {
    /// Sends `request` and returns once the head of the reply is there. The body is read from the
    /// reply afterwards; dropping the reply unread ends the exchange.
    ///
    /// - Throws: A `TransportError` if no complete head arrived. Errors after the head are thrown
    ///   by the body of the reply.
    func send(_ request: TransportRequest) async throws(TransportError) -> TransportReply

    /// What finds out how far the network reached after a failure; nil, the default, for a transport
    /// without a network of its own.
    var probe: ReachabilityProbe? { get }
}

extension Transport {
    /// None.
    public var probe: ReachabilityProbe? { nil }
}

/// Everything a transport has to know to send one request.
public struct TransportRequest: Sendable {
    /// Method, scheme, authority, path with query, and header fields.
    public var head: HTTPRequest
    /// What is sent after the head; `nil` sends no body.
    public var body: RequestBody?
    /// The longest silence: how long the exchange may go without a byte sent or received, the
    /// time to connect included. The time a reader of the body takes does not count. 60 seconds
    /// by default; `.timedOut` afterwards.
    public var timeout: Duration
    /// How many bytes of body the reply may have, after decompression. 16 MiB by default;
    /// `.tooLarge` as soon as more are declared or arrive.
    public var maximumReplyBytes: Int
    /// Which connections it may use: it shares none with requests of other sessions. `.shared` by
    /// default.
    public var session: TransportSession
    /// Told how many bytes of the body have been sent so far, each time that grows. Must not
    /// block. `nil` by default.
    public var onBodySent: (@Sendable (_ bytes: Int) -> Void)?
    /// How many bytes of the reply may wait for their reader at this moment; `nil`, which is the
    /// default and also what it may return, is no bound. For a transport that cannot hold a
    /// connection back while the reader does not read: asked whenever bytes arrive. If more wait, it
    /// gives the connection up; the body hands out what has arrived and then throws
    /// `TransportError.readerHeld`. Others need not ask. Said of downloads to disk, which can go on
    /// from there, while they are suspended. Must not block.
    public var maximumUnreadBytes: (@Sendable () -> Int?)?
    /// Whether the body holds what only the server that it is addressed to may get. `false` by
    /// default. Said of requests of background sessions, whose redirects nobody asks the engine
    /// about: a transport that cannot keep them from carrying the body on throws `.unsupported`
    /// before it sends anything.
    public var hasSecretBody = false
    /// The header fields of which the same is true. Empty by default; never `Authorization`.
    public var secretFields: Set<HTTPField.Name> = []
    /// Whether it has a key by which its server knows it again, so that it may arrive twice with the
    /// effect of once though its method does not say so. `false` by default.
    public var hasIdempotencyKey = false

    /// Makes a request.
    public init(
        head: HTTPRequest,
        body: RequestBody? = nil,
        timeout: Duration = .seconds(60),
        maximumReplyBytes: Int = 16_777_216,
        session: TransportSession = .shared,
        onBodySent: (@Sendable (_ bytes: Int) -> Void)? = nil,
        maximumUnreadBytes: (@Sendable () -> Int?)? = nil
    ) {
        self.head = head
        self.body = body
        self.timeout = timeout
        self.maximumReplyBytes = maximumReplyBytes
        self.session = session
        self.onBodySent = onBodySent
        self.maximumUnreadBytes = maximumUnreadBytes
    }
}

/// What came back: the head at once, the body as it arrives.
public struct TransportReply: Sendable {
    /// Status and header fields.
    public var head: HTTPResponse
    /// The body, to be read once.
    public var body: ReplyBody

    /// Makes a reply.
    public init(head: HTTPResponse, body: ReplyBody = ReplyBody([])) {
        self.head = head
        self.body = body
    }
}
