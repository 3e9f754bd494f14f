import TelexInspection
import TelexJSON

/// An event of a call that a listener has sent.
struct InspectorEvent {
    let name: String
    /// `nil` for an event of a later version, which is a note alone.
    private let kind: InspectorLines.Event?
    let reason: String?
    /// The time of the listener's process, and the date at that time, both in milliseconds.
    let elapsed: Double
    let date: Double
    let delay: Double
    let api: String
    let method: String
    /// The number of the operation; `nil` for an event of the API as a whole.
    let operation: String?
    let attempt: Int
    /// Whether it belongs to a request that several calls share. Such a request is not told to begin
    /// or to end.
    let isShared: Bool
    private let line: JSONValue

    /// Reads a line; `nil` if it is no event.
    init?(_ line: JSONValue) {
        guard let name = line["event"]?.asString, let elapsed = line["elapsed"]?.asDouble,
            let date = line["date"]?.asDouble, let api = line["api"]?.asString,
            let method = line["method"]?.asString
        else { return nil }
        self.line = line
        self.name = name
        kind = InspectorLines.Event(rawValue: name)
        self.elapsed = elapsed
        self.date = date
        self.api = api
        self.method = method
        reason = line["because"]?.asString
        delay = max(0, line["delay"]?.asDouble ?? 0)
        operation = line["call"]?.asString
        isShared = line["shared"] == .bool(true)
        attempt = min(max(0, line["attempt"]?.asInt ?? 0), 1_000_000)
    }

    /// The call that the event is the first one of.
    func call(of app: String, at time: Double) -> InspectedCall {
        let name = operation == nil ? "token" : method
        var call = InspectedCall(app: app, api: api, method: name, start: time)
        call.owner = line["owner"]?.asString
        call.queue = line["queue"]?.asString
        call.isShared = isShared
        call.tags = line["tags"]?.asArray?.compactMap(\.asString) ?? []
        return call
    }

    /// Changes the call as the event does.
    ///
    /// - Parameter refreshed: When the API last got a new token; `nil` if it has not.
    func apply(to call: inout InspectedCall, at time: Double, refreshed: Double?) {
        call.attempts = max(call.attempts, attempt)
        if isShared { (call.state, call.end) = (.running, nil) }
        call.note(
            [name.replacing("-", with: " "), reason].compactMap(\.self).joined(separator: ": "),
            at: time)
        for violation in line["violations"]?.asArray ?? [] {
            let deviation = InspectedCall.Deviation(
                path: violation["path"]?.asString ?? "", text: violation["text"]?.asString ?? "")
            if call.deviations.count < 100, !call.deviations.contains(deviation) {
                call.deviations.append(deviation)
            }
        }
        switch kind {
        case .started, .queued, .resumed: call.begin(.waiting, at: time)
        case .suspended: call.begin(.suspended, at: time)
        case .postponed: call.begin(.postponed, at: time)
        case .retrying where delay > 0:
            call.closeBar(at: time)
            // What follows the pause is a wait for the turn.
            call.add(.init(kind: .backOff, start: time, end: time + delay))
            call.add(.init(kind: .waiting, start: time + delay))
        case .sending:
            call.verb = line["verb"]?.asString ?? ""
            call.url = line["url"]?.asString ?? ""
            // With the new token, the call waited for its turn.
            if let refreshed, let start = call.postponedStart, start < refreshed {
                call.begin(.waiting, at: refreshed)
            }
            call.begin(.sending, at: time)
        case .received, .disconnected:
            guard let exchange = line["exchange"] else { return }
            call.add(exchange: exchange, attempt: max(1, attempt), at: time)
        case .fromCache: call.isStored = true
        case .refreshStarted: call.begin(.refresh, at: time)
        case .succeeded, .refreshEnded: call.finish(.succeeded, at: time)
        case .failed, .abandoned, .refreshFailed: call.finish(.failed, at: time)
        case .cancelled: call.finish(.cancelled, at: time)
        default: break
        }
    }

    var isRefreshStart: Bool { kind == .refreshStarted }
    var isRefreshEnd: Bool { kind == .refreshEnded || kind == .refreshFailed }
    var isExchange: Bool { kind == .received || kind == .disconnected }

    /// Whether a call can begin with the event, because those before it were dropped. Otherwise a call
    /// that was cleared away would come back with its last one.
    var canBeFirst: Bool {
        switch kind {
        case .drifted, .notRetried, .succeeded, .failed, .cancelled, .abandoned: false
        default: !isExchange && !isRefreshEnd
        }
    }
}
