import Foundation
import HTTPTypes
import Synchronization
import TelexTesting
import Testing

@testable import TelexOAuth
@testable import TelexRuntime

/// Something that tests and the code under test both change.
final class Shared<Value: Sendable>: Sendable {
    private let state: Mutex<Value>

    init(_ value: Value) { state = Mutex(value) }

    var value: Value { state.withLock { $0 } }

    func change<T: Sendable>(_ body: (inout Value) -> T) -> T {
        state.withLock { value in body(&value) }
    }
}

/// A clock that goes on when somebody sleeps, and whose date somebody may set.
final class VirtualTime: Sendable {
    private let seconds = Shared(0)
    private let naps = Shared<[Duration]>([])
    private let shift = Shared(0.0)

    /// How long was slept, each time.
    var slept: [Duration] { naps.value }
    var clock: RuntimeClock {
        RuntimeClock(
            now: { Date(timeIntervalSince1970: Double(self.seconds.value) + self.shift.value) },
            elapsed: { .seconds(self.seconds.value) },
            sleep: { try await self.sleep($0 - .seconds(self.seconds.value)) })
    }

    /// Somebody sets the date.
    func setDate(later seconds: Double) { shift.change { $0 += seconds } }

    /// How long an exchange may take: a time that never passes.
    static let patience = Duration.seconds(3600)

    private func sleep(_ duration: Duration) async throws {
        if duration >= Self.patience { await Gate().wait() }
        try Task.checkCancellation()
        naps.change { $0.append(duration) }
        seconds.change { $0 += Int(duration.components.seconds) }
    }
}

extension OAuthServer {
    static let test = OAuthServer(
        authorization: "https://id.test/authorize?tenant=1", token: "https://id.test/token",
        deviceAuthorization: "https://id.test/device")
}

/// A client of the test server over a transport that answers with a script.
func client(
    _ authentication: ClientAuthentication = .none, server: OAuthServer = .test,
    random: @escaping @Sendable () -> [UInt8] = SecureBytes.random,
    time: VirtualTime = VirtualTime(),
    _ script: @escaping InMemoryTransport.Script
) -> (client: OAuthClient, transport: InMemoryTransport) {
    let transport = InMemoryTransport(script)
    let client = OAuthClient(
        id: "app", authentication: authentication, server: server, transport: transport,
        timeout: VirtualTime.patience, clock: time.clock, random: random)
    return (client, transport)
}

/// A reply that gives a token.
func granted(_ token: String = "a", _ more: String = "") -> TransportReply {
    .json(#"{"access_token": "\#(token)", "token_type": "Bearer"\#(more)}"#)
}

/// The error that something has to end in.
func credentialError(_ body: () async throws -> Void) async -> CredentialError? {
    await #expect(throws: CredentialError.self) { try await body() }
}

/// An authorization server with a page for the browser. Its codes are good once, and only for who
/// has the proof.
final class AuthorizationServer: Sendable {
    /// The challenge and the redirect address of each code.
    private let logins = Shared<[String: [String]]>([:])

    /// What a browser ends at whose user logs in.
    func visit(_ url: String) throws -> String {
        let parts = try #require(URLComponents(string: url))
        let items = (parts.queryItems ?? []).map { ($0.name, $0.value ?? "") }
        let query = Dictionary(uniqueKeysWithValues: items)
        #expect(query["response_type"] == "code")
        #expect(query["code_challenge_method"] == "S256")
        let code = "code/\(logins.value.count)+&"
        let redirect = try #require(query["redirect_uri"])
        let challenge = try #require(query["code_challenge"])
        logins.change { $0[code] = [challenge, redirect] }
        let state = try #require(query["state"])
        return "\(redirect)?code=\(PercentEncoding.component(code))&state=\(state)"
    }

    /// Exchanges a code.
    func token(_ request: SentRequest) -> TransportReply {
        let form = request.form
        guard form["grant_type"] == "authorization_code",
            let login = logins.change({ $0.removeValue(forKey: form["code"] ?? "") }),
            Base64.url(SecureBytes.digest(Array((form["code_verifier"] ?? "").utf8))) == login[0],
            form["redirect_uri"] == login[1]
        else { return .tokenRefusal("invalid_grant") }
        return granted("token", #", "refresh_token": "refresh", "expires_in": 60, "user_id": 7"#)
    }
}
