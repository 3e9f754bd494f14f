import Foundation
import HTTPTypes
import TelexJSON
import TelexOAuth
import TelexRuntime
import TelexTesting
import Testing

/// The app in the examples of the module's page.
private struct App: Sendable {
    let page: @Sendable (String) throws -> String

    func open(_ url: String) async throws -> String { try page(url) }
    func credential() async throws -> Credential { Credential(token: "login") }
    func show(_ text: String) { #expect(text == "Go to https://id.test/go and type WDJB") }
}

/// The API of the app.
private enum Photos: APIDescription {
    struct Parameters: DefaultParameters {
        func apply(to request: inout RequestBuilder) {}
    }

    struct ErrorCode: OpenEnum {
        let rawValue: Int
        static var allKnown: [ErrorCode] { [] }
    }

    enum APIMethod: String, APIMethodName {
        case list

        var endpoint: Endpoint { Endpoint(.get, "photos") }
    }

    static let definition = APIDefinition(
        name: "Photos", servers: [Server("production", "https://api.example.com/")])

    static var oauth: OAuthGrant {
        OAuthGrant(
            .authorizationCode, client: "my-app", authorize: "https://id.example.com/authorize",
            token: "https://id.example.com/token", scopes: ["photos"])
    }
}

@Suite("The page of TelexOAuth")
struct OAuthPageTests {
    private static let file = URL(fileURLWithPath: #filePath)
    private static let page = file.deletingLastPathComponent().deletingLastPathComponent()
        .deletingLastPathComponent()
        .appending(path: "Sources/TelexOAuth/TelexOAuth.docc/TelexOAuth.md")

    private let authorization = AuthorizationServer()

    /// Answers like the server of the examples.
    private func reply(to request: SentRequest) -> TransportReply {
        if request.head.path == "/device" {
            return .json(
                #"""
                {"device_code": "d", "user_code": "WDJB", "verification_uri": "https://id.test/go",
                "expires_in": 60}
                """#)
        }
        switch request.form["grant_type"] {
        case "authorization_code": return authorization.token(request)
        case "refresh_token": return .tokenRefusal("invalid_grant")
        case "client_credentials": return granted("own")
        default: return granted("shared")
        }
    }

    @Test("the page of TelexOAuth makes a client of the grant in a spec")
    func grants() throws {
        let transport = InMemoryTransport { _ in .bytes() }
        let declared = OAuthClient(Photos.oauth, transport: transport)
        let login = try declared.authorizationRequest(
            redirectURI: "com.example.app:/login", scopes: Photos.oauth.scopes)
        #expect(login.url.hasPrefix("https://id.example.com/authorize?"))
        #expect(login.url.contains("client_id=my-app") && login.scopes == ["photos"])
        #expect(declared.server.deviceAuthorization == nil)
        let device = OAuthGrant(
            .device, client: "my-app", authorize: "https://id.example.com/device",
            token: "https://id.example.com/token")
        #expect(OAuthServer(device).deviceAuthorization == device.authorize)
        #expect(OAuthServer(device).authorization == nil)
    }

    @Test("the page of TelexOAuth answers a camera")
    func digest() async throws {
        let password = "secret"
        let transport = InMemoryTransport { request in
            request.head.headerFields[.authorization]?.hasPrefix("Digest username=") == true
                ? .bytes()
                : .bytes(
                    status: .unauthorized,
                    fields: [.wwwAuthenticate: "Digest realm=\"r\", nonce=\"n\", qop=\"auth\""])
        }
        let digest = try DigestAuthentication(user: "admin", password: password)
        let camera = APIManager<Photos>(transport: transport) {
            $0.interceptors = [digest]
        }
        _ = try await camera.operation(address: "https://api.example.com/photos").value
        #expect(transport.requests.count == 2)
    }

    @Test("the page of TelexOAuth has examples that work")
    func examples() async throws {
        let transport = InMemoryTransport { reply(to: $0) }
        let store = MemoryCredentialStore()
        let api = APIManager<Photos>(transport: transport, credentials: store)
        let browser = App { try authorization.visit($0) }
        let loginScreen = browser
        let secret = "s"

        let server = OAuthServer(
            authorization: "https://id.example.com/authorize",
            token: "https://id.example.com/token",
            deviceAuthorization: "https://id.example.com/device")
        let client = OAuthClient(id: "my-app", server: server, transport: transport)

        let request = try client.authorizationRequest(
            redirectURI: "com.example.app:/login", scopes: ["photos"])
        let redirect = try await browser.open(request.url)
        let credential = try await client.credential(for: request, redirectedTo: redirect)
        try await api.logIn(credential)
        #expect(credential.token == "token")
        #expect(try await store.read() == credential)

        let refresher = OAuthRefresher(client) { _ in
            try await loginScreen.credential()
        }
        let new = try await store.renew(credential, with: refresher)
        #expect(new.token == "login")

        let service = OAuthClient(
            id: "reports", authentication: .basic(secret: secret), server: server,
            transport: transport)
        let own = try await service.clientCredential(scopes: ["read"])
        #expect(own.token == "own")
    }

    @Test("the page of TelexOAuth has an example of a device login that works")
    func device() async throws {
        let (client, _) = client { reply(to: $0) }
        let screen = App { $0 }

        let login = try await client.deviceAuthorization()
        screen.show("Go to \(login.verificationURL) and type \(login.userCode)")
        let shared = try await client.credential(for: login)
        #expect(shared.token == "shared")
    }

    @Test("the page of TelexOAuth shows only lines that this file runs")
    func lines() throws {
        let page = try String(contentsOf: Self.page, encoding: .utf8)
        let tried = words(try String(contentsOf: Self.file, encoding: .utf8))
        let blocks = page.components(separatedBy: "```swift\n").dropFirst()
            .compactMap { $0.components(separatedBy: "\n```").first }
        #expect(blocks.count == 7)
        for block in blocks {
            for statement in block.components(separatedBy: "\nlet ") {
                #expect(tried.contains(words(statement)), "\(statement)")
            }
        }
    }

    /// The text with normalised white space, so that line breaks may differ.
    private func words(_ text: String) -> String {
        text.split(whereSeparator: \.isWhitespace).joined(separator: " ")
    }
}
