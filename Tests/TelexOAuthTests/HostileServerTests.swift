import Foundation
import HTTPTypes
import TelexTesting
import Testing

@testable import TelexOAuth
@testable import TelexRuntime

@Suite("Unusual servers and browsers")
struct HostileServerTests {
    @Test(
        "a redirect URI may differ in the spellings that browsers change",
        arguments: [
            ("https://app.test", "https://app.test/"),
            ("https://App.Test/in", "https://app.test/in"),
            ("https://app.test:443/in", "https://app.test/in"),
            ("http://127.0.0.1:80/in?x=1", "http://127.0.0.1/in"),
        ])
    func browser(_ registered: String, _ shown: String) async throws {
        let (client, _) = TelexOAuthTests.client { _ in granted() }
        let request = try client.authorizationRequest(redirectURI: registered)
        let credential = try await client.credential(
            for: request, redirectedTo: "\(shown)?code=a&state=\(request.state)")
        #expect(credential.token == "a")
    }

    @Test(
        "a different redirect URI is refused",
        arguments: [
            ("https://app.test/in", "https://app.test/In"),
            ("https://app.test/in", "https://app.test/in/"),
            ("https://app.test/in", "http://app.test/in"),
            ("https://app.test", "https://app.test.evil/"),
            ("https://app.test/in", "https://app.test:8443/in"),
        ])
    func other(_ registered: String, _ shown: String) async throws {
        let (client, _) = TelexOAuthTests.client { _ in granted() }
        let request = try client.authorizationRequest(redirectURI: registered)
        let error = await credentialError {
            _ = try await client.credential(
                for: request, redirectedTo: "\(shown)?code=a&state=\(request.state)")
        }
        #expect(error?.reason == .invalidRedirect)
    }

    @Test(
        "an error page of a server that is down is a temporary failure",
        arguments: [
            (503, #"{"status": 503, "error": "Service Unavailable", "path": "/token"}"#),
            (429, #"{"error": "too_many_requests"}"#),
            (500, #"{"error": "Internal Server Error"}"#),
        ])
    func down(_ status: Int, _ body: String) async throws {
        let (client, _) = TelexOAuthTests.client { _ in
            .json(body, status: .init(code: status))
        }
        let error = await credentialError { _ = try await client.clientCredential() }
        #expect(error?.isTemporary == true)
        #expect(error?.needsLogin == false)
    }

    @Test("an oversized error page is a temporary failure")
    func page() async throws {
        let (client, _) = TelexOAuthTests.client { _ in
            .bytes(
                [UInt8](repeating: 0x20, count: TokenReply.maximumBytes + 1),
                status: .serviceUnavailable)
        }
        let error = await credentialError { _ = try await client.clientCredential() }
        #expect(error?.reason == .status(503))
        #expect(error?.isTemporary == true)
    }
}
