import Foundation
import TelexInspector
import TelexRuntime

/// Calls that are recorded by hand.
enum HostileCall {
    /// What a page would run if it took texts for markup.
    static let texts = [
        "<script>alert(1)</script>", "</script><script>alert(2)</script>",
        "<img src=x onerror=alert(3)>", "javascript:alert(4)", "\"><svg onload=alert(5)>",
        "'-alert(6)-'", "</style></title><iframe srcdoc='<script>parent.alert(7)</script>'>",
        "${alert(8)}", "{{constructor.constructor('alert(9)')()}}", "]]><!--<script>alert(10)",
        "\u{202E}<b onclick=alert(11)>\u{0}\u{2028}alert(12)",
    ]

    /// A call that has a text in all places.
    static func call(_ text: String) -> InspectedCall {
        let fields = [RecordField(text, text), RecordField("Content-Type", text)]
        let request = RequestRecord(
            method: text, url: "https://a.test/?\(text)=\(text)", fields: fields,
            body: RequestBodyRecord(
                type: text, size: 9, parts: [BodyPartRecord(name: text, value: text)], text: text))
        let exchange = ExchangeRecord(
            request: request,
            reply: ReplyRecord(status: 200, fields: fields, size: 9, text: text),
            failure: TransportError(.other, text),
            start: Date(timeIntervalSince1970: 1_790_000_000),
            timings: ExchangeTimings(lastByte: .milliseconds(5)))
        var call = InspectedCall(
            app: text, api: text, method: text, exchange: exchange,
            deviations: [.init(path: text, text: text, place: text)], notes: [text])
        (call.owner, call.queue, call.tags) = (text, text, [text])
        return call
    }

    /// A call like thousands of others.
    static func plain(_ number: Int) -> InspectedCall {
        let start = Date(timeIntervalSince1970: 1_790_000_000 + Double(number) / 10)
        let request = RequestRecord(method: "GET", url: "https://a.test/items/\(number)")
        return InspectedCall(
            app: "Mock", api: "Items", method: "items.get",
            exchange: ExchangeRecord(
                request: request, reply: ReplyRecord(status: 200, size: 2, text: "{}"),
                start: start,
                timings: ExchangeTimings(
                    sent: .milliseconds(1), firstByte: .milliseconds(40),
                    lastByte: .milliseconds(60))))
    }
}
