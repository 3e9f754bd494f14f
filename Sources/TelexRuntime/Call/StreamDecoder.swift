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
    /// The identifier of the last server-sent event; empty for none.
    var lastEventID: String { events?.lastEventID ?? "" }
    /// How long the server wants to be left alone before it is asked to go on; nil if it did not say.
    var pause: Duration? { events?.reconnectionTime }

    init(_ format: StreamFormat, limit: Int, lastEventID: String) {
        switch format {
        case .serverSentEvents:
            events = ServerSentEvents(limit: limit, lastEventID: lastEventID)
        case .jsonLines: lines = JSONLines(limit: limit)
        }
    }

    mutating func feed(_ chunk: [UInt8]) throws(StreamLimitError) -> [Element] {
        if let elements = try lines?.feed(chunk) { return elements.map { Element(bytes: $0) } }
        return try events?.feed(chunk).map { Element(bytes: $0.data, id: $0.id) } ?? []
    }

    /// The element that the end of the stream completes.
    mutating func finish() throws(StreamLimitError) -> Element? {
        try events?.finish()
        return try lines?.finish().map { Element(bytes: $0) }
    }
}
