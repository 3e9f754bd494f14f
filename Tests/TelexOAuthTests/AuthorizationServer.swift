import Foundation
import TelexTesting
import Testing

@testable import TelexOAuth
@testable import TelexRuntime

/// An authorization server with a login page. Each code is valid once, and only with its PKCE
/// verifier.
final class AuthorizationServer: Sendable {
    /// The challenge and the redirect URI of each code.
    private let logins = LockedValue<[String: [String]]>([:])

    /// The URL to which the page redirects after a login.
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
