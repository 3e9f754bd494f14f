import HTTPTypes
import TelexJSON
import TelexRuntime
import TelexTesting
import Testing

/// The API of the page, as the compiler writes it.
private enum Depot: APIDescription {
    struct Parameters: DefaultParameters {
        func apply(to request: inout RequestBuilder) {}
    }

    struct ErrorCode: OpenEnum {
        let rawValue: String

        init(rawValue: String) { self.rawValue = rawValue }

        static var allKnown: [ErrorCode] { [] }
    }

    struct APIMethod: APIMethodName {
        let rawValue: String
        let endpoint: Endpoint

        init(rawValue: String) { self.init(rawValue, .required) }

        init(_ name: String, _ auth: Endpoint.Auth) {
            rawValue = name
            endpoint = Endpoint(.get, name, auth: auth)
        }
    }

    static var definition: APIDefinition {
        APIDefinition(
            name: "Depot", servers: [Server("production", "https://api.depot.example/")],
            auth: AuthRules(name: "account", token: .bearer, expired: [.status(401)]),
            schemes: [
                AuthRules(name: "key", token: .header("X-Api-Key")),
                AuthRules(name: "partner", token: .query("partner"), secret: "PARTNER_KEY"),
            ],
            keepsCookies: true)
    }
}

@Suite("The page on several schemes")
struct SchemesPageTests {
    struct Vault: SecretProvider {
        let open: @Sendable (String) async throws -> String?

        func secret(named name: String) async throws -> String? { try await open(name) }
    }

    /// The cookies of web views that the app has opened.
    private final class WebViews: Sendable {
        let cookies = Lock(1)

        func removeCookies() async { cookies.withLock { $0 = 0 } }
    }

    private let transport = InMemoryTransport { _ in .bytes() }
    private let store = MemoryCredentialStore(Credential(token: "t"))
    private let apiKey = "k3y"
    private let partnerKey = "p4rtner"
    private let license = "l1cense"

    private func request(_ auth: Endpoint.Auth) -> APIRequest<Void> {
        RequestBuilder(Depot.APIMethod("call", auth)).finishEmpty()
    }

    @Test("the page on several schemes gives each scheme its credential or its secret")
    func schemes() async throws {
        let depot = APIManager<Depot>(transport: transport, credentials: store) {
            $0.schemes = ["key": .memory(Credential(token: apiKey))]
            $0.secrets = ["PARTNER_KEY": partnerKey, "LICENSE": license]
        }
        try await depot.operation(request(.allOf(["account", "key", "partner"]))).value
        let sent = try #require(transport.requests.first)
        #expect(sent.head.headerFields[.authorization] == "Bearer t")
        #expect(sent.head.path == "/call?partner=p4rtner")
    }

    @Test("the page on several schemes asks a provider of the app")
    func vault() async throws {
        let depot = APIManager<Depot>(transport: transport) {
            $0.secrets = Vault { $0 == "PARTNER_KEY" ? "from the vault" : nil }
        }
        try await depot.operation(request(.anyOf(["partner"]))).value
        #expect(transport.requests.first?.head.path == "/call?partner=from%20the%20vault")
    }

    @Test("the page on several schemes takes another token for one call")
    func reauthorized() async throws {
        let depot = APIManager<Depot>(transport: transport, credentials: store)
        let (removal, confirmed) = (request(.required), "confirmed")
        let fresh = Credential(token: confirmed)
        try await depot.operation(removal, options: CallOptions(credential: fresh)).value
        let sent = try #require(transport.requests.first)
        #expect(sent.head.headerFields[.authorization] == "Bearer confirmed")
    }

    @Test("the page on several schemes lets the app remove what the manager does not have")
    func logOut() async throws {
        let webViews = WebViews()
        let manager = APIManager<Depot>(transport: transport, credentials: store) {
            $0.onLogOut = { await webViews.removeCookies() }
        }
        try await manager.logOut()
        #expect(webViews.cookies.withLock { $0 } == 0)
    }
}
