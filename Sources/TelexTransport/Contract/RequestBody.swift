/// The body of a request. Its bytes need not be in memory.
public enum RequestBody: Sendable {
    /// Bytes in memory.
    case bytes([UInt8])
    /// The file at `path`, streamed; `length` is its size in bytes. Sending throws
    /// `.invalidRequest` if the file cannot be read, has another size when it is sent, or changes
    /// while it is sent.
    case file(path: String, length: Int)
    /// Parts sent one after the other with nothing in between. A multipart body is such a body: its
    /// boundaries and part headers are `.bytes`, its files `.file` or `.stream`.
    case parts([Part])
    /// Bytes produced while they are sent; `next` returns `nil` at the end. `length` is their
    /// number, if known. A stream can be sent only once; `send` throws the errors of `next`.
    case stream(
        length: Int?, next: @Sendable () async throws(TransportError) -> [UInt8]?)

    /// A piece of a body that consists of several.
    public enum Part: Sendable {
        /// Bytes in memory.
        case bytes([UInt8])
        /// The file at `path`, `length` bytes long.
        case file(path: String, length: Int)
        /// `length` bytes produced while they are sent, as in ``RequestBody/stream(length:next:)``.
        case stream(
            length: Int, next: @Sendable () async throws(TransportError) -> [UInt8]?)

        /// The length of the part in bytes.
        public var length: Int {
            switch self {
            case .bytes(let bytes): bytes.count
            case .file(_, let length): length
            case .stream(let length, _): length
            }
        }
    }

    /// The number of bytes to send; `nil` if it is unknown (a stream).
    public var length: Int? {
        switch self {
        case .bytes(let bytes): bytes.count
        case .file(_, let length): length
        case .parts(let parts):
            // The sum may overflow, because a stream may declare any length.
            parts.reduce(0) { sum, part in
                let (all, overflows) = sum.addingReportingOverflow(part.length)
                return overflows ? .max : all
            }
        case .stream(let length, _): length
        }
    }

    /// Whether the body can be sent again after a failed attempt. A stream cannot, nor can parts
    /// that contain a stream.
    public var isReplayable: Bool {
        switch self {
        case .bytes, .file: true
        case .parts(let parts):
            parts.allSatisfy { if case .stream = $0 { false } else { true } }
        case .stream: false
        }
    }
}
