import Foundation
import HTTPTypes
import TelexJSON
import TelexRuntime
import TelexTesting
import VKClient

@testable import demo

/// The part of VK that posts photos on a wall, without a network. Each request takes a second of
/// the virtual clock, so that the limit of three requests a second is never reached.
final class ScriptedVKServer: Sendable {
    /// A reply or an error in place of the usual reply; nil for the usual one.
    typealias Trouble = @Sendable (SentRequest) async throws(TransportError) -> TransportReply?

    let clock = VirtualClock()
    /// The valid token.
    let goodToken = Lock("old")
    /// The number of logins.
    let logins = Lock(0)
    private let trouble = Lock<Trouble?>(nil)
    private let log = Lock<[SentRequest]>([])

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
            credentials: .memory(Credential(token: "old", values: ["user_id": "7"]))
        ) {
            $0.refresher = .app { [self] _ in
                logins.withLock { $0 += 1 }
                return Credential(token: goodToken.withLock { $0 }, values: ["user_id": "7"])
            }
            $0.settings = settings
        }
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
        let given = sent.query["ticket"] ?? sent.form["hash"].map { String($0.dropFirst(4)) }
        return FakeVKServer.photoReply(
            to: method, ticket: given ?? "\(requests(method).count)",
            uploadingTo: "https://upload.vk.test/upload")
            ?? #"{"error": {"error_code": 3, "error_msg": "unknown method"}}"#
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
