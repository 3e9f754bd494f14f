import TelexInspection
import TelexJSON

extension InspectedCall {
    /// Writes what a row of the list shows.
    func writeSummary(to json: inout JSONWriter, number: Int) {
        json.beginObject()
        writeSummaryFields(to: &json, number)
        json.endObject()
    }

    private func writeSummaryFields(to json: inout JSONWriter, _ number: Int) {
        json.field("id", number)
        json.field("app", app)
        json.field("api", api)
        json.field("method", method)
        json.field("verb", verb)
        json.field("url", url)
        json.field("status", status)
        json.field("state", state.rawValue)
        json.field("attempts", attempts)
        json.field("owner", owner)
        json.field("queue", queue)
        if !tags.isEmpty { json.field("tags", tags) }
        if isStored { json.field("isStored", true) }
        if isShared { json.field("isShared", true) }
        json.field("start", start)
        json.field("end", end)
        if !deviations.isEmpty { json.field("violations", deviations.count) }
        json.field("bars", bars) { json, bars in
            json.list(bars) { json, bar in
                json.beginArray()
                json.element(bar.kind.rawValue)
                json.element(bar.start - start)
                if let end = bar.end { json.element(end - start) }
                json.endArray()
            }
        }
    }

    /// Writes all of it.
    func writeDetail(
        to json: inout JSONWriter, number: Int, place: (Deviation) -> String?
    ) {
        json.beginObject()
        writeSummaryFields(to: &json, number)
        json.field("notes", notes) { json, notes in
            json.list(notes) { json, note in
                json.beginArray()
                json.element(note.time - start)
                json.element(note.text)
                json.endArray()
            }
        }
        json.field("deviations", deviations) { json, deviations in
            json.list(deviations) { json, deviation in
                json.beginObject()
                json.field("text", deviation.text)
                json.field("place", place(deviation))
                json.endObject()
            }
        }
        json.field("droppedExchanges", droppedExchanges)
        json.field("exchanges", exchanges) { json, exchanges in
            json.list(exchanges) { json, exchange in
                let value = exchange.value
                json.beginObject()
                json.field("attempt", exchange.attempt)
                json.field("entry", value)
                json.field("curl", RequestRecord(entry: value["request"]).curl)
                json.endObject()
            }
        }
        json.endObject()
    }
}

extension InspectedCall.Exchange {
    /// The entry of an archive.
    var value: JSONValue {
        JSONReader.read(entry) { json -> JSONValue? in json.value() }.value ?? .null
    }
}

extension RequestRecord {
    /// The request of an entry of an archive.
    fileprivate init(entry: JSONValue?) {
        let fields = entry?["headers"]?.asArray ?? []
        self.init(
            method: entry?["method"]?.asString ?? "", url: entry?["url"]?.asString ?? "",
            fields: fields.map {
                RecordField($0["name"]?.asString ?? "", $0["value"]?.asString ?? "")
            },
            body: entry?["postData"].map { RequestBodyRecord(entry: $0, size: entry?["bodySize"]) })
    }
}

extension RequestBodyRecord {
    fileprivate init(entry: JSONValue, size: JSONValue?) {
        let parts = entry["params"]?.asArray ?? []
        let (type, text) = (entry["mimeType"]?.asString ?? "", entry["text"]?.asString ?? "")
        self.init(
            type: type.isEmpty ? nil : type, size: size?.asInt.flatMap { $0 < 0 ? nil : $0 },
            parts: parts.map { part in
                BodyPartRecord(
                    name: part["name"]?.asString ?? "", value: part["value"]?.asString,
                    fileName: part["fileName"]?.asString, type: part["contentType"]?.asString)
            }, text: text.isEmpty ? nil : text)
    }
}
