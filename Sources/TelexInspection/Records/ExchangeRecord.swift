import TelexTransport

#if canImport(FoundationEssentials)
    public import FoundationEssentials
#else
    public import Foundation
#endif

/// A request and its outcome, without secrets.
public struct ExchangeRecord: Sendable, Hashable {
    /// The request.
    public var request: RequestRecord
    /// The reply; `nil` if no reply head was received.
    public var reply: ReplyRecord?
    /// The error that ended the exchange; `nil` if it completed.
    public var failure: TransportError?
    /// The time at which the request was handed to the transport.
    public var start: Date
    /// The durations of the phases.
    public var timings: ExchangeTimings

    /// Makes a record. Values are not redacted, so they must not contain secrets.
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

/// A reply, without secrets.
public struct ReplyRecord: Sendable, Hashable {
    /// The HTTP status code.
    public var status: Int
    /// The header fields, in the order received.
    public var fields: [RecordField]
    /// The number of body bytes received, after decompression.
    public var size: Int
    /// Whether the body was received to its end; `false` if the rest of it was discarded.
    public var isComplete: Bool
    /// The text of the body, which is valid JSON, a form or plain text. `nil` for another body, for
    /// one that did not arrive whole, for downloads and streams, and if no listener asked for a body
    /// of this size. See ``APIEventListener/bodyLimit``.
    public var text: String?

    /// Makes a record. Values are not redacted, so they must not contain secrets.
    public init(
        status: Int, fields: [RecordField] = [], size: Int = 0, isComplete: Bool = true,
        text: String? = nil
    ) {
        self.status = status
        self.fields = fields
        self.size = size
        self.isComplete = isComplete
        self.text = text
    }

    /// The MIME type of the body, from its `Content-Type` field.
    public var type: String? { fields["content-type"] }
}

/// The durations of the phases of an exchange. All except ``queued`` are measured from the moment
/// at which the request was handed to the transport.
public struct ExchangeTimings: Sendable, Hashable {
    /// The time for which the operation waited before this attempt: in the queue, for a retry
    /// delay, for a new credential. Zero for all but the first exchange of an attempt.
    public var queued: Duration
    /// The time until the last byte of the request's body was sent; `nil` if there was no body, or
    /// if the transport does not report it.
    public var sent: Duration?
    /// The time until the reply head was received; `nil` if none was.
    public var firstByte: Duration?
    /// The time until the exchange ended, with the last byte of the reply or with the failure.
    public var lastByte: Duration

    /// Makes timings; all are zero or unknown by default.
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
