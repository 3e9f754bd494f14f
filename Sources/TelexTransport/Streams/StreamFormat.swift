/// The format of a stream: how a reply separates its elements, which events are elements, and where
/// the stream ends.
public struct StreamFormat: Sendable, Hashable {
    package enum Framing: Sendable, Hashable {
        case serverSentEvents, jsonLines

        /// The media types that a request asks for.
        package var mediaTypes: [String] {
            switch self {
            case .serverSentEvents: ["text/event-stream"]
            case .jsonLines: ["application/jsonl", "application/x-ndjson"]
            }
        }
    }

    package let framing: Framing
    /// The event types whose data is an element; nil for all.
    package let events: Set<String>?
    /// The end marker after the last element; nil for none.
    package let end: String?

    private init(_ framing: Framing, events: Set<String>? = nil, end: String? = nil) {
        self.framing = framing
        self.events = events
        self.end = end
    }

    /// Server-sent events (WHATWG HTML, section 9.2). The data of each event is an element. The
    /// stream ends with its reply.
    public static let serverSentEvents = StreamFormat(.serverSentEvents)

    /// One JSON document per line; empty lines are ignored. The stream ends with its reply.
    public static let jsonLines = StreamFormat(.jsonLines)

    /// Server-sent events, of which only some may be elements.
    ///
    /// - Parameters:
    ///   - names: The event types (`event: …`) whose data is an element, `message` for events
    ///     without a type. Events of other types are skipped. Nil, the default, for all.
    ///   - end: The data of the event, of any type, that marks the end; nil, the default, for no
    ///     end marker. Later data is not read. A reply that ends without the marker was cut short:
    ///     `TransportError.Kind.truncated(received:expected:)`.
    public static func serverSentEvents(
        only names: Set<String>? = nil, until end: String? = nil
    ) -> StreamFormat {
        StreamFormat(.serverSentEvents, events: names, end: end)
    }

    /// One JSON document per line, up to a line that marks the end.
    ///
    /// - Parameter end: That line, without white space around it. Later data is not read. A reply
    ///   that ends without the marker was cut short:
    ///   `TransportError.Kind.truncated(received:expected:)`.
    public static func jsonLines(until end: String) -> StreamFormat {
        StreamFormat(.jsonLines, end: end)
    }
}
