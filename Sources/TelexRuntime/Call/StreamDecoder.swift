/// Takes a stream apart into the bytes of its elements.
struct StreamDecoder: Sendable {
    private enum Format: Sendable {
        case events(ServerSentEvents)
        case lines(JSONLines)
    }

    private var format: Format
    /// The identifier of the last server-sent event.
    private(set) var lastEventID = ""
    private(set) var pause: Duration?

    init(_ format: StreamFormat, limit: Int, lastEventID: String) {
        self.format =
            switch format {
            case .serverSentEvents:
                .events(ServerSentEvents(limit: limit, lastEventID: lastEventID))
            case .jsonLines: .lines(JSONLines(limit: limit))
            }
    }

    mutating func feed(_ chunk: [UInt8]) throws(StreamLimitError) -> [[UInt8]] {
        switch format {
        case .lines(var lines):
            defer { format = .lines(lines) }
            return try lines.feed(chunk)
        case .events(var events):
            defer {
                lastEventID = events.lastEventID
                pause = events.reconnectionTime
                format = .events(events)
            }
            return try events.feed(chunk).map(\.data)
        }
    }

    /// The element that the end of the stream completes.
    mutating func finish() throws(StreamLimitError) -> [UInt8]? {
        switch format {
        case .lines(var lines): return try lines.finish()
        case .events(var events):
            try events.finish()
            return nil
        }
    }
}
