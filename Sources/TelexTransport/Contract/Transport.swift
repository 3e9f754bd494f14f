import HTTPTypes

/// Sends one request and streams one reply. Redirects, retries, credentials, cookies and suspension
/// belong to the engine, so that transports stay small and behave alike.
///
/// What every transport promises:
/// - a redirect (3xx) is returned like any other reply and never followed;
/// - a reply of any status is a reply, not an error;
/// - requests of different sessions share no connection, and a session does not exceed its number
///   of connections to a host;
/// - no cookie is stored or added, and no reply is cached;
/// - no header is dropped or changed: a request that cannot be sent as it is throws
///   `.invalidRequest`;
/// - a body that comes over a network compressed with `gzip` is decompressed; its `length` is
///   `nil`, and decompressed bytes are counted;
/// - a body shorter than the reply declared ends in `.truncated`, never as if it were complete, and
///   so does compressed data without its end, unless the library below hides that (`URLSession` on
///   Linux: only the declared length of such a body is checked);
/// - a reply whose length is contradictory or not a number throws `.other` (RFC 9112, 6.3);
/// - a request is sent once: only when a reused connection turns out to be closed before a byte of
///   the reply came, it is sent again, if it is idempotent (RFC 9110, 9.2.2), if it has an
///   idempotency key, or if the server cannot have all of it;
/// - a body larger than the request allows ends in `.tooLarge`, thrown by the body, so that the
///   head of the reply is known even then;
/// - cancelling the waiting task ends the exchange at once with `.cancelled`.
///
/// Where the system performs the transfers of a background session, it follows redirects and sends
/// again at its own discretion; such a transport documents how it protects credentials then.
public protocol Transport: Sendable {
    /// Sends `request` and returns when the head of the reply has arrived. The body is read from
    /// the reply afterwards; releasing the reply unread ends the exchange.
    ///
    /// - Throws: A `TransportError` if no complete head arrived. Errors after the head are thrown
    ///   by the body of the reply.
    func send(_ request: TransportRequest) async throws(TransportError) -> TransportReply

    /// The probe that finds out how far the network reached after a failure; nil, the default, for
    /// a transport without a network of its own.
    var probe: ReachabilityProbe? { get }
}

extension Transport {
    /// No probe.
    public var probe: ReachabilityProbe? { nil }
}

/// All that a transport needs to send one request.
public struct TransportRequest: Sendable {
    /// Method, scheme, authority, path with query, and header fields.
    public var head: HTTPRequest
    /// The body to send; `nil` sends none.
    public var body: RequestBody?
    /// The idle time-out: how long the exchange may go without a byte sent or received, the time to
    /// connect included. The time that the reader of the body takes does not count. 60 seconds by
    /// default; `.timedOut` afterwards.
    public var timeout: Duration
    /// The largest reply body in bytes, after decompression. 16 MiB by default; `.tooLarge` as soon
    /// as more are declared or arrive.
    public var maximumReplyBytes: Int
    /// The session whose connections the request uses. `.shared` by default.
    public var session: TransportSession
    /// Called with the number of body bytes sent so far, each time it grows. Must not block. `nil`
    /// by default.
    public var onBodySent: (@Sendable (_ bytes: Int) -> Void)?
    /// Called when the transport sends the request again on another connection, because a kept one
    /// turned out to be closed; `onBodySent` then begins anew. Must not block. `nil` by default.
    public var onRepeat: (@Sendable (_ error: TransportError) -> Void)?
    /// The number of received bytes that may be unread at this moment; `nil`, which is the default
    /// and also a valid result, means no bound. For a transport that cannot apply back-pressure to
    /// a connection: called whenever bytes arrive. If more are unread, the transport closes the
    /// connection; the body returns what has arrived and then throws `TransportError.readerHeld`.
    /// Other transports need not call it. Set for downloads to disk, which can continue from there,
    /// while they are suspended. Must not block.
    public var maximumUnreadBytes: (@Sendable () -> Int?)?
    /// Whether the body contains secrets for the addressed server only. `false` by default. Set for
    /// requests of background sessions, whose redirects the engine cannot check: a transport that
    /// cannot keep redirects from forwarding the body throws `.unsupported` before it sends
    /// anything.
    public var hasSecretBody = false
    /// The header fields that contain such secrets. Empty by default; never `Authorization`.
    public var secretFields: Set<HTTPField.Name> = []
    /// Whether the request may be sent twice although its method is not idempotent: it has an
    /// idempotency key, or only reads. `false` by default.
    public var isRepeatable = false

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

/// The reply to a request: its head at once, its body as it arrives.
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
