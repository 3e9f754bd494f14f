import TelexValues

/// Parses a stream of server-sent events (WHATWG HTML Living Standard, section 9.2.6, "Interpreting
/// an event stream").
package struct ServerSentEvents: Sendable {
    /// One event.
    package struct Event: Sendable, Hashable {
        /// The type of the event; `message` if the server names none.
        package var name: String
        /// The data lines, joined with LF; as received, so not always valid UTF-8.
        package var data: [UInt8]
        /// The ID of this event, or of the last event before it that had one; empty for none.
        package var id: String

        /// The data as text; invalid UTF-8 is replaced by U+FFFD.
        package var text: String { String(decoding: data, as: UTF8.self) }
    }

    /// The value for `Last-Event-ID` when the stream is requested again; empty for none.
    package private(set) var lastEventID: String
    /// The time that the server asks to wait before the stream is requested again, at most
    /// ``RetryAfter/maximum``; nil if it has asked for none.
    package private(set) var reconnectionTime: Duration?

    /// The error that every later call throws; nil as long as nothing was too large.
    package private(set) var error: StreamLimitError?

    private let limit: Int
    private var lines = LineSplitter(.any)
    private var isFirstLine = true
    private var id: String
    private var name = ""
    private var data: [UInt8] = []
    private var hasData = false

    /// Creates a parser for a new reply.
    ///
    /// - Parameters:
    ///   - limit: The maximum number of bytes in the data of an event and the line that follows it,
    ///     together.
    ///   - lastEventID: The ID that the request carried in `Last-Event-ID`.
    package init(limit: Int, lastEventID: String = "") {
        self.limit = limit
        self.lastEventID = lastEventID
        id = lastEventID
    }

    /// Returns the events that a chunk completes.
    ///
    /// - Throws: If an event is too large. The error is thrown in the call after the one that
    ///   returns the events before it, so that none is lost, and in every later call.
    package mutating func feed(_ chunk: [UInt8]) throws(StreamLimitError) -> [Event] {
        if let error { throw error }
        var events: [Event] = []
        var rest = chunk[...]
        do throws(StreamLimitError) {
            while let line = try next(in: &rest) {
                if let event = take(line) { events.append(event) }
            }
        } catch {
            self.error = error
            if events.isEmpty { throw error }
        }
        return events
    }

    /// Ends the stream. An event without a blank line after it is discarded.
    ///
    /// - Throws: If an event was too large.
    package mutating func finish() throws(StreamLimitError) {
        if let error { throw error }
        lines = LineSplitter(.any)
        clear()
    }

    // MARK: Lines

    private mutating func next(
        in chunk: inout ArraySlice<UInt8>
    ) throws(StreamLimitError) -> ArraySlice<UInt8>? {
        do throws(StreamLimitError) {
            guard let line = try lines.next(in: &chunk, limit: limit - data.count) else {
                return nil
            }
            defer { isFirstLine = false }
            return isFirstLine && line.starts(with: [0xEF, 0xBB, 0xBF]) ? line[3...] : line[...]
        } catch {
            throw StreamLimitError(limit: limit)
        }
    }

    private mutating func take(_ line: ArraySlice<UInt8>) -> Event? {
        guard !line.isEmpty else { return dispatch() }
        let colon = line.firstIndex(of: UInt8(ascii: ":")) ?? line.endIndex
        var value = line[colon...].dropFirst()
        if value.first == UInt8(ascii: " ") { value = value.dropFirst() }
        // A line that begins with a colon is a comment, and has no field name.
        switch String(decoding: line[..<colon], as: UTF8.self) {
        case "event": name = String(decoding: value, as: UTF8.self)
        case "data": add(value)
        case "id" where !value.contains(0): id = String(decoding: value, as: UTF8.self)
        case "retry": setReconnectionTime(String(decoding: value, as: UTF8.self))
        default: break
        }
        return nil
    }

    private mutating func add(_ value: ArraySlice<UInt8>) {
        if hasData { data.append(UInt8(ascii: "\n")) }
        data += value
        hasData = true
    }

    private mutating func setReconnectionTime(_ text: String) {
        guard text.areDigits else { return }
        let maximum = RetryAfter.maximum
        reconnectionTime = Int(digits: text).map { min(.milliseconds($0), maximum) } ?? maximum
    }

    private mutating func dispatch() -> Event? {
        lastEventID = id
        defer { clear() }
        guard hasData else { return nil }
        return Event(name: name.isEmpty ? "message" : name, data: data, id: id)
    }

    private mutating func clear() {
        name = ""
        data = []
        hasData = false
    }
}
