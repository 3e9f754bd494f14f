import HTTPTypes
import TelexInspection
import TelexJSON
public import TelexTesting

/// Keeps the newest calls, and shows them in a page of the browser, live.
///
/// Calls come from the `InspectorListener`s of apps, and from ``record(_:)`` of a program that has an
/// inspector itself. Any number of pages may look on.
///
/// ```swift
/// let inspector = Inspector()
/// var settings = LoopbackServer.Settings()
/// settings.port = 4020
/// let server = try LoopbackServer(settings, inspector.answer)
/// ```
public final class Inspector: Sendable {
    /// Returns where a spec declares what a path of a reply deviates from, as a file and a line; `nil`
    /// if that is unknown.
    public typealias Places =
        @Sendable (_ api: String, _ method: String, _ path: String) -> String?

    /// The port that inspectors and listeners have by default.
    public static let port = 4020

    let store: CallStore
    let code: PairingCode?
    private let places: Places
    private let reader: LineReader
    private let page: InspectorPage

    /// Makes an inspector without calls.
    ///
    /// - Parameters:
    ///   - calls: The maximum number of calls that are kept; 10,000 by default.
    ///   - bytes: The approximate maximum size of them all; 128 MiB by default.
    ///   - pairingCode: What a request needs that may come from another machine; `nil` if only this
    ///     machine reaches the server, whose requests have to name it as their host.
    ///   - places: Finds lines of the spec; none by default.
    public init(
        calls: Int = 10_000, bytes: Int = 134_217_728, pairingCode: PairingCode? = nil,
        places: @escaping Places = { _, _, _ in nil }
    ) {
        store = CallStore(calls: calls, bytes: bytes)
        reader = LineReader(store)
        code = pairingCode
        self.places = places
        page = InspectorPage()
    }

    /// Shows a call, which may have ended.
    public func record(_ call: InspectedCall) { store.add(call) }

    /// Answers a request of a browser or of a listener: the handler of a `LoopbackServer`.
    public func answer(_ request: LoopbackRequest) -> LoopbackReply {
        if let refusal = refusal(of: request) { return refusal }
        let path = request.path
        switch (request.method, path) {
        case ("GET", "/"): return page.reply
        case ("GET", "/events"): return stream()
        case ("GET", "/har"): return archive(of: store.calls, named: "telex")
        case ("GET", _) where path.hasPrefix("/calls/"): return call(path.dropFirst(7))
        case ("POST", InspectorLines.path):
            do {
                try reader.read(request.body)
                return .bytes(status: 204)
            } catch { return Self.text(error.text, status: 400) }
        case ("POST", "/clear"):
            store.clear()
            return .bytes(status: 204)
        default: return Self.text("there is nothing at \(path)", status: 404)
        }
    }

    private func call(_ name: Substring) -> LoopbackReply {
        let isArchive = name.hasSuffix(".har")
        guard let number = Int(isArchive ? name.dropLast(4) : name),
            let call = store.call(number)
        else { return Self.text("the call is not kept any more", status: 404) }
        if isArchive { return archive(of: [call], named: "telex-\(number)") }
        return Self.json { json in
            call.writeDetail(to: &json, number: number) { deviation in
                deviation.place ?? places(call.api, call.method, deviation.path)
            }
        }
    }

    private func archive(of calls: [InspectedCall], named name: String) -> LoopbackReply {
        let exchanges = calls.flatMap(\.exchanges).sorted { $0.start < $1.start }
        let dropped = calls.reduce(0) { $0 + $1.droppedExchanges }
        let bytes = HAREntry.archive(exchanges, dropped: dropped) { json, exchange in
            json.value(exchange.value)
        }
        var fields = Self.fields("application/json")
        fields[.contentDisposition] = "attachment; filename=\"\(name).har\""
        return .bytes(bytes, fields: fields)
    }

    static func json(_ write: (inout JSONWriter) -> Void) -> LoopbackReply {
        var json = JSONWriter()
        write(&json)
        return .bytes(json.takeBytes(), fields: fields("application/json"))
    }

    static func text(_ text: String, status: Int) -> LoopbackReply {
        .text(text + "\n", status: status, fields: fields("text/plain; charset=utf-8"))
    }

    /// The fields of every reply: nothing is stored, guessed or framed.
    static func fields(_ type: String) -> HTTPFields {
        var fields: HTTPFields = [.contentType: type, .cacheControl: "no-store"]
        fields[.xContentTypeOptions] = "nosniff"
        if let name = HTTPField.Name("Referrer-Policy") { fields[name] = "no-referrer" }
        return fields
    }

    // MARK: What changes

    private static let mostAtOnce = 500

    /// The changes as server-sent events, from the first call that is kept.
    private func stream() -> LoopbackReply {
        var fields = Self.fields("text/event-stream")
        fields[.transferEncoding] = "chunked"
        return LoopbackReply.head(fields: fields).then(.more { self.changes(after: -1) })
    }

    private func changes(after version: Int) -> [LoopbackReply.Step] {
        let changes = store.changes(after: version, atMost: Self.mostAtOnce)
        var json = JSONWriter()
        json.beginObject()
        if version < 0 { json.field("reset", true) }
        json.field("first", changes.first)
        json.field("lost", changes.lost)
        json.field("calls", changes.calls) { json, calls in
            json.list(calls) { json, call in call.call.writeSummary(to: &json, number: call.number)
            }
        }
        json.endObject()
        let event = Array("data: ".utf8) + json.takeBytes() + [0x0A, 0x0A]
        // The page may be slower than the calls: what changes meanwhile is one answer.
        return [
            .chunk(event), .wait(store.gate(after: changes.version)),
            .more { self.changes(after: changes.version) },
        ]
    }
}
