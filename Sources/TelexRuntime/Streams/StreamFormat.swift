/// How the elements of a stream follow one another in a reply, which parts of it are elements, and
/// where it ends.
public struct StreamFormat: Sendable, Hashable {
    enum Framing: Sendable, Hashable {
        case serverSentEvents, jsonLines
    }

    let framing: Framing
    /// The kinds of events that have an element; nil for all.
    let events: Set<String>?
    /// What stands in the place of an element behind the last one; nil for nothing.
    let end: String?

    private init(_ framing: Framing, events: Set<String>? = nil, end: String? = nil) {
        self.framing = framing
        self.events = events
        self.end = end
    }

    /// Server-sent events (WHATWG HTML, section 9.2); the data of each event is an element. The stream
    /// ends with its reply.
    public static let serverSentEvents = StreamFormat(.serverSentEvents)

    /// One JSON document a line; empty lines mean nothing. The stream ends with its reply.
    public static let jsonLines = StreamFormat(.jsonLines)

    /// Server-sent events of which not all are elements.
    ///
    /// - Parameters:
    ///   - names: The kinds of events (`event: …`) whose data is an element, `message` for those that
    ///     name none; events of other kinds are passed over. Nil, the default, for all.
    ///   - end: The data of an event behind the last element, of whatever kind; nil, the default, if
    ///     there is no such event. What comes after it is not read. A reply that ends without it has
    ///     been cut short: ``TransportError/Kind/truncated(received:expected:)``.
    public static func serverSentEvents(
        only names: Set<String>? = nil, until end: String? = nil
    ) -> StreamFormat {
        StreamFormat(.serverSentEvents, events: names, end: end)
    }

    /// One JSON document a line, up to a line that is the end.
    ///
    /// - Parameter end: That line, without white space around it. What comes after it is not read. A
    ///   reply that ends without it has been cut short:
    ///   ``TransportError/Kind/truncated(received:expected:)``.
    public static func jsonLines(until end: String) -> StreamFormat {
        StreamFormat(.jsonLines, end: end)
    }
}
