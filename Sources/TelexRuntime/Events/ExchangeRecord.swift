#if canImport(FoundationEssentials)
    public import FoundationEssentials
#else
    public import Foundation
#endif

/// One request and what became of it, as people may see it.
public struct ExchangeRecord: Sendable, Hashable {
    /// What was sent.
    public var request: RequestRecord
    /// What came back; nil if no head of a reply did.
    public var reply: ReplyRecord?
    /// Why the exchange broke off; nil if it did not.
    public var failure: TransportError?
    /// When the request was handed to the transport.
    public var start: Date
    /// How long things took.
    public var timings: ExchangeTimings

    /// Makes a record of what has no secrets.
    public init(
        request: RequestRecord, reply: ReplyRecord? = nil, failure: TransportError? = nil,
        start: Date,
        timings: ExchangeTimings = ExchangeTimings()
    ) {
        self.request = request
        self.reply = reply
        self.failure = failure
        self.start = start
        self.timings = timings
    }
}

/// What came back, as people may see it.
public struct ReplyRecord: Sendable, Hashable {
    /// The HTTP status.
    public var status: Int
    /// The header fields, in their order.
    public var fields: [RecordField]
    /// How many bytes of body were received, after decompression.
    public var size: Int
    /// Whether the body was received to its end; a body that nobody wanted was not.
    public var isComplete: Bool
    /// The text of the body; nil if no listener asked for it, if it is no text, or if nobody can know
    /// what in it is secret: of downloads and streams, and of a method that returns JSON, a body that
    /// is no JSON or has more bytes than any listener wants. See ``APIEventListener/bodyLimit``.
    public var text: String?
    /// Whether more was received than ``text`` shows. `false` by default.
    public var isTextCut: Bool

    /// Makes a record of what has no secrets.
    public init(
        status: Int, fields: [RecordField] = [], size: Int = 0, isComplete: Bool = true,
        text: String? = nil, isTextCut: Bool = false
    ) {
        self.status = status
        self.fields = fields
        self.size = size
        self.isComplete = isComplete
        self.text = text
        self.isTextCut = isTextCut
    }

    /// The MIME type of the body, as the server says.
    public var type: String? { fields["content-type"] }
}

/// How long the phases of an exchange took. All but ``queued`` are counted from the moment at which
/// the request was handed to the transport.
public struct ExchangeTimings: Sendable, Hashable {
    /// How long the operation waited before this attempt: for its turn, for the time between
    /// attempts, for a new credential. Zero for all but the first exchange of an attempt.
    public var queued: Duration
    /// When the last byte of the request's body was sent; nil if there was none, or the transport
    /// does not tell.
    public var sent: Duration?
    /// When the head of the reply was there; nil if none came.
    public var firstByte: Duration?
    /// When the exchange ended: the last byte of the reply, or the failure.
    public var lastByte: Duration

    /// No time at all by default.
    public init(
        queued: Duration = .zero, sent: Duration? = nil, firstByte: Duration? = nil,
        lastByte: Duration = .zero
    ) {
        self.queued = queued
        self.sent = sent
        self.firstByte = firstByte
        self.lastByte = lastByte
    }
}
