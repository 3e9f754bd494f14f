import HTTPTypes
import TelexTesting
import Testing

@testable import TelexRuntime

/// The tiny API with its token in other places.
private func exchange(
    _ template: RequestTemplate, token: AuthRules.Placement?, _ transport: InMemoryTransport,
    _ credential: Credential? = Credential(token: secret)
) throws -> Exchange {
    var definition = TinyAPI.definition
    definition.auth = AuthRules(token: token)
    let server = try #require(Address("https://api.tiny.test/method/"))
    let pipeline = TestAPI.manager(definition, transport: transport).factory.pipeline
    let request = RequestContent(template, expecting: .nothing) { _, _ in Decoded(product: nil) }
    return Exchange(Call(pipeline, request, credential), on: server)
}

/// Answers the first request with a redirect and the others with 200.
private func redirecting(
    _ status: Int, to location: String
) -> InMemoryTransport {
    InMemoryTransport { request in
        request.head.authority == "api.tiny.test"
            && request.head.path?.hasPrefix("/method/") == true
            ? .bytes(status: .init(code: status), fields: .location(location)) : .bytes()
    }
}

@Suite("A redirect")
struct RedirectTests {
    static let placements: [AuthRules.Placement] = [
        .query("access_token"), .header("X-Key"), .header("Authorization", prefix: "Key"), .bearer,
        .cookie("sid"), .form("token"), .json("token"), .body("token"),
    ]

    private func post() -> RequestTemplate {
        var request = RequestBuilder(TinyAPI.APIMethod.usersSave)
        request.header("Cookie", "a=b")
        request.header("X-Secret", "hidden-header", sensitive: true)
        return request.finishEmpty().template
    }

    private func leaks(_ request: SentRequest) -> [String] {
        let places =
            [request.head.path ?? "", request.text]
            + request.head.headerFields.map { "\($0.name): \($0.value)" }
        return places.filter { $0.contains(secret) || $0.contains("hidden") || $0.contains("a=b") }
    }

    @Test(
        "a redirect to another origin carries no credential, wherever the token is",
        arguments: placements)
    func crossOrigin(_ placement: AuthRules.Placement) async throws {
        for location in ["https://evil.test/x", "//evil.test/x", "https://api.tiny.test:444/x"] {
            let transport = redirecting(307, to: location)
            let exchange = try exchange(post(), token: placement, transport)
            let reply = try await exchange.reply()
            #expect(reply.head.status == .ok)
            let requests = transport.requests
            #expect(requests.count == 2)
            #expect(!leaks(requests[0]).isEmpty)
            #expect(leaks(requests[1]) == [], "\(placement)")
        }
    }

    @Test("a redirect within the origin keeps header fields and body", arguments: placements)
    func sameOrigin(_ placement: AuthRules.Placement) async throws {
        let transport = redirecting(308, to: "/other")
        let exchange = try exchange(post(), token: placement, transport)
        _ = try await exchange.reply()
        let second = try #require(transport.requests.last)
        #expect(second.head.path == "/other")
        #expect(second.head.method == .post)
        if case .query = placement { return }
        #expect(leaks(second).contains { $0.contains(secret) })
        #expect(second.head.headerFields[.cookie]?.contains("a=b") == true)
    }

    @Test("a redirect that returns to the origin does not restore the credential")
    func awayAndBack() async throws {
        let transport = InMemoryTransport { request in
            switch (request.head.authority, request.head.path) {
            case ("evil.test", _):
                .bytes(status: .found, fields: .location("https://api.tiny.test/back"))
            case (_, "/back"): .bytes()
            default: .bytes(status: .found, fields: .location("https://evil.test/"))
            }
        }
        let exchange = try exchange(post(), token: .bearer, transport)
        _ = try await exchange.reply()
        let requests = transport.requests
        #expect(requests.count == 3)
        #expect(leaks(requests[2]) == [])
    }

    @Test("a redirect that returns to the origin does not restore secret header fields")
    func elsewhereAgain() async throws {
        let transport = InMemoryTransport { request in
            switch (request.head.authority, request.head.path) {
            case ("evil.test", "/"): .bytes(status: .temporaryRedirect, fields: .location("/x"))
            case ("evil.test", _): .bytes()
            default: .bytes(status: .temporaryRedirect, fields: .location("https://evil.test/"))
            }
        }
        let exchange = try exchange(post(), token: .bearer, transport)
        _ = try await exchange.reply()
        #expect(transport.requests.map(\.head.path).suffix(2) == ["/", "/x"])
        #expect(leaks(transport.requests[2]) == [])
    }

    @Test("a redirect that drops the body drops the fields that describe it")
    func bodyFields() async throws {
        var plain = RequestTemplate(method: "m", endpoint: Endpoint(.post, "m"))
        plain.body = .bytes([1], type: "a/b")
        var request = RequestBuilder(plain)
        request.header("Content-Language", "de")
        request.header("Accept-Language", "de")
        let transport = redirecting(303, to: "/other")
        let template = request.finishEmpty().template
        _ = try await exchange(template, token: nil, transport, nil).reply()
        let fields = transport.requests.map(\.head.headerFields)
        #expect(fields.map { $0[.contentLanguage] } == ["de", nil])
        #expect(fields.map { $0[.acceptLanguage] } == ["de", "de"])
    }

    @Test(
        "a redirect keeps the idempotency key only within the origin, and with the method",
        arguments: [
            (307, "/other", true), (308, "/other", true), (303, "/other", false),
            (302, "/other", false), (307, "https://evil.test/x", false),
            (303, "https://evil.test/x", false),
        ])
    func idempotencyKey(status: Int, location: String, isKept: Bool) async throws {
        let rules = OperationRules(idempotencyKey: "X-Order")
        let endpoint = Endpoint(.post, "charges", operation: rules)
        var template = RequestTemplate(method: "charge", endpoint: endpoint)
        template.add(idempotencyKey: "order 17")
        let transport = redirecting(status, to: location)
        _ = try await exchange(template, token: nil, transport, nil).reply()
        let keys = transport.requests.map { request in
            request.head.headerFields.first { $0.name.canonicalName == "x-order" }?.value
        }
        #expect(keys == ["order 17", isKept ? "order 17" : nil])
    }

    @Test("a redirect to an address with the token drops it, or is refused")
    func tokenInLocation() async throws {
        let dropped = redirecting(302, to: "https://evil.test/x?access%5Ftoken=\(secret)&a=1")
        let one = try exchange(post(), token: .query("access_token"), dropped)
        _ = try await one.reply()
        #expect(dropped.requests.last?.head.path == "/x?a=1")
        let refused = redirecting(302, to: "https://evil.test/\(secret)")
        let other = try exchange(post(), token: .query("access_token"), refused)
        let error = await #expect(throws: APIError.self) {
            try await other.reply()
        }
        #expect(refused.requests.count == 1)
        #expect(error?.description.contains(secret) == false)
    }

    @Test("a redirect does not send a sensitive body to another origin")
    func sensitiveBody() async {
        let (manager, transport) = tiny { _ in
            .bytes(status: .temporaryRedirect, fields: .location("https://evil.test/"))
        }
        let operation = manager.operation(UsersRequests.save(name: "n", password: "hunter2"))
        let error = await failure(operation)
        guard case .refusedRedirect = error?.reason else {
            Issue.record("\(String(describing: error))")
            return
        }
        #expect(transport.requests.count == 1)
    }

    @Test(
        "a redirect changes the method as RFC 9110 says",
        arguments: [
            (301, Endpoint.Verb.post, HTTPRequest.Method.get), (302, .post, .get),
            (303, .post, .get), (303, .put, .get), (303, .head, .head), (301, .put, .put),
            (302, .delete, .delete), (307, .post, .post), (308, .put, .put), (301, .head, .head),
        ])
    func methods(_ status: Int, _ verb: Endpoint.Verb, _ next: HTTPRequest.Method)
        async throws
    {
        var template = RequestTemplate(method: "m", endpoint: Endpoint(verb, "m"))
        let method = template.endpoint.method
        template.body = .bytes([1], type: "a/b")
        let transport = redirecting(status, to: "/other")
        _ = try await exchange(template, token: nil, transport, nil).reply()
        let second = try #require(transport.requests.last)
        #expect(second.head.method == next)
        #expect(second.body == (next == method && (status != 303) ? [1] : second.body))
        if next != method {
            #expect(second.body == [])
            #expect(second.head.headerFields[.contentType] == nil)
        }
    }

    @Test("a redirect from https to http, or to anything but http, is refused")
    func downgrade() async {
        for location in ["http://api.tiny.test/", "ftp://api.tiny.test/", "javascript:alert(1)"] {
            let (manager, transport) = tiny { _ in
                .bytes(status: .found, fields: .location(location))
            }
            let error = await failure(manager.operation(UsersRequests.ping()))
            guard case .refusedRedirect = error?.reason else {
                Issue.record("\(location): \(String(describing: error))")
                continue
            }
            #expect(transport.requests.count == 1)
        }
    }

    @Test(
        "a redirect that names one address twice is followed, also in joined fields",
        arguments: [["/a", "/a"], ["/a, /a"], ["/a, /a", "/a"], ["//x.test/a, //x.test/a"]])
    func sameAddressTwice(_ locations: [String]) async throws {
        var fields = HTTPFields()
        for location in locations { fields.append(HTTPField(name: .location, value: location)) }
        let (manager, transport) = tiny { [fields] request in
            request.head.path == "/a" ? .json("1") : .bytes(status: .found, fields: fields)
        }
        _ = await failure(manager.operation(UsersRequests.ping()))
        #expect(transport.requests.last?.head.path == "/a")
        #expect(transport.requests.count == 2)
    }

    @Test(
        "a redirect that names two addresses is refused, also in joined fields",
        arguments: [
            ["/a", "/b"], ["/a, /b"], ["/a, https://b.test/"], ["https://a.test/, //b.test/"],
        ])
    func twoAddresses(_ locations: [String]) async {
        var fields = HTTPFields()
        for location in locations { fields.append(HTTPField(name: .location, value: location)) }
        let (manager, transport) = tiny { [fields] _ in .bytes(status: .found, fields: fields) }
        let error = await failure(manager.operation(UsersRequests.ping()))
        #expect(error?.description.contains("it has several different addresses") == true)
        #expect(transport.requests.count == 1)
    }

    @Test(
        "a redirect that names one address is followed, with duplicates and stray spaces",
        arguments: [["/a", "/a"], ["/Dusk, at sea"], ["/a?b=c,/d"], ["/a, b: c"]])
    func oneAddress(_ locations: [String]) async throws {
        var fields = HTTPFields()
        for location in locations { fields.append(HTTPField(name: .location, value: location)) }
        let (manager, transport) = tiny { [fields] request in
            request.head.path?.hasPrefix("/method/") == true
                ? .bytes(status: .found, fields: fields) : .bytes()
        }
        try await manager.operation(UsersRequests.ping()).value
        #expect(transport.requests.count == 2)
    }

    @Test("a redirect that never ends is stopped after ten")
    func loop() async {
        let (manager, transport) = tiny { _ in .bytes(status: .found, fields: .location("?again")) }
        let error = await failure(manager.operation(UsersRequests.ping()))
        #expect(error?.reason == .tooManyRedirects(limit: 10))
        #expect(transport.requests.count == 11)
    }

    @Test(
        "a redirect is resolved as RFC 3986 says, section 5.4",
        arguments: [
            ("g", "http://a/b/c/g"), ("./g", "http://a/b/c/g"), ("g/", "http://a/b/c/g/"),
            ("/g", "http://a/g"), ("//g", "http://g/"), ("?y", "http://a/b/c/d;p?y"),
            ("g?y", "http://a/b/c/g?y"), ("#s", "http://a/b/c/d;p?q"), ("", "http://a/b/c/d;p?q"),
            ("..", "http://a/b/"), ("../g", "http://a/b/g"), ("../..", "http://a/"),
            ("../../../g", "http://a/g"), ("/./g", "http://a/g"), ("g;x=1/../y", "http://a/b/c/y"),
            ("g?y/../x", "http://a/b/c/g?y/../x"), ("a b%20é", "http://a/b/c/a%20b%20%C3%A9"),
        ])
    func resolution(_ reference: String, _ expected: String) throws {
        let base = try #require(Address("http://a/b/c/d;p?q"))
        #expect(base.resolving(reference) == Address(expected))
    }

    @Test(
        "a redirect to an invalid address is refused",
        arguments: ["http://u:p@h/", "http://", "http:///x", "mailto:a@b"])
    func strange(_ reference: String) throws {
        let base = try #require(Address("http://a/"))
        #expect(base.resolving(reference) == nil)
    }
}
