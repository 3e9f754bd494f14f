import TelexTesting
import Testing

@testable import TelexOAuth
@testable import TelexRuntime

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

/// A reply with a token.
func granted(_ token: String = "a", _ more: String = "") -> TransportReply {
    .json(#"{"access_token": "\#(token)", "token_type": "Bearer"\#(more)}"#)
}

/// The credential error that `body` must throw.
func credentialError(_ body: () async throws -> Void) async -> CredentialError? {
    await #expect(throws: CredentialError.self) { try await body() }
}
