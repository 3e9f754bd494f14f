import HTTPTypes
import TelexJSON
import TelexRuntime
import TelexTesting

/// The servers of a demo app, in the time of a clock: each request takes 2 ms to be sent, 20 ms to be
/// answered and 5 ms to be received.
final class DemoServer: Transport {
    let clock: DemoClock
    private let counts = Lock<[String: Int]>([:])
    private let token = Lock("old")

    init(_ clock: DemoClock) { self.clock = clock }

    func send(_ request: TransportRequest) async throws(TransportError) -> TransportReply {
        clock.pass(.milliseconds(2))
        request.onBodySent?(request.body?.length ?? 0)
        clock.pass(.milliseconds(20))
        let reply = try answer(request)
        let rest = Lock<[UInt8]?>(try await reply.body.collect(upTo: 1 << 20))
        let body = ReplyBody(length: nil) { [clock] () async throws(TransportError) in
            guard let bytes = rest.withLock({ $0.take() }), !bytes.isEmpty else { return nil }
            clock.pass(.milliseconds(5))
            return bytes
        }
        return TransportReply(head: reply.head, body: body)
    }

    /// How often a thing has been asked for, this time included.
    private func count(_ name: String) -> Int {
        counts.withLock { counts in
            counts[name, default: 0] += 1
            return counts[name] ?? 0
        }
    }

    private func answer(_ request: TransportRequest) throws(TransportError) -> TransportReply {
        let path = request.head.path ?? ""
        if path == "/token" {
            token.withLock { $0 = "new" }
            return .json(#"{"access_token": "new", "refresh_token": "r2", "expires_in": 3600}"#)
        }
        if path == "/v1/account", request.head.headerFields[.authorization] != "Bearer new" {
            return .json(#"{"error": {"code": 1, "message": "expired"}}"#, status: .unauthorized)
        }
        let picture = #"{"id": 7, "title": "Dusk"}"#
        switch path.split(separator: "?").first ?? "" {
        case "/v1/account": return .json(#"{"name": "Ann"}"#)
        case "/v1/pictures/search": return try search(path, picture)
        case "/v1/pictures/7/original":
            return .bytes(
                [UInt8](repeating: 7, count: 4096), fields: [.contentType: "image/jpeg"])
        case "/v1/pictures" where path.contains("broken"):
            return .json(#"[{"id": "seven", "title": null}]"#)
        case "/v1/issues": return issues(path)
        case let path where path.hasPrefix("/v1/pictures/") && request.head.method == .patch:
            return .json(picture)
        default: return .json("[\(picture)]")
        }
    }

    private func search(
        _ path: String, _ picture: String
    ) throws(TransportError) -> TransportReply {
        if path.contains("text=none") {
            return .json(#"{"error": {"code": 15, "message": "none"}}"#, status: .notFound)
        }
        if path.contains("text=lost") { throw TransportError(.connectionLost, "it broke") }
        if path.contains("text=busy"), count(path) < 3 {
            return .json("{}", status: .serviceUnavailable)
        }
        return .json("[\(picture)]")
    }

    private func issues(_ path: String) -> TransportReply {
        let page = path.contains("page=3") ? 3 : path.contains("page=2") ? 2 : 1
        var fields: HTTPFields = [:]
        if let total = HTTPField.Name("X-Total-Count") { fields[total] = "3" }
        if page < 3, let link = HTTPField.Name("Link") {
            fields[link] = "<https://api.tracker.example/v1/issues?page=\(page + 1)>; rel=\"next\""
        }
        return .json(#"[{"id": \#(page), "title": "It crashes"}]"#, fields: fields)
    }
}
