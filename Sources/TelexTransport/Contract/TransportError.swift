/// The reason why an exchange did not complete. The kind is for programs, the message for people.
public struct TransportError: Error, Sendable, Hashable {
    /// What went wrong, the same on every platform and transport.
    public enum Kind: Sendable, Hashable {
        /// The task was cancelled, or the reply was dropped before its end.
        case cancelled
        /// This device has no network.
        case offline
        /// The host name has no address.
        case nameNotFound
        /// No connection could be made: refused or unreachable.
        case cannotConnect
        /// The connection ended before the head of the reply was complete, or it was closed because
        /// the reader left too many bytes unread (`readerHeld`).
        case connectionLost
        /// Nothing was sent or received for as long as the request allows.
        case timedOut
        /// TLS failed: certificate or handshake. A connection that breaks during the handshake may
        /// be `.connectionLost`, if the transport cannot detect in which phase it broke.
        case tls
        /// The body ended early: `received` bytes of `expected`; `expected` is `nil` if the reply
        /// did not declare its length (chunked).
        case truncated(received: Int, expected: Int?)
        /// The body of the reply is larger than `limit` bytes.
        case tooLarge(limit: Int)
        /// The request cannot be sent as it is: no valid address, a header field with a control
        /// character, a body that cannot be read.
        case invalidRequest
        /// The transport cannot do what the request asks.
        case unsupported
        /// None of the above; the message has details.
        case other

        /// Whether the network has failed, so that the same request may succeed later.
        package var isOfNetwork: Bool {
            switch self {
            case .offline, .nameNotFound, .cannotConnect, .connectionLost, .timedOut, .truncated,
                .other:
                true
            case .cancelled, .tls, .tooLarge, .invalidRequest, .unsupported: false
            }
        }
    }

    /// What went wrong.
    public var kind: Kind
    /// A phrase for a developer that describes the failure; holds no header values and no body.
    public var message: String

    /// Makes an error.
    public init(_ kind: Kind, _ message: String) {
        self.kind = kind
        self.message = message
    }

    /// The task was cancelled.
    public static let cancelled = TransportError(.cancelled, "the exchange was cancelled")

    /// The connection was closed because a slow or suspended reader left too many bytes unread. See
    /// `TransportRequest.maximumUnreadBytes`.
    public static let readerHeld = TransportError(
        .connectionLost,
        "the connection was closed, because the reader left too many bytes unread")

    /// The connection ended before a complete head of the reply.
    public static let noHead = TransportError(
        .connectionLost, "the connection ended before the head of the reply was complete")

    /// The received bytes are no valid HTTP reply.
    public static let invalidReply = TransportError(.other, "the reply is not valid HTTP")

    /// A streamed body has a second reader.
    public static let secondReader = TransportError(
        .unsupported, "the body of a reply can have only one reader")

    /// Nothing was sent or received for as long as `TransportRequest.timeout` allows.
    public static func timedOut(after timeout: Duration) -> TransportError {
        TransportError(.timedOut, "nothing was sent or received for \(timeout)")
    }

    /// The reply is larger than `limit` bytes.
    public static func tooLarge(limit: Int) -> TransportError {
        TransportError(.tooLarge(limit: limit), "the reply is larger than \(limit) bytes")
    }

    /// The body ended after `received` of `expected` bytes; `nil` if the length was not declared.
    public static func truncated(received: Int, expected: Int?) -> TransportError {
        let promise = expected.map { " of \($0)" } ?? ""
        return TransportError(
            .truncated(received: received, expected: expected),
            "the reply ended after \(received)\(promise) bytes")
    }
}

extension TransportError: CustomStringConvertible {
    /// The message.
    public var description: String { message }
}
