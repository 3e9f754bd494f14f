import TelexRequests
import TelexTransport

/// Splits a stream into the bytes of its elements.
struct StreamDecoder: Sendable {
    /// One element.
    struct Element: Sendable {
        var bytes: [UInt8]
        /// The last event ID after this element, including its own; empty for none.
        var id = ""
    }

    // Exactly one of the two is set. It is mutated in place, because copying its buffer with each
    // chunk would make long elements take quadratic time.
    private var events: ServerSentEvents?
    private var lines: JSONLines?
    private let format: StreamFormat
    private let end: [UInt8]?
    /// Whether the end marker of the format has arrived. Later bytes are not read.
    private(set) var isOver = false
    /// The last event ID of the server-sent events; empty for none.
    var lastEventID: String { events?.lastEventID ?? "" }
    /// The reconnection time that the server asked for; nil if it asked for none.
    var pause: Duration? { events?.reconnectionTime }
    /// The end marker that is still missing; nil if there is none or it has arrived.
    var missingEnd: String? { isOver ? nil : format.end }

    /// The error after the last elements, unless the stream has ended. It is known without another
    /// chunk.
    var error: StreamLimitError? { isOver ? nil : events?.error ?? lines?.error }

    init(_ format: StreamFormat, limit: Int, lastEventID: String) {
        self.format = format
        end = format.end.map { Array($0.utf8) }
        switch format.framing {
        case .serverSentEvents:
            events = ServerSentEvents(limit: limit, lastEventID: lastEventID)
        case .jsonLines: lines = JSONLines(limit: limit)
        }
    }

    /// Returns the elements that a chunk completes.
    mutating func feed(_ chunk: [UInt8]) throws(StreamLimitError) -> [Element] {
        if let texts = try lines?.feed(chunk) {
            return upToEnd(texts, \.self).map { Element(bytes: $0) }
        }
        guard let all = try events?.feed(chunk) else { return [] }
        return upToEnd(all, \.data).filter(isElement).map { Element(bytes: $0.data, id: $0.id) }
    }

    /// Returns the element that the end of the reply completes.
    mutating func finish() throws(StreamLimitError) -> Element? {
        try events?.finish()
        guard let last = try lines?.finish() else { return nil }
        return upToEnd([last], \.self).first.map { Element(bytes: $0) }
    }

    private func isElement(_ event: ServerSentEvents.Event) -> Bool {
        format.events?.contains(event.name) ?? true
    }

    /// Returns the pieces before the end marker.
    private mutating func upToEnd<Piece>(
        _ pieces: [Piece], _ bytes: (Piece) -> [UInt8]
    ) -> ArraySlice<Piece> {
        guard let end, let place = pieces.firstIndex(where: { isEnd(bytes($0), end) }) else {
            return pieces[...]
        }
        isOver = true
        return pieces[..<place]
    }

    private func isEnd(_ bytes: [UInt8], _ end: [UInt8]) -> Bool {
        guard format.framing == .jsonLines else { return bytes == end }
        let isSpace = { (byte: UInt8) in byte == 0x20 || byte == 0x09 || byte == 0x0D }
        let start = bytes.drop(while: isSpace)
        return start.starts(with: end) && start.dropFirst(end.count).allSatisfy(isSpace)
    }
}
