import Foundation
import HTTPTypes
import TelexJSON
import TelexTesting
import TelexTransport
import Testing

@testable import TelexRuntime

private let start = Date(timeIntervalSince1970: 1_700_000_000)

@Suite("The cookies of an API (RFC 6265)")
struct CookieTests {
    private func address(_ text: String) throws -> Address { try #require(Address(text)) }

    private func jar(
        _ cookies: [String], from text: String = "https://api.jar.test/v1/users"
    ) throws -> CookieJar {
        let jar = CookieJar()
        var head = HTTPResponse(status: .ok)
        for cookie in cookies {
            head.headerFields.append(HTTPField(name: .setCookie, value: cookie))
        }
        jar.store(head, from: try address(text), at: start)
        return jar
    }

    private func sent(
        _ cookies: [String], to text: String, from: String = "https://api.jar.test/v1/users",
        after seconds: Double = 0
    ) throws -> String? {
        try jar(cookies, from: from).field(
            for: address(text), besides: [], at: start.addingTimeInterval(seconds))
    }

    @Test(
        "an API's cookies reach only the host, the domain, the path and the scheme they are for",
        arguments: [
            ("a=1", "https://api.jar.test/v1/x", true),
            ("a=1", "https://api.jar.test/v1", true),
            ("a=1", "https://api.jar.test/v10", false),
            ("a=1", "https://api.jar.test/", false),
            ("a=1", "https://www.jar.test/v1/x", false),
            ("a=1", "https://x.api.jar.test/v1/x", false),
            ("a=1; Path=/", "https://api.jar.test/", true),
            ("a=1; path=v2", "https://api.jar.test/v1/x", true),
            ("a=1; Path=/; Domain=jar.test", "https://www.jar.test/", true),
            ("a=1; Path=/; Domain=.Jar.test", "https://jar.test/", true),
            ("a=1; Path=/; Domain=jar.test", "https://evil-jar.test/", false),
            ("a=1; Path=/; Domain=other.test", "https://other.test/", false),
            ("a=1; Path=/; Domain=test", "https://other.test/", false),
            ("a=1; Path=/; Domain=x.api.jar.test", "https://x.api.jar.test/", false),
            ("a=1; Path=/; Secure; HttpOnly; SameSite=Lax", "https://api.jar.test/", true),
            ("a=1; Path=/; Secure", "http://api.jar.test/", false),
            ("a=1; Path=/", "http://api.jar.test/", true),
            ("__Host-a=1; Path=/; Secure", "https://api.jar.test/", true),
            ("__Host-a=1; Secure", "https://api.jar.test/v1/x", false),
            ("__Secure-a=1; Path=/", "https://api.jar.test/", false),
        ])
    func matching(_ cookie: String, _ target: String, _ isSent: Bool) throws {
        #expect(try (sent([cookie], to: target) != nil) == isSent)
    }

    @Test(
        "the cookies of an API end with their age, or else at their date",
        arguments: [
            ("Max-Age=10", true), ("Max-Age=5", false), ("Max-Age=0", false), ("Max-Age=-1", false),
            ("Max-Age=x", true), ("Max-Age=10; Expires=Wed, 09 Jun 2021 10:18:14 GMT", true),
            ("Expires=Wed, 09 Jun 2021 10:18:14 GMT", false),
            ("Expires=Wed, 09-Jun-2031 10:18:14 GMT", true),
            ("Expires=Wednesday, 09-Jun-31 10:18:14 GMT", true),
            ("Expires=Wed Jun  9 10:18:14 2021", false), ("Expires=soon", true),
            ("Expires=Wed, 39 Jun 2021 10:18:14 GMT", true),
        ])
    func lifetimes(_ attributes: String, _ isSent: Bool) throws {
        let field = try sent(
            ["a=1; Path=/; \(attributes)"], to: "https://api.jar.test/", after: 7)
        #expect((field != nil) == isSent)
    }

    @Test(
        "cookies without a name, or with characters that a field cannot contain, are dropped",
        arguments: ["", "=1", "a", ";a=1", "a=" + String(repeating: "x", count: 5000)])
    func malformed(_ cookie: String) throws {
        #expect(try sent([cookie], to: "https://api.jar.test/v1/x") == nil)
    }

    @Test("cookies are sent with the longest path first, then in the order of their creation")
    func order() throws {
        let cookies = ["a=1; Path=/", "b=2; Path=/v1", "c=3; Path=/", "a=4; Path=/"]
        #expect(try sent(cookies, to: "https://api.jar.test/v1/x") == "b=2; a=4; c=3")
    }

    @Test("the cookies of an API are not replaced over plain HTTP if they are secure")
    func secureStays() throws {
        let jar = try jar(["a=1; Path=/; Secure"])
        var head = HTTPResponse(status: .ok)
        head.headerFields.append(HTTPField(name: .setCookie, value: "a=2; Path=/"))
        jar.store(head, from: try address("http://api.jar.test/"), at: start)
        let field = jar.field(for: try address("https://api.jar.test/"), besides: [], at: start)
        #expect(field == "a=1")
    }

    @Test("the cookies of an API are limited in number; the oldest go first")
    func limits() throws {
        let jar = CookieJar()
        for number in 0..<400 {
            var head = HTTPResponse(status: .ok)
            head.headerFields.append(HTTPField(name: .setCookie, value: "c\(number)=1; Path=/"))
            jar.store(head, from: try address("https://h\(number % 8).jar.test/"), at: start)
        }
        #expect(jar.secrets.count == CookieJar.limits.all)
        let one = try address("https://h7.jar.test/")
        let names = try #require(jar.field(for: one, besides: [], at: start))
        #expect(names.contains("c399=1") && !names.contains("c7=1"))
    }
}

@Suite("A manager with cookies")
struct CookieCallTests {
    private static let definition = APIDefinition(
        name: "Jar", servers: [Server("main", "https://jar.test/")],
        auth: AuthRules(token: .cookie("sid")), keepsCookies: true, retry: .never)

    private func request(_ path: String, auth: Endpoint.Auth = .none) -> APIRequest<Void> {
        RequestBuilder(
            RequestTemplate(method: path, endpoint: Endpoint(.get, path, auth: auth))
        ).finishEmpty()
    }

    @Test("a manager sends cookies of replies and redirects, to no other origin, and shows none")
    func calls() async throws {
        let recorder = HARRecorder()
        let transport = InMemoryTransport { request in
            switch request.head.path {
            case "/login":
                .bytes(
                    status: .seeOther,
                    fields: [.location: "/home", .setCookie: "s=v4lue-1; Path=/"])
            case "/away":
                .bytes(status: .temporaryRedirect, fields: [.location: "https://other.test/x"])
            case "/bad": .bytes(Array("v4lue-1 token-1".utf8), status: .badRequest)
            default: .bytes()
            }
        }
        let manager = TestAPI.manager(
            Self.definition, transport: transport,
            credentials: .memory(Credential(token: "token-1"))
        ) { $0.listeners = [recorder] }
        try await manager.operation(request("login")).value
        try await manager.operation(request("away")).value
        try await manager.operation(request("token", auth: .required)).value
        let error = await #expect(throws: APIError.self) {
            try await manager.operation(request("bad", auth: .required)).value
        }
        #expect(
            transport.requests.map { $0.head.headerFields[.cookie] } == [
                nil, "s=v4lue-1", "s=v4lue-1", nil, "sid=token-1; s=v4lue-1",
                "sid=token-1; s=v4lue-1",
            ])
        let text = String(decoding: recorder.data(), as: UTF8.self) + "\(try #require(error))"
        #expect(!text.contains("v4lue-1") && !text.contains("token-1"))
    }

    @Test("a log-out forgets the cookies after the request to the server, and calls the app")
    func logOut() async throws {
        let calls = Lock<[String]>([])
        let transport = InMemoryTransport { _ in
            .bytes(fields: [.setCookie: "s=1; Path=/"])
        }
        let manager = TestAPI.manager(
            Self.definition, transport: transport, credentials: .memory(Credential(token: "t"))
        ) { $0.onLogOut = { calls.withLock { $0.append("left") } } }
        try await manager.operation(request("a")).value
        try await manager.logOut(manager.operation(request("out", auth: .required)))
        try await manager.operation(request("b")).value
        try await manager.logOut()
        #expect(
            transport.requests.map { $0.head.headerFields[.cookie] } == [
                nil, "sid=t; s=1", nil,
            ])
        #expect(calls.withLock { $0 } == ["left", "left"])
    }

    @Test("a manager with cookies shows no reply of another session from its cache")
    func caching() async throws {
        let transport = InMemoryTransport { request in
            switch request.head.path {
            case "/login": .bytes(fields: [.setCookie: "s=1; Path=/"])
            default: .bytes(fields: [.cacheControl: "max-age=60"])
            }
        }
        let manager = TestAPI.manager(Self.definition, transport: transport)
        let cached = RequestBuilder(
            RequestTemplate(
                method: "mine",
                endpoint: Endpoint(
                    .get, "mine", auth: .none, operation: OperationRules(cache: CacheRules())))
        ).finishEmpty()
        try await manager.operation(request("login")).value
        for _ in 0..<2 { try await manager.operation(cached).value }
        try await manager.logOut()
        try await manager.operation(cached).value
        #expect(transport.requests.map { $0.head.path ?? "" } == ["/login", "/mine", "/mine"])
    }

    @Test("a manager with cookies keeps none unless the API wants it")
    func off() async throws {
        var definition = Self.definition
        definition.keepsCookies = false
        let transport = InMemoryTransport { _ in .bytes(fields: [.setCookie: "s=1; Path=/"]) }
        let manager = TestAPI.manager(definition, transport: transport)
        for _ in 0..<2 { try await manager.operation(request("a")).value }
        #expect(transport.requests.allSatisfy { $0.head.headerFields[.cookie] == nil })
    }
}
