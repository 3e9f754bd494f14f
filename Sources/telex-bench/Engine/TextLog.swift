import Foundation
import TelexJSON
import TelexRuntime

/// Collects all printable forms of values, by the output in which they would appear.
final class TextLog: APIEventListener {
    /// The output in which a text would appear.
    enum Channel: String, CaseIterable {
        case event = "events"
        case line = "log lines"
        case curl = "cURL commands"
        case har = "HARs"
        case error = "errors"
        case diagnosis = "diagnoses"
        case value = "descriptions"
    }

    let bodyLimit = 1 << 20
    private let lines = Lock<[Channel: [String]]>([:])

    var texts: [Channel: [String]] { lines.withLock { $0 } }

    /// Adds every form in which Swift prints a value.
    func add(_ value: Any, to channel: Channel) {
        var dumped = ""
        dump(value, to: &dumped)
        let mirror = Mirror(reflecting: value).children.map { "\($0.label ?? ""): \($0.value)" }
        add(
            texts: ["\(value)", String(reflecting: value), dumped, mirror.joined(separator: ", ")],
            to: channel)
    }

    func add(texts: [String], to channel: Channel) {
        lines.withLock { $0[channel, default: []] += texts }
    }

    func add(_ error: any Error) {
        add(error, to: .error)
        add(texts: ["\(error.localizedDescription)"], to: .error)
        guard let error = error as? APIError else { return }
        add(error.reason, to: .error)
        add(error.violations, to: .error)
        let facts = [error.code, error.message, error.requestID].compactMap(\.self)
        add(texts: facts, to: .error)
        if let diagnosis = error.diagnosis { add(diagnosis, to: .diagnosis) }
    }

    func handle(_ event: APIEvent) {
        add(event, to: .event)
        add(texts: [Self.line(event)], to: .line)
        switch event.kind {
        case .sending(let request): add(texts: [request.curl, request.description], to: .curl)
        case .received(let exchange), .disconnected(let exchange):
            add(texts: [exchange.request.curl], to: .curl)
            add(exchange, to: .event)
        case .failed(let error): add(error)
        default: break
        }
    }

    /// The line that a logging listener would write: the event and its details.
    private static func line(_ event: APIEvent) -> String {
        var facts = ["api=\(event.api)", "method=\(event.method)", "attempt=\(event.attempt)"]
        if case .sending(let request) = event.kind {
            facts += ["url=\(request.url)"] + request.fields.map { "\($0.name)=\($0.value)" }
        }
        if case .received(let exchange) = event.kind, let reply = exchange.reply {
            facts += ["status=\(reply.status)", "text=\(reply.text ?? "")"]
            facts += reply.fields.map { "\($0.name)=\($0.value)" }
        }
        return "\(event.description) \(facts.joined(separator: " "))"
    }

    /// Adds an archive, as JSON text and without the escapes of JSON.
    func add(_ recorder: HARRecorder) {
        let bytes = recorder.data()
        let parsed = try? JSONSerialization.jsonObject(with: Data(bytes))
        add(texts: [String(decoding: bytes, as: UTF8.self), "\(parsed ?? "")"], to: .har)
    }
}
