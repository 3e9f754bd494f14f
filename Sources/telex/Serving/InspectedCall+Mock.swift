import Foundation
import HTTPTypes
import SpecMock
import TelexInspection
import TelexInspector

extension InspectedCall {
    /// An exchange of a mock. What a client sends may be real, so secrets are removed.
    init(_ exchange: MockExchange, of api: String) {
        let (request, reply) = (exchange.request, exchange.reply)
        let type = request.fields[.contentType]
        let body =
            request.body.isEmpty
            ? nil
            : RequestBodyRecord(
                type: type, size: request.body.count,
                text: Redactor().text(of: request.body, type: type))
        let record = RequestRecord(
            method: request.method,
            url: "http://\(request.authority ?? "")" + Self.target(request.target),
            fields: request.fields.records, body: body)
        let head = reply.head
        let sent = reply.body
        self.init(
            app: "telex mock", api: api, method: exchange.method ?? "-",
            exchange: ExchangeRecord(
                request: record,
                reply: head.map { head in
                    ReplyRecord(
                        status: head.status.code, fields: head.headerFields.records,
                        size: sent.count,
                        text: Redactor().text(of: sent, type: head.headerFields[.contentType]))
                },
                start: exchange.started,
                timings: ExchangeTimings(
                    firstByte: exchange.duration, lastByte: exchange.duration)),
            notes: exchange.note.isEmpty ? [] : [exchange.note])
    }

    /// The path, and the query without the values of secret names.
    private static func target(_ text: String) -> String {
        let parts = text.split(separator: "?", maxSplits: 1, omittingEmptySubsequences: false)
        guard parts.count == 2 else { return text }
        let query = Redactor().text(
            of: Array(parts[1].utf8), type: "application/x-www-form-urlencoded")
        return parts[0] + "?" + (query ?? Redactor.mark)
    }
}

extension HTTPFields {
    fileprivate var records: [RecordField] {
        map { field in
            let name = field.name.rawName
            return RecordField(name, Redactor.isSecretHeader(name) ? Redactor.mark : field.value)
        }
    }
}
