import Foundation
import HTTPTypes
import Synchronization
import TelexRuntime
import TelexTesting
import VKClient

/// The part of VK that posts photos on a wall, without a network. Each request takes a second of
/// the virtual clock, so that the limit of three requests a second is never reached.
final class ScriptedVKServer: Sendable {
    /// A reply or an error in place of the usual reply; nil for the usual one.
    typealias Trouble = @Sendable (SentRequest) async throws(TransportError) -> TransportReply?

    let clock = VirtualClock()
    /// The valid token.
    let goodToken = Mutex("old")
    /// The number of logins.
    let logins = Mutex(0)
    private let trouble = Mutex<Trouble?>(nil)
    private let log = Mutex<[SentRequest]>([])

    /// The names of the called methods in order, including refused calls.
    var calls: [String] { log.withLock { $0.map(\.name) } }

    /// The requests of a method.
    func requests(_ method: String) -> [SentRequest] {
        log.withLock { $0.filter { $0.name == method } }
    }

    /// Lets `trouble` answer the following requests first.
    func meet(_ trouble: @escaping Trouble) { self.trouble.withLock { $0 = trouble } }

    /// A transport to this server.
    var transport: InMemoryTransport {
        InMemoryTransport { [self] sent throws(TransportError) in try await answer(sent) }
    }

    /// Settings with the virtual clock.
    var settings: EngineSettings { EngineSettings(clock: clock.runtimeClock, seed: 1) }

    /// A client of this server, whose user logs in again when necessary.
    func manager() -> APIManager<VK> {
        APIManager<VK>(
            transport: transport,
            credentials: .memory(Credential(token: "old", values: ["user_id": "7"])),
            refresher: .app { [self] _ in
                logins.withLock { $0 += 1 }
                return Credential(token: goodToken.withLock { $0 }, values: ["user_id": "7"])
            }, settings: settings)
    }

    private func answer(_ sent: SentRequest) async throws(TransportError) -> TransportReply {
        log.withLock { $0.append(sent) }
        clock.advance(by: .seconds(1))
        if let trouble = trouble.withLock({ $0 }), let reply = try await trouble(sent) {
            return reply
        }
        if sent.name != "upload", sent.query["access_token"] != goodToken.withLock({ $0 }) {
            return .json(#"{"error": {"error_code": 5, "error_msg": "the token has expired"}}"#)
        }
        return .json(answer(sent.name, sent))
    }

    private func answer(_ method: String, _ sent: SentRequest) -> String {
        switch method {
        case "photos.getWallUploadServer":
            let url = "https://upload.vk.test/upload?ticket=\(requests(method).count)"
            return #"{"response": {"upload_url": "\#(url)", "album_id": -14, "user_id": 7}}"#
        case "upload":
            let ticket = sent.query["ticket"] ?? ""
            return #"{"server": 9, "photo": "photo of \#(ticket)", "hash": "hash\#(ticket)"}"#
        case "photos.saveWallPhoto":
            let number = sent.form["hash"]?.dropFirst(4) ?? ""
            return """
                {"response": [{"id": 10\(number), "owner_id": 7, "album_id": -14, "date": 1700000000,
                 "has_tags": false}]}
                """
        case "wall.post": return #"{"response": {"post_id": 55}}"#
        default: return #"{"error": {"error_code": 3, "error_msg": "unknown method"}}"#
        }
    }
}

extension SentRequest {
    /// The last part of the path: the name of the method.
    var name: String {
        let path = head.path?.prefix { $0 != "?" } ?? ""
        return path.split(separator: "/").last.map(String.init) ?? ""
    }

    /// The parameters of the query, decoded.
    var query: [String: String] {
        let items = URLComponents(string: head.path ?? "")?.queryItems ?? []
        return Dictionary(items.map { ($0.name, $0.value ?? "") }) { first, _ in first }
    }
}
