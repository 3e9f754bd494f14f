/// Takes a stream apart into the bytes of its elements.
struct StreamDecoder: Sendable {
    /// One element.
    struct Element: Sendable {
        var bytes: [UInt8]
        /// The identifier of the last server-sent event by then, its own included; empty for none.
        var id = ""
    }

    // One of the two, changed in its place: a copy of what it has gathered with each chunk would make
    // long elements cost the square of their length.
    private var events: ServerSentEvents?
    private var lines: JSONLines?
    private let format: StreamFormat
    private let end: [UInt8]?
    /// Whether the end has come that the format says there is; what follows is not read.
    private(set) var isOver = false
    /// The identifier of the last server-sent event; empty for none.
    var lastEventID: String { events?.lastEventID ?? "" }
    /// How long the server wants to be left alone before it is asked to go on; nil if it did not say.
    var pause: Duration? { events?.reconnectionTime }
    /// What should have come and has not: the end of the stream.
    var missingEnd: String? { isOver ? nil : format.end }

    /// What was wrong behind the last elements, though still before the end; the next chunk is not needed
    /// to know that.
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

    /// The elements that a chunk completes.
    mutating func feed(_ chunk: [UInt8]) throws(StreamLimitError) -> [Element] {
        if let texts = try lines?.feed(chunk) {
            return upToEnd(texts, \.self).map { Element(bytes: $0) }
        }
        guard let all = try events?.feed(chunk) else { return [] }
        return upToEnd(all, \.data).filter(isElement).map { Element(bytes: $0.data, id: $0.id) }
    }

    /// The element that the end of the reply completes.
    mutating func finish() throws(StreamLimitError) -> Element? {
        try events?.finish()
        guard let last = try lines?.finish() else { return nil }
        return upToEnd([last], \.self).first.map { Element(bytes: $0) }
    }

    private func isElement(_ event: ServerSentEvents.Event) -> Bool {
        format.events?.contains(event.name) ?? true
    }

    /// What comes before the end.
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
