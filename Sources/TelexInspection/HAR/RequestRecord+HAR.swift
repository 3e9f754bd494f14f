import TelexJSON
import TelexTransport

extension ExchangeTimings {
    /// The time from the start of queueing to the last byte: the sum of the times that `writeHAR`
    /// writes.
    package var total: Duration { queued.wholeMicroseconds + lastByte.wholeMicroseconds }

    /// Writes all times in milliseconds; -1 stands for a time that is unknown or does not apply.
    func writeHAR(to json: inout JSONWriter) {
        let queued = queued.wholeMicroseconds
        let lastByte = lastByte.wholeMicroseconds
        let sent = min(sent?.wholeMicroseconds ?? .zero, lastByte)
        let first = min(max(firstByte?.wholeMicroseconds ?? lastByte, sent), lastByte)
        json.beginObject()
        json.field("blocked", HAREntry.milliseconds(queued))
        json.field("dns", -1)
        json.field("connect", -1)
        json.field("ssl", -1)
        json.field("send", HAREntry.milliseconds(sent))
        json.field("wait", HAREntry.milliseconds(first - sent))
        json.field("receive", HAREntry.milliseconds(lastByte - first))
        json.endObject()
    }
}

extension Duration {
    /// The duration in whole microseconds, the precision of the archive, so that the written parts
    /// of a time add up to the written total.
    fileprivate var wholeMicroseconds: Duration {
        let (seconds, rest) = components
        return .seconds(seconds) + .microseconds(rest / Int64(1_000_000_000_000))
    }
}

extension RequestRecord {
    func writeHAR(to json: inout JSONWriter) {
        json.beginObject()
        json.field("method", method)
        json.field("url", url)
        json.field("httpVersion", "unknown")
        json.field("cookies", [String]())
        json.field("headers", fields) { json, fields in json.har(fields) }
        json.field("queryString", queryFields) { json, fields in json.har(fields) }
        json.field("postData", body) { json, body in body.writeHAR(to: &json) }
        json.field("headersSize", -1)
        json.field("bodySize", body.map { $0.size ?? -1 } ?? 0)
        json.endObject()
    }

    /// The percent-decoded query parameters.
    private var queryFields: [RecordField] {
        guard let mark = url.firstIndex(of: "?") else { return [] }
        return url[mark...].dropFirst().split(separator: "&").map { item in
            let name = item.prefix { $0 != "=" }
            let value = item[name.endIndex...].dropFirst()
            return RecordField(
                PercentEncoding.decode(name), PercentEncoding.decode(value))
        }
    }
}

extension RequestBodyRecord {
    func writeHAR(to json: inout JSONWriter) {
        json.beginObject()
        json.field("mimeType", type ?? "")
        // The HAR format allows either `text` or `params`. Browsers write both for forms and
        // display only `text`.
        json.field("text", sentText ?? "")
        if !parts.isEmpty {
            json.field("params", parts) { json, parts in
                json.list(parts) { json, part in part.writeHAR(to: &json) }
            }
        }
        json.endObject()
    }
}

extension BodyPartRecord {
    fileprivate func writeHAR(to json: inout JSONWriter) {
        json.beginObject()
        json.field("name", name)
        json.field("value", value)
        json.field("fileName", fileName)
        json.field("contentType", type)
        json.endObject()
    }
}

extension JSONWriter {
    /// Writes fields as an array of HAR `name`/`value` objects.
    package mutating func har(_ fields: [RecordField]) {
        list(fields) { json, field in
            json.beginObject()
            json.field("name", field.name)
            json.field("value", field.value)
            json.endObject()
        }
    }
}
