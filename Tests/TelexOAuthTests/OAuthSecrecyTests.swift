import TelexJSON
import TelexTesting
import Testing

@testable import TelexOAuth
@testable import TelexRuntime

/// Random secrets, one of each kind.
private struct Secrets {
    let all: [String]

    init() {
        let tails = ["", " &+%", "/=\"\\", "~é"]
        all = (0..<8).map { "taint-\(Base64.url(SecureBytes.random()))\(tails[$0 % 4])" }
    }

    var client: String { all[0] }
    var token: String { Base64.url(all[1].utf8) }
    var refresh: String { Base64.url(all[2].utf8) }
    var code: String { all[3] }

    /// The encodings in which a secret could appear.
    func forms(_ more: [String]) -> [String] {
        (all + [token, refresh] + more).flatMap { secret in
            [
                secret, PercentEncoding.component(secret), PercentEncoding.form(secret),
                Base64.standard(secret.utf8), Base64.standard("app:\(secret)".utf8),
                Base64.standard("app:\(PercentEncoding.form(secret))".utf8),
            ]
        }
    }
}

@Suite("Secrets of OAuth")
struct OAuthSecrecyTests {
    /// All texts that printing a value could produce.
    private func texts(_ value: Any) -> String {
        var dumped = ""
        dump(value, to: &dumped)
        return "\(value)\n\(String(reflecting: value))\n\(dumped)"
    }

    /// Replies in which a server repeats everything it has received.
    private func echoes(_ request: SentRequest) -> [TransportReply] {
        let heard = [request.text, request.head.headerFields[.authorization] ?? ""]
        let said = (heard + request.form.values).joined(separator: " \u{301}")
        var json = JSONWriter()
        json.value(said)
        let words = String(decoding: json.bytes, as: UTF8.self)
        return [
            .json(#"{"error": "invalid_grant", "error_description": \#(words)}"#),
            .json(#"{"error": \#(words)}"#, status: .badRequest),
            .json(#"{\#(words): \#(words)}"#), .json(words), .json("{\(words)"),
            .json(#"{"access_token": \#(words), "token_type": \#(words)}"#),
            .json(#"{"access_token": "a", "token_type": \#(words)}"#),
            .bytes(Array(said.utf8), status: .internalServerError),
            .bytes(status: .found, fields: [.location: "https://evil.test/?\(request.text)"]),
        ]
    }

    /// Records an issue if the text contains a secret.
    private func check(_ text: String, _ secrets: Secrets, _ more: [String] = []) {
        let bytes = Array(text.utf8)
        for form in secrets.forms(more) {
            #expect(!bytes.contains(Array(form.utf8)), "a secret is shown")
        }
    }

    @Test("secrets of OAuth are in no error, however the server encodes them")
    func errors() async throws {
        for number in 0..<9 {
            for isBasic in [true, false] {
                let secrets = Secrets()
                let authentication: ClientAuthentication =
                    isBasic ? .basic(secret: secrets.client) : .post(secret: secrets.client)
                let (client, _) = client(authentication) { echoes($0)[number] }
                let login = try client.authorizationRequest(redirectURI: "app:/")
                let code = PercentEncoding.component(secrets.code)
                let old = Credential(token: secrets.token, refreshToken: secrets.refresh)
                let more = [login.state, login.verifier]
                let refusing = await credentialError { _ = try await client.refreshed(old) }
                let exchanging = await credentialError {
                    _ = try await client.credential(
                        for: login, redirectedTo: "app:/?state=\(login.state)&code=\(code)")
                }
                for error in [refusing, exchanging] {
                    #expect(error != nil)
                    check(texts(error as Any), secrets, more)
                }
            }
        }
    }

    @Test("secrets of OAuth are in no error of a server that repeats an old token unprompted")
    func oldToken() async {
        let secrets = Secrets()
        let (client, _) = client { _ in .tokenRefusal("invalid_grant", "not \(secrets.token)") }
        let old = Credential(token: secrets.token, refreshToken: secrets.refresh)
        let error = await credentialError { _ = try await client.refreshed(old) }
        #expect(error != nil)
        check(texts(error as Any), secrets)
    }

    @Test("secrets are in no error of a server that repeats other values of the old credential")
    func oldFacts() async {
        let secrets = Secrets()
        let (client, _) = client { _ in
            .tokenRefusal("invalid_grant", "\(secrets.token) of \(secrets.refresh)")
        }
        let old = Credential(
            token: "hunter2", values: ["id_token": secrets.token, "device": secrets.refresh],
            refreshToken: "swordfish")
        let error = await credentialError { _ = try await client.refreshed(old) }
        #expect(error?.description.contains("it says: ") == true)
        check(texts(error as Any), secrets)
    }

    @Test("secrets of OAuth are in no error of a server whose tokens lie deep in its replies")
    func nested() async {
        let secrets = Secrets()
        let server = OAuthServer(
            token: "https://id.test/token",
            reply: TokenReplyRules(token: ["data", "jwt"], refreshToken: ["data", "renew"]))
        let (client, _) = client(server: server) { _ in
            .json(
                #"""
                {"error": "no", "error_description": "\#(secrets.token) and \#(secrets.refresh)",
                "data": {"jwt": "\#(secrets.token)", "renew": "\#(secrets.refresh)"}}
                """#)
        }
        let error = await credentialError { _ = try await client.clientCredential() }
        #expect(error?.description.contains("it says: ") == true)
        check(texts(error as Any), secrets)
    }

    @Test("secrets in the query of an address are in no text about an OAuth client")
    func queries() {
        let secrets = Secrets()
        let query = "key=\(secrets.token)"
        let server = OAuthServer(
            authorization: "https://id.test/authorize?\(query)",
            token: "https://id.test/token?\(query)",
            deviceAuthorization: "https://\(secrets.token)@id.test/device?\(query)",
            issuer: "https://id.test/?\(query)")
        let client = OAuthClient(
            id: "app", authentication: .post(secret: secrets.client), server: server,
            transport: InMemoryTransport { _ in .bytes() })
        let values: [Any] = [
            server, client, OAuthRefresher(client), ClientCredentialRefresher(client),
            Optional(client) as Any, [server],
        ]
        for value in values { check(texts(value), secrets) }
        #expect("\(client)".contains("https://id.test/token?‹redacted›"))
        #expect(texts(OAuthRefresher(client)).contains("https://id.test/token?‹redacted›"))
    }

    @Test("secrets of OAuth are in no error of a redirect that repeats them")
    func redirect() async throws {
        let secrets = Secrets()
        let (client, _) = client { _ in .bytes() }
        let login = try client.authorizationRequest(redirectURI: "app:/")
        let words = PercentEncoding.component("\(login.state) \(login.verifier)")
        for answer in [
            "error=\(words)&error_description=\(words)&state=\(login.state)", "state=\(words)",
            "state=\(login.state)&code=\(words)&code=\(words)",
        ] {
            let error = await credentialError {
                _ = try await client.credential(for: login, redirectedTo: "app:/?\(answer)")
            }
            check(texts(error as Any), secrets, [login.state, login.verifier])
        }
    }

    @Test("secrets are in no error of a redirect that repeats what the app added, or the code")
    func addedToLogin() async throws {
        let secrets = Secrets()
        let (client, _) = client { _ in .bytes() }
        let login = try client.authorizationRequest(
            redirectURI: "app:/?session=\(secrets.refresh)",
            parameters: ["id_token_hint": secrets.token, "password": "pw7", "prompt": "now"])
        let said = [secrets.token, secrets.refresh, secrets.code, "pw7", "now"]
        let words = PercentEncoding.component(said.joined(separator: " and "))
        let code = PercentEncoding.component(secrets.code)
        let error = await credentialError {
            _ = try await client.credential(
                for: login,
                redirectedTo: "app:/?error=no&error_description=\(words)&code=\(code)"
                    + "&state=\(login.state)")
        }
        #expect(
            error?.description
                == "the authorization server refused: no (it says: ‹redacted› and ‹redacted› and "
                + "‹redacted› and ‹redacted› and now)")
        check(texts(error as Any), secrets)
    }

    @Test("secrets are in no error of a token server that repeats what the app added to the login")
    func addedToLoginAndRepeatedLater() async throws {
        let secrets = Secrets()
        let (client, _) = client { _ in .tokenRefusal("invalid_grant", "not \(secrets.token)") }
        let login = try client.authorizationRequest(
            redirectURI: "app:/", parameters: ["id_token_hint": secrets.token])
        let error = await credentialError {
            _ = try await client.credential(
                for: login, redirectedTo: "app:/?state=\(login.state)&code=swordfish")
        }
        #expect(error?.description.contains("it says: not ‹redacted›") == true)
    }

    @Test("secrets are in no text about addresses of an app, which errors show on one line")
    func addressesOfApps() async throws {
        let (client, _) = client { _ in .bytes() }
        let login = try client.authorizationRequest(redirectURI: "app:/cb?session=topsecret")
        #expect(
            "\(login)"
                == "login at https://id.test/authorize, redirecting to app:/cb?‹redacted› "
                + "(‹redacted›)")
        let error = await credentialError {
            _ = try client.authorizationRequest(redirectURI: "app:/a\nb?session=topsecret")
        }
        #expect(
            error?.description
                == "`app:/ab?‹redacted›` is not an absolute address without a fragment")
    }

    @Test("secrets of OAuth are in no description of a client, a login, a request or a credential")
    func descriptions() async throws {
        let secrets = Secrets()
        let (client, _) = client(.basic(secret: secrets.client)) { request in
            request.head.path == "/device"
                ? .json(
                    #"""
                    {"device_code": "\#(secrets.token)", "user_code": "\#(secrets.refresh)",
                    "verification_uri": "https://id.test/", "expires_in": 9,
                    "verification_uri_complete": "https://id.test/\#(secrets.refresh)"}
                    """#)
                : granted(
                    secrets.token,
                    #"""
                    , "refresh_token": "\#(secrets.refresh)", "id_token": "\#(secrets.token)",
                    "\#(secrets.refresh)": "x"
                    """#)
        }
        let login = try client.authorizationRequest(redirectURI: "app:/")
        let device = try await client.deviceAuthorization()
        let credential = try await client.clientCredential()
        #expect(credential.values["id_token"] == secrets.token)
        let post = ClientAuthentication.post(secret: secrets.client)
        let refresh = RefreshRequest(
            "https://id.test/", .form([.init("client_secret", .secret(secrets.client))]))
        let values: [Any] = [
            client.authentication, post, login, device, credential, refresh, "\(client)",
            "\(OAuthRefresher(client))",
        ]
        for value in values { check(texts(value), secrets, [login.state, login.verifier]) }
    }

    /// Collects all events of a listener.
    private final class Ear: APIEventListener {
        let bodyLimit = 65_536
        private let told = LockedValue<[APIEvent]>([])

        var events: [APIEvent] { told.value }

        func handle(_ event: APIEvent) { told.change { $0.append(event) } }
    }

    @Test("secrets of OAuth are in no event for listeners")
    func events() async throws {
        for number in 0..<9 {
            for isBasic in [true, false] {
                let (secrets, ear) = (Secrets(), Ear())
                let client = OAuthClient(
                    id: "app",
                    authentication: isBasic
                        ? .basic(secret: secrets.client) : .post(secret: secrets.client),
                    server: .test, transport: InMemoryTransport { echoes($0)[number] },
                    listeners: [ear])
                let login = try client.authorizationRequest(redirectURI: "app:/")
                let code = PercentEncoding.component(secrets.code)
                let old = Credential(token: secrets.token, refreshToken: secrets.refresh)
                _ = try? await client.refreshed(old)
                _ = try? await client.credential(
                    for: login, redirectedTo: "app:/?state=\(login.state)&code=\(code)")
                #expect(
                    ear.events.map(\.description).map { $0.prefix(14) } == [
                        "→ token of app", "← token of app", "→ token of app", "← token of app",
                    ])
                for event in ear.events {
                    check(texts(event), secrets, [login.state, login.verifier])
                }
            }
        }
    }

    @Test("secrets of OAuth are shown as names, beside public values")
    func shown() async throws {
        let ear = Ear()
        let client = OAuthClient(
            id: "app", authentication: .post(secret: "cl1ent"), server: .test,
            transport: InMemoryTransport { _ in granted("t0ken") }, listeners: [ear])
        _ = try await client.clientCredential(scopes: ["read"], parameters: ["audience": "me"])
        guard case .received(let exchange) = try #require(ear.events.last).kind else {
            Issue.record("no reply was told")
            return
        }
        #expect(
            exchange.request.body?.parts.map { "\($0.name)=\($0.value ?? "")" } == [
                "grant_type=client_credentials", "scope=read", "client_id=app",
                "client_secret=‹redacted›", "audience=‹redacted›",
            ])
        #expect(
            exchange.reply?.text == #"{"access_token":"‹redacted›","token_type":"Bearer"}"#)
    }
}
