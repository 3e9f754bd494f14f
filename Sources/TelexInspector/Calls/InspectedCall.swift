public import TelexInspection
import TelexJSON

#if canImport(FoundationEssentials)
    import FoundationEssentials
#else
    import Foundation
#endif

/// A call as an inspector shows it. It contains no secrets: they are removed before it is recorded.
/// Times are in milliseconds since 1970.
public struct InspectedCall: Sendable {
    /// What became of the call.
    public enum State: String, Sendable {
        /// `running` until it has ended in one of the other ways.
        case running, succeeded, failed, cancelled
    }

    /// A part of the call's time.
    public struct Bar: Sendable, Hashable {
        /// What the call did, or what it waited for.
        public enum Kind: String, Sendable, CaseIterable {
            /// It waited for its turn.
            case waiting
            /// It sent the request.
            case sending
            /// It waited for the head of the reply.
            case server
            /// It received the body of the reply.
            case receiving
            /// It paused before a retry.
            case backOff = "back-off"
            /// It waited for a refresh, which is a call of its own.
            case postponed
            /// It got a new token.
            case refresh
            /// It was suspended.
            case suspended
        }

        /// What the part is.
        public var kind: Kind
        /// When it began.
        public var start: Double
        /// When it ended; `nil` if it has not.
        public var end: Double?
    }

    /// A request and its outcome.
    public struct Exchange: Sendable {
        /// The attempt it belongs to, from 1.
        public var attempt: Int
        /// Its entry in an archive (HAR).
        var entry: [UInt8]
        /// The entry's start.
        var start: Double
    }

    /// A sentence about the call, and when it became true.
    public struct Note: Sendable, Hashable {
        /// When it became true.
        public var time: Double
        /// The sentence.
        public var text: String
    }

    /// A deviation from the spec.
    public struct Deviation: Sendable, Hashable {
        /// The path in the request or the reply.
        public var path: String
        /// The line that says it all.
        public var text: String
        /// Where the spec says otherwise: a file and a line; `nil` if that is unknown.
        public var place: String?

        /// Makes a deviation.
        public init(path: String, text: String, place: String? = nil) {
            (self.path, self.text, self.place) = (path, text, place)
        }
    }

    /// The program that made the call, or the server that received it.
    public var app: String
    /// The name of the API.
    public var api: String
    /// The name of the method in the API; `token` for a refresh.
    public var method: String
    /// The HTTP method of the last request; empty before the first.
    public var verb = ""
    /// The URL of the last request; empty before the first.
    public var url = ""
    /// The status of the last reply; `nil` before the first.
    public var status: Int?
    /// What became of the call.
    public var state = State.running
    /// The number of attempts.
    public var attempts = 0
    /// The owner of the call.
    public var owner: String?
    /// The named queue that the call waits in.
    public var queue: String?
    /// The tags of the call.
    public var tags: [String] = []
    /// Whether it is answered with a stored reply.
    public var isStored = false
    /// Whether it is a request that several calls share.
    public var isShared = false
    /// When the call was started.
    public var start: Double
    /// When it ended; `nil` if it has not.
    public var end: Double?
    /// The parts of its time, the first one first.
    public var bars: [Bar] = []
    /// What was sent and received, the first one first.
    public private(set) var exchanges: [Exchange] = []
    /// The deviations of its request and its replies from the spec.
    public var deviations: [Deviation] = []
    /// What happened, the first one first.
    public internal(set) var notes: [Note] = []

    private static let mostParts = 200

    /// Makes a call that has been started.
    public init(app: String, api: String, method: String, start: Double) {
        self.app = app
        self.api = api
        self.method = method
        self.start = start
    }

    /// Makes a call of one exchange that has ended, as a server sees it.
    ///
    /// - Parameters:
    ///   - app: The name of the server.
    ///   - exchange: The request and the reply, without secrets.
    ///   - deviations: How they differ from the spec.
    ///   - notes: What the server has to say of its reply.
    public init(
        app: String, api: String, method: String, exchange: ExchangeRecord,
        deviations: [Deviation] = [], notes: [String] = []
    ) {
        let entry = HAREntry(exchange, api: api, method: method, operation: nil, attempt: 1)
        var json = JSONWriter()
        entry.write(to: &json)
        let start = exchange.start.timeIntervalSince1970 * 1000
        self.init(app: app, api: api, method: method, start: start)
        let end = start + HAREntry.milliseconds(exchange.timings.lastByte)
        let value = JSONReader.read(json.bytes) { json -> JSONValue? in json.value() }.value
        if let value { add(exchange: value, attempt: 1, at: end) }
        self.deviations = deviations
        self.notes = notes.map { Note(time: end, text: $0) }
        finish(isRefused ? .failed : .succeeded, at: end)
    }

    /// The approximate number of bytes that the call takes.
    var size: Int {
        exchanges.reduce(1024) { $0 + $1.entry.count } + bars.count * 40
            + notes.reduce(0) { $0 + $1.text.utf8.count + 40 }
            + deviations.reduce(0) { $0 + $1.text.utf8.count + $1.path.utf8.count + 80 }
    }

    /// The number of exchanges that made room for newer ones.
    private(set) var droppedExchanges = 0

    /// Adds an exchange that has ended, with its bars.
    ///
    /// - Parameter value: Its entry in an archive.
    mutating func add(exchange value: JSONValue, attempt: Int, at end: Double) {
        var json = JSONWriter()
        json.value(value)
        let timings = ["send", "wait", "receive"].map { name in
            max(0, value["timings"]?[name]?.asDouble ?? 0)
        }
        var moment = end - timings.reduce(0, +)
        attempts = max(attempts, attempt)
        verb = value["request"]?["method"]?.asString ?? verb
        url = value["request"]?["url"]?.asString ?? url
        if let status = value["response"]?["status"]?.asInt, status > 0 { self.status = status }
        exchanges.append(Exchange(attempt: attempt, entry: json.takeBytes(), start: moment))
        if exchanges.count > Self.mostParts {
            exchanges.removeFirst()
            droppedExchanges += 1
        }
        if openBar == .sending { closeBar(at: moment) }
        for (kind, time) in zip([Bar.Kind.sending, .server, .receiving], timings) where time > 0 {
            add(Bar(kind: kind, start: moment, end: moment + time))
            moment += time
        }
    }

    /// Adds a bar, unless there are very many.
    mutating func add(_ bar: Bar) {
        if bars.count < Self.mostParts { bars.append(bar) }
    }

    private var openBar: Bar.Kind? { bars.last { $0.end == nil }?.kind }

    /// Since when the call waits for a token; `nil` if it does not.
    var postponedStart: Double? { openBar == .postponed ? bars.last?.start : nil }

    /// Begins another part of the time. A refresh goes on beside its requests.
    mutating func begin(_ kind: Bar.Kind, at time: Double) {
        if openBar != .refresh { closeBar(at: time) }
        add(Bar(kind: kind, start: time))
    }

    /// Ends the part of the time that has not ended, and what would follow it; one without a length
    /// is removed.
    mutating func closeBar(at time: Double) {
        if let index = bars.lastIndex(where: { $0.end == nil }) { bars[index].end = time }
        if let last = bars.last?.end, last > time { bars[bars.count - 1].end = time }
        bars.removeAll { $0.end ?? .infinity <= $0.start }
        if let last = bars.last?.end, last > time { bars[bars.count - 1].end = time }
    }

    /// Whether the last reply is missing, or is an error by its status.
    var isRefused: Bool { !(200..<400).contains(status ?? 0) }

    mutating func note(_ text: String, at time: Double) {
        if notes.count < Self.mostParts { notes.append(Note(time: time, text: text)) }
    }

    mutating func finish(_ state: State, at time: Double) {
        closeBar(at: time)
        self.state = state
        end = time
    }
}
