/// Takes a stream apart into the bytes of its elements.
struct StreamDecoder: Sendable {
    /// One element.
    struct Element: Sendable {
        var bytes: [UInt8]
        /// The identifier of the last server-sent event by then, its own included; empty for none.
        var id = ""
    }

    private enum Format: Sendable {
        case events(ServerSentEvents)
        case lines(JSONLines)
    }

    private var format: Format
    /// The identifier of the last server-sent event.
    private(set) var lastEventID = ""
    /// How long the server wants to be left alone before it is asked to go on; nil if it did not say.
    private(set) var pause: Duration?

    init(_ format: StreamFormat, limit: Int, lastEventID: String) {
        self.format =
            switch format {
            case .serverSentEvents:
                .events(ServerSentEvents(limit: limit, lastEventID: lastEventID))
            case .jsonLines: .lines(JSONLines(limit: limit))
            }
    }

    mutating func feed(_ chunk: [UInt8]) throws(StreamLimitError) -> [Element] {
        switch format {
        case .lines(var lines):
            defer { format = .lines(lines) }
            return try lines.feed(chunk).map { Element(bytes: $0) }
        case .events(var events):
            defer {
                lastEventID = events.lastEventID
                pause = events.reconnectionTime
                format = .events(events)
            }
            return try events.feed(chunk).map { Element(bytes: $0.data, id: $0.id) }
        }
    }

    /// The element that the end of the stream completes.
    mutating func finish() throws(StreamLimitError) -> Element? {
        switch format {
        case .lines(var lines): return try lines.finish().map { Element(bytes: $0) }
        case .events(var events):
            try events.finish()
            return nil
        }
    }
}
