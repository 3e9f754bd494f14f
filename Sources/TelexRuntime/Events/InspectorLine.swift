import TelexInspection
import TelexJSON

/// What a listener sends to an inspector: lines of JSON, each with its line feed.
enum InspectorLine {
    /// The first line of a request: the app, its listener (`run`), the number of the request, by
    /// which one that is sent twice is read once, and the number of lines dropped so far.
    static func head(app: String, run: String, number: Int, dropped: Int) -> [UInt8] {
        line { json in
            json.field("telex-inspector", InspectorLines.version)
            json.field("app", app)
            json.field("run", run)
            json.field("number", number)
            json.field("dropped", dropped)
        }
    }

    /// The line of an event, without secrets. Times are in milliseconds.
    static func event(_ event: APIEvent) -> [UInt8] {
        let (name, reason, delay) = event.kind.parts
        return line { json in
            json.field("event", name.rawValue)
            json.field("because", reason)
            json.field("delay", delay.map(HAREntry.milliseconds))
            json.field("date", event.date.timeIntervalSince1970 * 1000)
            json.field("elapsed", HAREntry.milliseconds(event.elapsed))
            json.field("api", event.api)
            json.field("method", event.method)
            json.field("call", event.operation.map { "\($0)" })
            json.field("attempt", event.attempt)
            json.field("owner", event.owner?.description)
            json.field("queue", event.queue)
            json.field("tags", event.tags.sorted())
            json.field("shared", event.isShared)
            switch event.kind {
            case .drifted(let violations): json.field("violations", lines(violations))
            case .failed(let error): json.field("violations", lines(error.violations))
            case .sending(let request):
                json.field("verb", request.method)
                json.field("url", request.url)
            default: break
            }
            if let exchange = HAREntry(event) {
                json.field("exchange", exchange) { json, entry in entry.write(to: &json) }
            }
        }
    }

    private static func lines(_ violations: [Violation]) -> [JSONObject] {
        violations.map { ["path": .string($0.path), "text": .string($0.description)] }
    }

    private static func line(_ write: (inout JSONWriter) -> Void) -> [UInt8] {
        var json = JSONWriter()
        json.beginObject()
        write(&json)
        json.endObject()
        return json.takeBytes() + [0x0A]
    }
}

extension APIEvent.Kind {
    /// The name of the event, its reason, and the pause that it begins.
    fileprivate var parts: (InspectorLines.Event, because: String?, delay: Duration?) {
        switch self {
        case .started: (.started, nil, nil)
        case .queued(let why): (.queued, why, nil)
        case .suspended: (.suspended, nil, nil)
        case .resumed: (.resumed, nil, nil)
        case .postponed(let why): (.postponed, why, nil)
        case .retrying(let delay, let why): (.retrying, why, delay)
        case .notRetried(let why): (.notRetried, why, nil)
        case .throttled: (.throttled, "it was started again too soon", nil)
        case .sending: (.sending, nil, nil)
        case .hostPaused(let time): (.hostPaused, nil, time)
        case .redirected(let status, let address): (.redirected, "\(status) to \(address)", nil)
        case .received: (.received, nil, nil)
        case .fromCache(let source, let age):
            (.fromCache, "\(source.words), \(age.roundedDescription) old", nil)
        case .drifted: (.drifted, nil, nil)
        case .disconnected(let exchange): (.disconnected, exchange.failure?.message, nil)
        case .refreshStarted: (.refreshStarted, nil, nil)
        case .refreshEnded: (.refreshEnded, nil, nil)
        case .refreshFailed(let why): (.refreshFailed, why, nil)
        case .succeeded: (.succeeded, nil, nil)
        case .failed(let error): (.failed, "\(error)", nil)
        case .cancelled: (.cancelled, nil, nil)
        case .abandoned(let why): (.abandoned, why, nil)
        }
    }
}
