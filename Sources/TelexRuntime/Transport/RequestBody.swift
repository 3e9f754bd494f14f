/// The body of a request. Its bytes need not be in memory.
public enum RequestBody: Sendable {
    /// Bytes in memory.
    case bytes([UInt8])
    /// The file at `path`, streamed; `length` is its size in bytes. If the file cannot be read, has
    /// another size when it is sent or changes while it is, sending throws `.invalidRequest`.
    case file(path: String, length: Int)
    /// Parts sent one after the other with nothing in between. A multipart body is one: its
    /// boundaries and part headers are `.bytes`, its files `.file` or `.stream`.
    case parts([Part])
    /// Bytes made while they are sent; `next` returns `nil` at the end. `length` is their number
    /// if it is known. Can be sent once only; an error of `next` is thrown by `send`.
    case stream(
        length: Int?, next: @Sendable () async throws(TransportError) -> [UInt8]?)

    /// A piece of a body made of several.
    public enum Part: Sendable {
        /// Bytes in memory.
        case bytes([UInt8])
        /// The file at `path`, `length` bytes long.
        case file(path: String, length: Int)
        /// `length` bytes made while they are sent, as ``RequestBody/stream(length:next:)``.
        case stream(
            length: Int, next: @Sendable () async throws(TransportError) -> [UInt8]?)

        /// How many bytes the part has.
        public var length: Int {
            switch self {
            case .bytes(let bytes): bytes.count
            case .file(_, let length): length
            case .stream(let length, _): length
            }
        }
    }

    /// How many bytes will be sent; `nil` if that is not known beforehand (a stream).
    public var length: Int? {
        switch self {
        case .bytes(let bytes): bytes.count
        case .file(_, let length): length
        case .parts(let parts):
            // What a stream promises may be any number.
            parts.reduce(0) { sum, part in
                let (all, overflows) = sum.addingReportingOverflow(part.length)
                return overflows ? .max : all
            }
        case .stream(let length, _): length
        }
    }

    /// Whether the body can be sent again after a failed attempt. A stream cannot, nor can parts
    /// among which one is.
    public var isReplayable: Bool {
        switch self {
        case .bytes, .file: true
        case .parts(let parts):
            parts.allSatisfy { if case .stream = $0 { false } else { true } }
        case .stream: false
        }
    }
}
