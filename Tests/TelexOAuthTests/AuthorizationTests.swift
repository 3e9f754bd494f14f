import Foundation
import TelexTesting
import Testing

@testable import TelexOAuth
@testable import TelexRuntime

private let home = "com.example.app:/login"

@Suite("A login in the browser")
struct AuthorizationTests {
    private let server = AuthorizationServer()

    private var client: OAuthClient {
        TelexOAuthTests.client { [server] request in server.token(request) }.client
    }

    /// A client that must not send a request.
    private var silent: OAuthClient {
        TelexOAuthTests.client { _ in
            Issue.record("something was sent")
            return .bytes()
        }.client
    }

    @Test("a login in the browser gets a credential for the code, with the PKCE verifier")
    func flow() async throws {
        let request = try client.authorizationRequest(redirectURI: home, scopes: ["a", "b:c"])
        let credential = try await client.credential(
            for: request, redirectedTo: server.visit(request.url))
        #expect(
            credential
                == Credential(
                    token: "token", values: ["user_id": "7", "scope": "a b:c"],
                    expiry: Date(timeIntervalSince1970: 60), refreshToken: "refresh"))
    }

    @Test("a browser login opens the page with encoded parameters, and keeps those of its address")
    func address() throws {
        let (client, _) = TelexOAuthTests.client(random: { Array(0..<32) }) { _ in .bytes() }
        let request = try client.authorizationRequest(
            redirectURI: "https://app.test/in?x=1&y", scopes: ["a", "b"],
            parameters: ["prompt": "log in & go"])
        let state = "AAECAwQFBgcICQoLDA0ODxAREhMUFRYXGBkaGxwdHh8"
        #expect(
            request.url
                == "https://id.test/authorize?tenant=1&response_type=code&client_id=app"
                + "&redirect_uri=https%3A%2F%2Fapp.test%2Fin%3Fx%3D1%26y&state=\(state)"
                + "&code_challenge=\(PKCE(Array(0..<32)).challenge)"
                + "&code_challenge_method=S256&scope=a%20b&prompt=log%20in%20%26%20go")
    }

    @Test("a browser login sends code, redirect URI, verifier and client to the token endpoint")
    func exchange() async throws {
        let (client, transport) = TelexOAuthTests.client(.post(secret: "s")) { _ in granted() }
        let request = try client.authorizationRequest(redirectURI: home)
        _ = try await client.credential(
            for: request, redirectedTo: "COM.example.App:/login?state=\(request.state)&code=a%2Bb+c"
        )
        #expect(
            transport.requests.first?.form == [
                "grant_type": "authorization_code", "code": "a+b c", "redirect_uri": home,
                "code_verifier": request.verifier, "client_id": "app", "client_secret": "s",
            ])
    }

    /// Answers a code exchange with one of its possible outcomes.
    private func answer(
        _ number: Int, to request: SentRequest
    ) throws(TransportError) -> TransportReply {
        switch number {
        case 0: return server.token(request)
        case 1: return .tokenRefusal("invalid_grant")
        case 2: return .bytes(status: .badGateway)
        default: throw TransportError(.timedOut, "silence")
        }
    }

    @Test(
        "a login in the browser can be used once, however it ends, and sends its code once",
        arguments: 0..<4)
    func once(number: Int) async throws {
        let (client, transport) = TelexOAuthTests.client { request throws(TransportError) in
            try answer(number, to: request)
        }
        let request = try client.authorizationRequest(redirectURI: home)
        let redirect = try server.visit(request.url)
        _ = try? await client.credential(for: request, redirectedTo: redirect)
        let error = await credentialError {
            _ = try await client.credential(for: request, redirectedTo: redirect)
        }
        #expect(error?.reason == .invalidRequest)
        #expect(
            error?.description
                == "the code of this login was already sent and is valid once; start a new login")
        #expect(transport.requests.count == 1)
    }

    @Test("a login in the browser can be used once, also through concurrent copies")
    func together() async throws {
        let (client, transport) = TelexOAuthTests.client { [server] in server.token($0) }
        let request = try client.authorizationRequest(redirectURI: home)
        let redirect = try server.visit(request.url)
        await withTaskGroup { group in
            for _ in 0..<20 {
                group.addTask {
                    _ = try? await client.credential(for: request, redirectedTo: redirect)
                }
            }
        }
        #expect(transport.requests.count == 1)
    }

    @Test("a login in the browser can still be used if it was cancelled before its code was sent")
    func givenUp() async throws {
        let (client, transport) = TelexOAuthTests.client { [server] in server.token($0) }
        let request = try client.authorizationRequest(redirectURI: home)
        let redirect = try server.visit(request.url)
        let ending = Task {
            withUnsafeCurrentTask { $0?.cancel() }
            return try await client.credential(for: request, redirectedTo: redirect)
        }
        await #expect(throws: CancellationError.self) { try await ending.value }
        #expect(transport.requests.isEmpty)
        _ = try await client.credential(for: request, redirectedTo: redirect)
    }

    @Test("a login in the browser can still be used after a foreign answer or a failed connection")
    func stillGood() async throws {
        let tries = LockedValue(0)
        let (client, _) = TelexOAuthTests.client { [server] request throws(TransportError) in
            guard
                tries.change({
                    $0 += 1; return $0
                }) > 1
            else {
                throw TransportError(.offline, "offline")
            }
            return server.token(request)
        }
        let request = try client.authorizationRequest(redirectURI: home)
        let redirect = try server.visit(request.url)
        for answer in ["\(home)?code=c&state=other", redirect] {
            let error = await credentialError {
                _ = try await client.credential(for: request, redirectedTo: answer)
            }
            #expect(error?.reason != .invalidRequest)
        }
        let credential = try await client.credential(for: request, redirectedTo: redirect)
        #expect(credential.token == "token")
    }

    @Test("a login in the browser refuses the answer to another login")
    func state() async throws {
        let request = try silent.authorizationRequest(redirectURI: home)
        let other = try silent.authorizationRequest(redirectURI: home)
        for answer in [
            "code=c", "state=", "code=c&state=\(other.state)", "error=access_denied",
            "error=access_denied&state=\(other.state)", "code=c&state=\(request.state)x",
            "code=c&state=\(request.state)&state=\(request.state)", "",
        ] {
            let error = await credentialError {
                _ = try await silent.credential(
                    for: request, redirectedTo: "\(home)?\(answer)")
            }
            #expect(error?.reason == .invalidRedirect)
            #expect(error?.description.contains("state") == true)
            #expect(error?.description.contains(other.state) == false)
        }
    }

    @Test("a browser login refuses an answer at another address, or without exactly one code")
    func place() async throws {
        let request = try silent.authorizationRequest(redirectURI: home)
        let state = "state=\(request.state)"
        for redirect in [
            "com.example.app:/other?code=c&\(state)", "evil:/login?code=c&\(state)", "",
            "?\(state)",
            "\(home).evil?code=c&\(state)", "\(home)#code=c&\(state)", "\(home)?\(state)",
            "\(home)?\(state)&code=", "\(home)?\(state)&code=a&code=b",
            "\(home)?\(state)&code=" + String(repeating: "c", count: 100_000),
        ] {
            let error = await credentialError {
                _ = try await silent.credential(for: request, redirectedTo: redirect)
            }
            #expect(error?.reason == .invalidRedirect)
        }
    }

    @Test("a login in the browser refuses an answer of another issuer")
    func issuer() async throws {
        var named = OAuthServer.test
        named.issuer = "https://id.test"
        let (client, transport) = TelexOAuthTests.client(server: named) { [server] request in
            server.token(request)
        }
        let request = try client.authorizationRequest(redirectURI: home)
        let answer = try server.visit(request.url)
        for issuer in [
            "", "&iss=", "&iss=https%3A%2F%2Fid.test%2F", "&iss=https%3A%2F%2Fevil.test",
        ] {
            let error = await credentialError {
                _ = try await client.credential(for: request, redirectedTo: answer + issuer)
            }
            #expect(error?.reason == .invalidRedirect)
            #expect(error?.description.contains("another server than `https://id.test`") == true)
        }
        #expect(transport.requests.isEmpty)
        let credential = try await client.credential(
            for: request, redirectedTo: answer + "&iss=https%3A%2F%2Fid.test")
        #expect(credential.token == "token")
    }

    @Test("a login in the browser reports the source and reason of a refusal")
    func refused() async throws {
        let request = try silent.authorizationRequest(redirectURI: home)
        let error = await credentialError {
            _ = try await silent.credential(
                for: request,
                redirectedTo: "\(home)?error=access_denied&error_description=The+user%0Asaid+no"
                    + "&state=\(request.state)#_=_")
        }
        #expect(error?.reason == .refused(.accessDenied))
        #expect(error?.needsLogin == true)
        #expect(
            error?.description
                == "the authorization server refused: access_denied (it says: The usersaid no); "
                + "log in again")
    }

    @Test(
        "a login in the browser refuses redirect URIs that another app could receive",
        arguments: [
            "", "login", "/login", ":/login", "http://app.test/", "https://app.test/#a", "a b:/x",
            "1:/x", "-:/x", ".app:/x", "a_b:/x", "ä:/x",
            "http://127.0.0.1.evil.test/", "http://127.0.0.-0/cb", "http://127.0.0.0001/",
        ])
    func redirectURI(address: String) async {
        let error = await credentialError {
            _ = try silent.authorizationRequest(redirectURI: address)
        }
        #expect(error?.reason == .invalidRequest)
    }

    @Test(
        "a browser login refuses duplicate parameters in the page's address or the answer",
        arguments: ["response_type", "client_id", "redirect_uri", "state", "scope", "tenant"])
    func doubledInPage(name: String) async {
        var server = OAuthServer.test
        server.authorization = "https://id.test/authorize?x&\(name.replacing("_", with: "%5F"))=1"
        let (client, _) = TelexOAuthTests.client(server: server) { _ in .bytes() }
        let error = await credentialError {
            _ = try client.authorizationRequest(
                redirectURI: home, scopes: ["a"], parameters: ["tenant": "2"])
        }
        #expect(error?.reason == .invalidRequest)
        #expect(
            error?.description
                == "the authorization address has a parameter `\(name)` of its own, which would be "
                + "there twice")
    }

    @Test(
        "a login in the browser refuses a redirect URI with a parameter of the answer",
        arguments: ["code", "state", "error", "error_description", "error_uri", "iss"])
    func doubledInAnswer(name: String) async {
        for address in ["https://app.test/in?x=1&\(name)=2", "\(home)?\(name)"] {
            let error = await credentialError {
                _ = try silent.authorizationRequest(redirectURI: address)
            }
            #expect(error?.reason == .invalidRequest)
            #expect(error?.description.contains("a parameter `\(name)` of its own") == true)
        }
    }

    @Test("a login in the browser accepts loopback redirect URIs")
    func loopback() throws {
        for address in ["http://127.0.0.1:5000/", "http://[::1]:5000/", "https://app.test/in"] {
            #expect(
                try silent.authorizationRequest(redirectURI: address).redirectURI == address)
        }
    }

    @Test("a login in the browser is not begun with invalid parameters")
    func invalid() async {
        var server = OAuthServer.test
        server.authorization = nil
        let (pageless, _) = TelexOAuthTests.client(server: server) { _ in .bytes() }
        server.authorization = "http://id.test/"
        let (open, _) = TelexOAuthTests.client(server: server) { _ in .bytes() }
        let attempts: [() throws -> Void] = [
            { _ = try pageless.authorizationRequest(redirectURI: home) },
            { _ = try open.authorizationRequest(redirectURI: home) },
            { _ = try silent.authorizationRequest(redirectURI: home, scopes: ["a b"]) },
            { _ = try silent.authorizationRequest(redirectURI: home, scopes: [""]) },
            { _ = try silent.authorizationRequest(redirectURI: home, parameters: ["state": "x"]) },
        ]
        for attempt in attempts {
            #expect(await credentialError(attempt)?.reason == .invalidRequest)
        }
    }
}
