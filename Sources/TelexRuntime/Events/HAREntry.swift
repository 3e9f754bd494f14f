import TelexJSON

#if canImport(FoundationEssentials)
    import FoundationEssentials
#else
    import Foundation
#endif

/// One exchange of a HAR.
struct HAREntry: Sendable {
    let exchange: ExchangeRecord
    let api: String
    let method: String
    let operation: OperationID?
    let attempt: Int

    /// Nil for an event that ends no exchange.
    init?(_ event: APIEvent) {
        switch event.kind {
        case .received(let exchange), .disconnected(let exchange): self.exchange = exchange
        default: return nil
        }
        api = event.api
        method = event.method
        operation = event.operation
        attempt = event.attempt
    }

    /// About how many bytes of text it holds.
    var size: Int {
        let fields = exchange.request.fields + (exchange.reply?.fields ?? [])
        let parts = exchange.request.body?.parts ?? []
        return fields.reduce(exchange.request.url.utf8.count + 256) {
            $0 + $1.name.utf8.count + $1.value.utf8.count
        } + parts.reduce(0) { $0 + $1.name.utf8.count + ($1.value?.utf8.count ?? 0) }
            + (exchange.request.body?.text?.utf8.count ?? 0)
            + (exchange.reply?.text?.utf8.count ?? 0)
    }

    /// The whole archive.
    static func archive(_ entries: [HAREntry], dropped: Int) -> [UInt8] {
        var json = JSONWriter()
        json.beginObject()
        json.field("log", true) { json, _ in
            json.beginObject()
            json.field("version", "1.2")
            json.field("creator", true) { json, _ in
                json.beginObject()
                json.field("name", "Telex")
                json.field("version", "1")
                json.endObject()
            }
            json.field("entries", entries) { json, entries in
                json.list(entries) { json, entry in entry.write(to: &json) }
            }
            if dropped > 0 { json.field("comment", "\(dropped) older entries were dropped") }
            json.endObject()
        }
        json.endObject()
        return json.bytes
    }

    private func write(to json: inout JSONWriter) {
        json.beginObject()
        // The time of an entry begins with what it was blocked for.
        let queued = exchange.timings.queued / .seconds(1)
        json.field("startedDateTime", Self.time(exchange.start.addingTimeInterval(-queued)))
        json.field("time", Self.milliseconds(exchange.timings.total))
        json.field("request", exchange.request) { json, request in request.writeHAR(to: &json) }
        json.field("response", true) { json, _ in writeReply(to: &json) }
        json.field("cache", true) { json, _ in
            json.beginObject()
            json.endObject()
        }
        json.field("timings", exchange.timings) { json, timings in timings.writeHAR(to: &json) }
        json.field("comment", comment)
        json.endObject()
    }

    private var comment: String {
        guard !method.isEmpty else { return "token of \(api)" }
        let name = operation.map { " \($0)" } ?? ""
        return "\(method) of \(api)\(name), attempt \(attempt)"
    }

    private func writeReply(to json: inout JSONWriter) {
        let reply = exchange.reply
        json.beginObject()
        json.field("status", reply?.status ?? 0)
        json.field("statusText", "")
        json.field("httpVersion", "unknown")
        json.field("cookies", [String]())
        json.field("headers", reply?.fields ?? []) { json, fields in json.har(fields) }
        json.field("content", true) { json, _ in writeContent(reply, to: &json) }
        json.field("redirectURL", reply?.fields["location"] ?? "")
        json.field("headersSize", -1)
        // Of a body that came compressed, only the size of what it was is known.
        let isAsSent = reply?.isComplete == true && reply?.fields["content-encoding"] == nil
        json.field("bodySize", isAsSent ? reply?.size : -1)
        json.field("comment", exchange.failure?.message)
        json.endObject()
    }

    private func writeContent(_ reply: ReplyRecord?, to json: inout JSONWriter) {
        json.beginObject()
        json.field("size", reply?.size ?? 0)
        json.field("mimeType", reply?.type ?? "")
        json.field("text", reply?.text)
        if reply?.isTextCut == true { json.field("comment", Self.cutComment) }
        json.endObject()
    }

    /// Of a text that is not whole.
    static let cutComment = "the beginning only"

    /// As of ISO 8601; a clock outside of the years 0 to 9999 is not to be believed.
    private static func time(_ date: Date) -> String {
        DateForm.dateTime.text(for: date) ?? "1970-01-01T00:00:00Z"
    }

    static func milliseconds(_ time: Duration) -> Double {
        let (seconds, rest) = time.components
        return Double(seconds) * 1000 + Double(rest / 1_000_000_000_000) / 1000
    }
}
