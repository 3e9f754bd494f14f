import HTTPTypes
import TelexJSON
import TelexTesting
import Testing

@testable import TelexRuntime

@Suite("The address of a server")
struct ServerTests {
    private let tenants = Server(
        "tenants", "https://{tenant}.example.com/{area}/",
        variables: [ServerVariable("tenant"), ServerVariable("area", default: "v1/beta")])

    /// The address as a text, or the violation.
    private func address(
        _ server: Server, _ values: [String: String]
    ) -> (text: String?, violation: Violation?) {
        do throws(Violation) {
            let address = try server.address(values)
            return ("\(address.scheme)://\(address.authority)\(address.target)", nil)
        } catch {
            return (nil, error)
        }
    }

    private func address(
        _ url: String, _ values: [String: String]
    ) -> (text: String?, violation: Violation?) {
        address(Server("any", url, variables: values.keys.map { ServerVariable($0) }), values)
    }

    @Test(
        "the address of a server is on no other host because of a variable's value",
        arguments: [
            "evil.test/", "evil.test?", "evil.test#", "evil.test:80/", "evil.test\\",
            "me@evil.test",
            "evil.test/x", "a b", "a%2Fb", "ä", "a:1", "[::1]", "a\u{301}", "\u{2044}",
        ])
    func hosts(tenant: String) {
        let (text, violation) = address(tenants, ["tenant": tenant])
        #expect(text == nil)
        #expect(violation?.path == "server `tenants`")
        #expect(
            violation?.expected
                == "`tenant` to be letters, digits, `-`, `.` and `_`, as part of a host")
        let port = address("https://example.com:{port}/", ["port": tenant])
        #expect(port.violation?.expected == "`port` to be digits, as part of a port")
    }

    @Test(
        "the address of a server accepts a value that fills its place",
        arguments: [
            ("https://{x}.example.com/", "eu-1.Staging_2", "https://eu-1.staging_2.example.com/"),
            ("https://api{x}.example.com/", "", "https://api.example.com/"),
            ("https://h:{x}/a", "8080", "https://h:8080/a"),
            ("http://[::1]:{x}/", "81", "http://[::1]:81/"),
            ("http://{x}/v1/", "127.0.0.1:8080", "http://127.0.0.1:8080/v1/"),
            ("http://{x}", "[::1]:80", "http://[::1]:80/"),
            ("http://{x}:81/", "[::1]", "http://[::1]:81/"),
            ("{x}://h/", "http", "http://h/"),
            ("https://h/{x}/", "a b%2F:@ä", "https://h/a%20b%252F%3A%40%C3%A4/"),
            ("https://h/a?k={x}", "b&c=d", "https://h/a?k=b%26c%3Dd"),
        ])
    func values(url: String, value: String, text: String) {
        #expect(address(url, ["x": value]).text == text)
    }

    @Test(
        "the address of a server refuses a value beyond its place",
        arguments: [
            ("https://h/{x}/", "../admin"), ("https://h/{x}/", ".."), ("https://h/{x}/", "."),
            ("https://h/{x}/", "a/b"), ("https://h/{x}/", "a?b"), ("https://h/{x}/", "a#b"),
            ("https://h/{x}/", "a/\u{301}"), ("https://h:{x}/", "8a"), ("https://h:{x}/", "99999"),
            ("http://{x}:80/", "a:1"), ("http://{x}/", "a/b"), ("http://{x}/", "me@a"),
            ("{x}://h/", "https://evil.test"), ("{x}h/", "https://evil.test/"),
        ])
    func structure(url: String, value: String) {
        #expect(address(url, ["x": value]).text == nil)
    }

    @Test("the address of a server takes what its description contains unchanged")
    func described() {
        let values = ["tenant": "a"]
        #expect(address(tenants, values).text == "https://a.example.com/v1/beta/")
        let given = values.merging(["area": "v1/beta"]) { $1 }
        #expect(address(tenants, given).text == "https://a.example.com/v1/beta/")
        #expect(address(tenants, values.merging(["area": "v2/beta"]) { $1 }).text == nil)
        let places = Server(
            "places", "https://{place}/x/",
            variables: [ServerVariable("place", allowed: ["a.test/eu", "b.test:81/us"])])
        #expect(address(places, ["place": "b.test:81/us"]).text == "https://b.test:81/us/x/")
        #expect(address(places, ["place": "c.test"]).text == nil)
    }

    @Test(
        "the address of a server hides user and query if it is invalid",
        arguments: [
            ("https://svc:hunter2@h.test/a", "https://‹redacted›@h.test/a"),
            ("https://svc:hunter2@h.test/?a=hunter2", "https://‹redacted›@h.test/?‹redacted›"),
            ("https://svc:a/hunter2?#@h.test/", "https://‹redacted›@h.test/"),
            ("ftp://h.test/?sig=hunter2", "ftp://h.test/?‹redacted›"),
            ("ftp://h.test/#hunter2", "ftp://h.test/#‹redacted›"),
            ("svc:hunter2@h.test", "‹redacted›@h.test"),
            ("svc:hunter2://x@h.test", "‹redacted›@h.test"), ("ftp://h.test", "ftp://h.test"),
        ])
    func masked(url: String, shown: String) async {
        let (manager, transport) = tiny(server: .url(url)) { _ in .bytes() }
        let error = await failure(manager.operation(UsersRequests.ping()))
        #expect(transport.requests.isEmpty)
        #expect(error?.violations.first?.found == shown)
        #expect(error?.description.contains("without a user name") == true)
        #expect(!"\(String(describing: error))".contains("hunter2"))
    }

    @Test("the address of a server hides them also as a name or a variable's value")
    func maskedValues() async {
        let secret = "https://svc:hunter2@h.test/?hunter2"
        let choices: [ServerChoice] = [
            .named(secret), .named("local", ["port": secret]), .named("local", [secret: "8080"]),
        ]
        for choice in choices {
            let (manager, _) = tiny(server: choice) { _ in .bytes() }
            let error = await failure(manager.operation(UsersRequests.ping()))
            #expect(error?.violations.first?.found.contains("‹redacted›@h.test") == true)
            #expect(!"\(String(describing: error))".contains("hunter2"))
        }
        let violation = address(tenants, ["tenant": secret]).violation
        #expect(violation?.found == "https://‹redacted›@h.test/?‹redacted›")
    }
}

@Suite("A token over http")
struct PlainServerTests {
    /// Returns the error of a call to a server, and the number of requests.
    private func call(
        _ request: APIRequest<Void>, to server: ServerChoice, byOptions: Bool = false
    ) async -> (error: APIError?, count: Int) {
        let transport = InMemoryTransport { _ in .bytes() }
        let manager = TestAPI.manager(
            Open.definition, transport: transport, credentials: .memory(Credential(token: secret))
        ) { $0.server = byOptions ? .first : server }
        let options = CallOptions(server: byOptions ? server : nil)
        let error = await failure(manager.operation(request, options: options))
        return (error, transport.requests.count)
    }

    @Test("a token over http is refused for a server of the app's", arguments: [true, false])
    func refused(byOptions: Bool) async {
        let server = ServerChoice.url("http://staging.test:81/v1/?key=hunter2")
        let (error, count) = await call(Open.me(), to: server, byOptions: byOptions)
        #expect(count == 0)
        #expect(error?.phase == .build)
        #expect(error?.violations.map(\.path) == ["server"])
        #expect(error?.violations.first?.expected.hasPrefix("an https address") == true)
        #expect(error?.violations.first?.found == "http://staging.test:81/v1/?‹redacted›")
    }

    @Test("a token over http is sent to localhost, and to a server of the description")
    func allowed() async {
        let servers: [ServerChoice] = [
            .url("http://127.0.0.1:81/"), .url("http://localhost/"), .url("http://[::1]:81/"),
            .url("https://staging.test/"), .url("http://open.test/v2/"), .named("plain"),
        ]
        for server in servers {
            let (error, count) = await call(Open.me(), to: server)
            #expect(error == nil && count == 1, "\(server)")
        }
    }

    @Test("a token over http does not concern a call without one")
    func tokenless() async {
        let server = ServerChoice.url("http://staging.test/")
        for request in [Open.ping(), Open.follow("http://other.test/")] {
            let (error, count) = await call(request, to: server)
            #expect(error == nil && count == 1)
        }
        let (error, count) = await call(Open.follow("http://staging.test/a"), to: server)
        #expect(error?.phase == .build && count == 0)
    }
}

@Suite("The address of a server by name")
struct ServerPlaceTests {
    /// Returns the addresses of requests, and the errors.
    private func addresses(
        _ requests: [APIRequest<Void>], from server: ServerChoice = .first,
        _ places: [String: ServerChoice]
    ) async -> (addresses: [String], errors: [APIError]) {
        let transport = InMemoryTransport { _ in .bytes() }
        let manager = TestAPI.manager(
            Open.definition, transport: transport, credentials: .memory(Credential(token: secret))
        ) {
            $0.server = server
            $0.servers = places
        }
        var errors: [APIError] = []
        for request in requests {
            if let error = await failure(manager.operation(request)) { errors.append(error) }
        }
        let heads = transport.requests.map(\.head)
        return (heads.map { ($0.authority ?? "") + ($0.path ?? "") }, errors)
    }

    @Test("the address of a server by name is an error for an unknown name, with a suggestion")
    func unknown() async {
        let (addresses, errors) = await addresses([Open.me()], ["tenants": .url("https://a.test")])
        #expect(addresses.isEmpty)
        #expect(errors.first?.phase == .build)
        #expect(errors.first?.description.contains("did you mean `tenant`?") == true)
    }

    @Test("the address of a server by name may not carry the token unencrypted")
    func exposed() async {
        let (addresses, errors) = await addresses(
            [Open.store()], ["tenant": .url("http://staging.test/")])
        #expect(addresses.isEmpty && errors.first?.phase == .build)
    }

    @Test("the address of a server by name applies to all calls to that server, and to no others")
    func moved() async {
        let (moved, errors) = await addresses(
            [Open.me(), Open.store()], ["tenant": .url("https://staging.test/v1")])
        #expect(moved == ["open.test/me", "staging.test/v1/store"] && errors.isEmpty)
        let (first, _) = await addresses([Open.me()], ["main": .url("https://staging.test/")])
        #expect(first == ["staging.test/me"])
    }

    @Test("a named server's address takes its variables from the manager, however they are set")
    func variables() async {
        let umbrella = ServerChoice.named("tenant", ["name": "umbrella"])
        let (given, _) = await addresses([Open.me(), Open.store()], ["tenant": umbrella])
        #expect(given == ["open.test/me", "umbrella.open.test/store"])
        let (chosen, _) = await addresses([Open.me(), Open.store()], from: umbrella, [:])
        #expect(chosen == ["umbrella.open.test/me", "umbrella.open.test/store"])
    }

    @Test("a server's address is that of the token request, too, if the spec has a path for that")
    func refresh() async throws {
        let transport = InMemoryTransport { request in
            guard request.head.method == .get else {
                return .json(#"{"access_token":"new","refresh_token":"r"}"#)
            }
            return request.head.headerFields[.authorization] == "Bearer new"
                ? .bytes() : .bytes(status: .unauthorized)
        }
        let manager = TestAPI.manager(
            Open.definition, transport: transport,
            credentials: .memory(Credential(token: "old", refreshToken: "r"))
        ) { $0.server = .url("https://staging.test/v1/") }
        try await manager.operation(Open.me()).value
        #expect(transport.requests.allSatisfy { $0.head.authority == "staging.test" })
        #expect(
            transport.requests.map(\.head.path) == ["/v1/me", "/v1/oauth/token", "/v1/me"])
    }
}

/// An API with a server without `https`.
private enum Open {
    enum APIMethod: String, CaseIterable, APIMethodName {
        case me, ping, follow, store

        var endpoint: Endpoint {
            switch self {
            case .me: Endpoint(.get, "me")
            case .ping: Endpoint(.get, "ping", auth: .none)
            case .follow: Endpoint(.get, "{address}")
            case .store: Endpoint(.get, "store", server: "tenant")
            }
        }
    }

    static let definition = APIDefinition(
        name: "Open",
        servers: [
            Server("main", "https://open.test/"), Server("plain", "http://open.test/"),
            Server("tenant", "https://{name}.open.test/", variables: [ServerVariable("name")]),
        ],
        auth: AuthRules(
            token: .bearer, expired: [.status(401)],
            refresh: .request(RefreshRequest("oauth/token"))), retry: .never)

    static func me() -> APIRequest<Void> { RequestBuilder(APIMethod.me).finishEmpty() }
    static func ping() -> APIRequest<Void> { RequestBuilder(APIMethod.ping).finishEmpty() }
    static func store() -> APIRequest<Void> { RequestBuilder(APIMethod.store).finishEmpty() }

    static func follow(_ address: String) -> APIRequest<Void> {
        var request = RequestBuilder(APIMethod.follow)
        request.address("address", address)
        return request.finishEmpty()
    }
}
