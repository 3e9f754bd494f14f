import TelexTesting
import Testing

@testable import TelexOAuth
@testable import TelexRuntime

/// The reply that begins a login on another device.
private let began = TransportReply.json(
    #"""
    {"device_code": "d", "user_code": "u", "verification_uri": "https://id.test/go",
    "expires_in": 100}
    """#)

@Suite("A login that was begun by one client")
struct MixUpTests {
    /// A client of the test server whose codes no other client may get.
    private let honest = client { request in
        request.head.path == "/device" ? began : granted()
    }.client

    /// Other clients, which must not send a request.
    private var others: [(name: String, client: OAuthClient)] {
        var server = OAuthServer.test
        server.token = "https://evil.test/token?key=hunter2"
        let transport = InMemoryTransport { _ in
            Issue.record("something was sent")
            return granted()
        }
        return [
            (
                "the client `app` of https://evil.test/token?‹redacted›",
                OAuthClient(id: "app", server: server, transport: transport)
            ),
            (
                "the client `app2` of https://id.test/token",
                OAuthClient(id: "app2", server: .test, transport: transport)
            ),
        ]
    }

    private func check(_ error: CredentialError?, names other: String) {
        #expect(error?.reason == .invalidRequest)
        #expect(
            error?.description
                == "this login was begun by the client `app` of https://id.test/token and cannot be "
                + "ended by \(other): its code is for no other client")
    }

    @Test("a browser login is not completed by another client, which would get code and verifier")
    func code() async throws {
        let login = try honest.authorizationRequest(redirectURI: "app:/")
        for (name, other) in others {
            let error = await credentialError {
                _ = try await other.credential(
                    for: login, redirectedTo: "app:/?code=c&state=\(login.state)")
            }
            check(error, names: name)
        }
    }

    @Test("a login on another device is not completed by another client, which would get its code")
    func device() async throws {
        let login = try await honest.deviceAuthorization()
        for (name, other) in others {
            check(
                await credentialError { _ = try await other.credential(for: login) }, names: name)
        }
    }

    @Test("a login that was begun by one client is completed by an equivalent client")
    func same() async throws {
        var server = OAuthServer.test
        server.authorization = nil
        let (again, _) = client(server: server) { _ in granted("t") }
        let login = try honest.authorizationRequest(redirectURI: "app:/")
        let first = try await again.credential(
            for: login, redirectedTo: "app:/?code=c&state=\(login.state)")
        let second = try await again.credential(for: honest.deviceAuthorization())
        #expect(first.token == "t" && second.token == "t")
    }
}
