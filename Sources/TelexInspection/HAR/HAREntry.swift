import TelexJSON
import TelexTransport
import TelexValues

#if canImport(FoundationEssentials)
    import FoundationEssentials
#else
    import Foundation
#endif

/// One entry of an HTTP archive (HAR).
package struct HAREntry: Sendable {
    package let exchange: ExchangeRecord
    package let api: String
    package let method: String
    package let operation: String?
    package let attempt: Int

    /// Makes an entry of an exchange of a call, or of a token request, for which `method` is empty.
    package init(
        _ exchange: ExchangeRecord, api: String, method: String, operation: String?, attempt: Int
    ) {
        self.exchange = exchange
        self.api = api
        self.method = method
        self.operation = operation
        self.attempt = attempt
    }

    /// The approximate size of the entry's text in bytes.
    package var size: Int {
        let fields = exchange.request.fields + (exchange.reply?.fields ?? [])
        let parts = exchange.request.body?.parts ?? []
        return fields.reduce(exchange.request.url.utf8.count + 256) {
            $0 + $1.name.utf8.count + $1.value.utf8.count
        } + parts.reduce(0) { $0 + $1.name.utf8.count + ($1.value?.utf8.count ?? 0) }
            + (exchange.request.body?.text?.utf8.count ?? 0)
            + (exchange.reply?.text?.utf8.count ?? 0)
    }

    /// Returns the archive as one JSON document.
    package static func archive(_ entries: [HAREntry], dropped: Int) -> [UInt8] {
        archive(entries, dropped: dropped) { json, entry in entry.write(to: &json) }
    }

    /// Returns an archive of entries that a function writes.
    package static func archive<Entry>(
        _ entries: [Entry], dropped: Int, _ write: (inout JSONWriter, Entry) -> Void
    ) -> [UInt8] {
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
                json.list(entries, write)
            }
            if dropped > 0 { json.field("comment", "\(dropped) older entries were dropped") }
            json.endObject()
        }
        json.endObject()
        return json.bytes
    }

    /// Writes the entry as one JSON object.
    package func write(to json: inout JSONWriter) {
        json.beginObject()
        // The time of an entry includes the time in the queue (`blocked`), so it starts before the
        // exchange does.
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
        // The compressed size is unknown: only the bytes after decompression were counted.
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
        json.endObject()
    }

    /// The date in ISO 8601 format; the epoch for a date outside the years 0 to 9999, which a
    /// misconfigured clock may return.
    private static func time(_ date: Date) -> String {
        CivilDate(date)?.dateTime ?? "1970-01-01T00:00:00Z"
    }

    package static func milliseconds(_ time: Duration) -> Double {
        let (seconds, rest) = time.components
        return Double(seconds) * 1000 + Double(rest / Int64(1_000_000_000_000)) / 1000
    }
}
