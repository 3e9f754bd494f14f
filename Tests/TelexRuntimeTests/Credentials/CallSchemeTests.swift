import HTTPTypes
import TelexJSON
import TelexTesting
import Testing

@testable import TelexRuntime

private let keySecret = "k3y-s3cret"
private let mainToken = "m4in-t0ken"

/// An API with a scheme for users and further ones.
private enum Many {
    static let definition = APIDefinition(
        name: "Many", servers: [Server("main", "https://many.test/")],
        auth: AuthRules(name: "oauth2", token: .bearer, expired: [.status(401)], refresh: .app),
        schemes: [
            AuthRules(name: "key", token: .header("X-Api-Key")),
            AuthRules(name: "partner", token: .query("partner"), secret: "PARTNER"),
            AuthRules(
                name: "csrf", token: .header("X-Csrf"), expired: [.status(403)],
                refresh: .method(TokenMethod("session.csrf", token: ["csrf"]))),
            AuthRules(
                name: "shake", token: .header("X-Session-Id"),
                refresh: .handedOut(status: 409, header: "X-Session-Id")),
            AuthRules(name: "sid", token: .cookie("sid")),
            AuthRules(name: "field", token: .body("field")),
        ],
        tokenMethods: ["session.csrf": Endpoint(.get, "csrf")], retry: .never)

    static func request(
        _ auth: Endpoint.Auth, _ verb: Endpoint.Verb = .get, _ path: String = "call",
        _ fill: (inout RequestBuilder) -> Void = { _ in }
    ) -> APIRequest<Void> {
        let endpoint = Endpoint(verb, path, auth: auth)
        var builder = RequestBuilder(RequestTemplate(method: "call", endpoint: endpoint))
        fill(&builder)
        return builder.finishEmpty()
    }

    static func manager(
        _ transport: InMemoryTransport, token: String? = mainToken,
        refresher: (any CredentialRefresher)? = nil, key: String? = keySecret,
        secrets: any SecretProvider = ["PARTNER": "p4rtner-s3cret"],
        listeners: [any APIEventListener] = []
    ) -> APIManager<TestAPI> {
        let stored = token.map { Credential(token: $0) }
        return TestAPI.manager(
            definition, transport: transport, credentials: MemoryCredentialStore(stored)
        ) {
            $0.refresher = refresher
            $0.schemes = key.map { ["key": .memory(Credential(token: $0))] } ?? [:]
            $0.secrets = secrets
            $0.listeners = listeners
        }
    }
}

extension SentRequest {
    fileprivate func field(_ name: String) -> String? {
        HTTPField.Name(name).flatMap { head.headerFields[$0] }
    }
}

@Suite("The schemes of a call")
struct CallSchemeTests {
    private func sent(
        _ auth: Endpoint.Auth, token: String? = mainToken, key: String? = keySecret
    ) async throws -> SentRequest {
        let transport = InMemoryTransport { _ in .bytes() }
        let manager = Many.manager(transport, token: token, key: key)
        try await manager.operation(Many.request(auth)).value
        return try #require(transport.requests.first)
    }

    @Test("the schemes of a call send the token of a further scheme alone")
    func single() async throws {
        let request = try await sent(.anyOf(["key"]))
        #expect(request.field("X-Api-Key") == keySecret)
        #expect(request.field("Authorization") == nil)
    }

    @Test("the schemes of a call send the first one that has a credential")
    func alternatives() async throws {
        let both = try await sent(.anyOf(["oauth2", "key"]))
        #expect(both.field("Authorization") == "Bearer \(mainToken)")
        #expect(both.field("X-Api-Key") == nil)
        let second = try await sent(.anyOf(["oauth2", "key"]), token: nil)
        #expect(second.field("Authorization") == nil)
        #expect(second.field("X-Api-Key") == keySecret)
    }

    @Test("the schemes of a call wait for a log-in if none of several has a credential")
    func alternativesWithoutCredential() async throws {
        let transport = InMemoryTransport { _ in .bytes() }
        let manager = Many.manager(
            transport, token: nil, refresher: .app { _ in Credential(token: "fresh") }, key: nil)
        try await manager.operation(Many.request(.anyOf(["key", "oauth2"]))).value
        #expect(transport.requests.first?.field("Authorization") == "Bearer fresh")
    }

    @Test("the schemes of a call send all of several, in their places")
    func all() async throws {
        let request = try await sent(.allOf(["oauth2", "key", "partner"]))
        #expect(request.field("Authorization") == "Bearer \(mainToken)")
        #expect(request.field("X-Api-Key") == keySecret)
        #expect(request.head.path == "/call?partner=p4rtner-s3cret")
    }

    @Test("the schemes of a call send an optional token only if there is one, without waiting")
    func optional() async throws {
        #expect(try await sent(.optional).field("Authorization") == "Bearer \(mainToken)")
        #expect(try await sent(.optional, token: nil).field("Authorization") == nil)
    }

    @Test("the schemes of a call leave an error alone that is no answer to an optional token")
    func optionalRefusal() async throws {
        let transport = InMemoryTransport { _ in .bytes(status: .unauthorized) }
        let manager = Many.manager(
            transport, token: nil, refresher: .app { _ in Credential(token: "fresh") })
        let error = await #expect(throws: APIError.self) {
            try await manager.operation(Many.request(.optional)).value
        }
        #expect(error?.reason == .status(401))
    }

    @Test("a call's schemes fail before anything is sent if a credential or a secret is missing")
    func missing() async throws {
        let transport = InMemoryTransport { _ in .bytes() }
        let manager = Many.manager(transport, key: nil, secrets: [:])
        for (auth, word) in [
            (Endpoint.Auth.allOf(["oauth2", "key"]), "$0.schemes[\"key\"] = …"),
            (.anyOf(["partner"]), "$0.secrets = …"),
        ] {
            let error = await #expect(throws: APIError.self) {
                try await manager.operation(Many.request(auth)).value
            }
            #expect(error?.reason == .invalidRequest)
            #expect(error?.needsLogin == false)
            #expect(error?.violations.first?.expected.contains(word) == true)
        }
        #expect(transport.requests.isEmpty)
    }

    @Test("the schemes of a call refuse the store of a scheme that the API does not have")
    func unknownStore() async throws {
        let manager = TestAPI.manager(
            Many.definition, transport: InMemoryTransport { _ in .bytes() }
        ) { $0.schemes = ["keys": .memory] }
        let error = await #expect(throws: APIError.self) {
            try await manager.operation(Many.request(.none)).value
        }
        #expect("\(try #require(error))".contains("did you mean `key`?"))
    }

    @Test("the schemes of a call put tokens into cookies, bodies and paths")
    func places() async throws {
        var definition = Many.definition
        definition.auth.token = .path("bot")
        let transport = InMemoryTransport { _ in .bytes() }
        let manager = TestAPI.manager(
            definition, transport: transport, credentials: .memory(Credential(token: "1:a/b"))
        ) {
            $0.schemes = [
                "sid": .memory(Credential(token: "s1d")), "field": .memory(Credential(token: "f")),
            ]
        }
        let request = Many.request(.allOf(["oauth2", "sid", "field"]), .post, "bot{bot}/send") {
            $0.header("Cookie", "lang=en")
            $0.form("text", "hi")
        }
        try await manager.operation(request).value
        let sent = try #require(transport.requests.first)
        #expect(sent.head.path == "/bot1%3Aa%2Fb/send" || sent.head.path == "/bot1:a%2Fb/send")
        #expect(sent.field("Cookie") == "lang=en; sid=s1d")
        #expect(sent.text == "text=hi&field=f")
    }

    @Test("the schemes of a call do not send a token that would break a header field")
    func invalidToken() async throws {
        let transport = InMemoryTransport { _ in .bytes() }
        let manager = Many.manager(transport, key: "a\r\nX: b")
        let error = await #expect(throws: APIError.self) {
            try await manager.operation(Many.request(.anyOf(["key"]))).value
        }
        #expect(error?.reason == .invalidRequest)
        #expect(transport.requests.isEmpty)
    }

    @Test("the schemes of a call take the secret of a parameter from the app, and show it nowhere")
    func secretParameter() async throws {
        let recorder = HARRecorder()
        let transport = InMemoryTransport { _ in .bytes(status: .badRequest) }
        let manager = Many.manager(transport, listeners: [recorder])
        let request = Many.request(.none, .post) {
            $0.query("a", String?.none, orCredential: "$secret.PARTNER")
            $0.header("X-B", String?.none, orCredential: "$secret.PARTNER")
            $0.form("c", String?.none, orCredential: "$secret.PARTNER")
        }
        let error = await #expect(throws: APIError.self) {
            try await manager.operation(request).value
        }
        let sent = try #require(transport.requests.first)
        #expect(sent.head.path == "/call?a=p4rtner-s3cret")
        #expect(sent.field("X-B") == "p4rtner-s3cret")
        #expect(sent.text == "c=p4rtner-s3cret")
        let text = String(decoding: recorder.data(), as: UTF8.self) + "\(try #require(error))"
        #expect(!text.contains("p4rtner"))
    }

    @Test("the schemes of a call appear in no record and no error")
    func hidden() async throws {
        let recorder = HARRecorder()
        let transport = InMemoryTransport { _ in
            .bytes(Array("\(keySecret) \(mainToken)".utf8), status: .badRequest)
        }
        let manager = Many.manager(transport, listeners: [recorder])
        let error = await #expect(throws: APIError.self) {
            try await manager.operation(Many.request(.allOf(["oauth2", "key", "partner"]))).value
        }
        let text = String(decoding: recorder.data(), as: UTF8.self) + "\(try #require(error))"
        for secret in [keySecret, mainToken, "p4rtner"] { #expect(!text.contains(secret)) }
    }

    @Test("the schemes of a call stay behind when a redirect leads to another origin")
    func redirects() async throws {
        let transport = InMemoryTransport { request in
            request.head.authority == "many.test"
                ? .bytes(
                    status: .temporaryRedirect, fields: [.location: "https://other.test/call"])
                : .bytes()
        }
        let manager = Many.manager(transport)
        try await manager.operation(Many.request(.allOf(["oauth2", "key", "partner"]))).value
        let second = try #require(transport.requests.last)
        #expect(second.head.authority == "other.test")
        #expect(second.head.path == "/call")
        #expect(second.field("X-Api-Key") == nil && second.field("Authorization") == nil)
    }

    @Test("the schemes of a call are not sent to a whole address of another origin")
    func wholeAddress() async throws {
        let transport = InMemoryTransport { _ in .bytes() }
        let manager = Many.manager(transport)
        for address in ["https://other.test/x", "https://many.test/x"] {
            let call = manager.operation(address: address, auth: .allOf(["oauth2", "key"]))
            _ = try await call.value
        }
        #expect(transport.requests.map { $0.field("X-Api-Key") } == [nil, keySecret])
    }

    @Test("the schemes of a call are replaced for one call by a credential in its options")
    func ownCredential() async throws {
        let transport = InMemoryTransport { request in
            .bytes(status: request.field("Authorization") == "Bearer old" ? .unauthorized : .ok)
        }
        let refreshes = Lock(0)
        let manager = Many.manager(
            transport,
            refresher: .app { _ in
                refreshes.withLock { $0 += 1 }
                return Credential(token: "fresh")
            })
        let request = Many.request(.required)
        let confirmed = CallOptions(credential: Credential(token: "confirmed"))
        try await manager.operation(request, options: confirmed).value
        #expect(transport.requests.first?.field("Authorization") == "Bearer confirmed")
        let error = await #expect(throws: APIError.self) {
            try await manager.operation(
                request, options: CallOptions(credential: Credential(token: "old"))
            ).value
        }
        #expect(error?.reason == .credentialRefused)
        #expect(refreshes.withLock { $0 } == 0)
        #expect(try await manager.credentials.read()?.token == mainToken)
    }
}

@Suite("Tokens that the server hands out")
struct HandedOutTokenTests {
    /// A server that asks for a token against forged requests, and for a session of its own.
    private final class Service: Sendable {
        private let state = Lock((csrf: 1, fetches: 0))

        var fetches: Int { state.withLock { $0.fetches } }

        func reply(_ request: SentRequest) -> TransportReply {
            if request.head.path == "/csrf" {
                let number = state.withLock { state in
                    state.fetches += 1
                    return state.csrf
                }
                return .json(#"{"csrf": "csrf-t0ken-\#(number)"}"#)
            }
            let current = state.withLock { $0.csrf }
            return .bytes(
                status: request.field("X-Csrf") == "csrf-t0ken-\(current)" ? .ok : .forbidden)
        }

        func replaceToken() { state.withLock { $0.csrf += 1 } }
    }

    @Test("server tokens come from another method once for all calls, and again when refused")
    func method() async throws {
        let service = Service()
        let transport = InMemoryTransport { service.reply($0) }
        let manager = Many.manager(transport)
        func callTogether() async throws {
            let calls = (0..<5).map { _ in
                manager.operation(Many.request(.allOf(["oauth2", "csrf"]), .post))
            }
            for call in calls { call.start() }
            for call in calls { try await call.value }
        }
        try await callTogether()
        #expect(service.fetches == 1)
        let fetch = try #require(transport.requests.first)
        #expect(fetch.field("Authorization") == "Bearer \(mainToken)")
        service.replaceToken()
        try await callTogether()
        #expect(service.fetches == 2)
    }

    @Test("server tokens are asked for again only once per call: a second refusal is its error")
    func refusedTwice() async throws {
        let transport = InMemoryTransport { request in
            request.head.path == "/csrf"
                ? .json(#"{"csrf": "t"}"#) : .bytes(status: .forbidden)
        }
        let manager = Many.manager(transport)
        let error = await #expect(throws: APIError.self) {
            try await manager.operation(Many.request(.allOf(["oauth2", "csrf"]), .post)).value
        }
        #expect(error?.reason == .status(403))
        #expect(
            transport.requests.map { $0.head.path ?? "" } == ["/csrf", "/call", "/csrf", "/call"])
    }

    @Test("tokens that the server hands out wait for a log-in that their method needs")
    func methodNeedsLogin() async throws {
        let transport = InMemoryTransport { request in
            guard request.field("Authorization") == "Bearer fresh" else {
                return .bytes(status: .unauthorized)
            }
            return request.head.path == "/csrf" ? .json(#"{"csrf": "t"}"#) : .bytes()
        }
        let manager = Many.manager(
            transport, refresher: .app { _ in Credential(token: "fresh") })
        try await manager.operation(Many.request(.allOf(["oauth2", "csrf"]), .post)).value
        #expect(transport.requests.last?.field("X-Csrf") == "t")
    }

    @Test("tokens that the server hands out make the call fail with the error of their method")
    func methodFails() async throws {
        let transport = InMemoryTransport { request in
            request.head.path == "/csrf" ? .json(#"{"other": 1}"#) : .bytes()
        }
        let manager = Many.manager(transport)
        let error = await #expect(throws: APIError.self) {
            try await manager.operation(Many.request(.allOf(["oauth2", "csrf"]), .post)).value
        }
        #expect(error?.phase == .auth)
        #expect("\(try #require(error))".contains("`session.csrf` has no token at `csrf`"))
    }

    @Test("server tokens are taken from the refusal, and the call is sent again with them")
    func handshake() async throws {
        let recorder = HARRecorder()
        let transport = InMemoryTransport { request in
            request.field("X-Session-Id") == "sess10n-id"
                ? .bytes()
                : .bytes(
                    status: .conflict,
                    fields: [HTTPField.Name("X-Session-Id")!: "sess10n-id"])
        }
        let manager = Many.manager(transport, listeners: [recorder])
        let request = Many.request(.anyOf(["shake"]), .post) { $0.form("a", "1") }
        try await manager.operation(request).value
        try await manager.operation(request).value
        #expect(
            transport.requests.map { $0.field("X-Session-Id") } == [
                nil, "sess10n-id", "sess10n-id",
            ])
        #expect(transport.requests.map(\.text) == ["a=1", "a=1", "a=1"])
        #expect(!String(decoding: recorder.data(), as: UTF8.self).contains("sess10n"))
    }

    @Test("tokens that the server hands out are not sent again if the refusal has no other one")
    func handshakeWithoutToken() async throws {
        let transport = InMemoryTransport { _ in .bytes(status: .conflict) }
        let manager = Many.manager(transport)
        let error = await #expect(throws: APIError.self) {
            try await manager.operation(Many.request(.anyOf(["shake"]))).value
        }
        #expect(error?.reason == .status(409))
        #expect(transport.requests.count == 1)
    }

    @Test("tokens that the server hands out are sent with the request that logs out")
    func loggingOut() async throws {
        let service = Service()
        let transport = InMemoryTransport { service.reply($0) }
        let manager = Many.manager(transport)
        try await manager.logOut(
            manager.operation(Many.request(.allOf(["oauth2", "csrf"]), .post)))
        #expect(transport.requests.map { $0.head.path ?? "" } == ["/csrf", "/call"])
        #expect(
            transport.requests.allSatisfy { $0.field("Authorization") == "Bearer \(mainToken)" })
    }

    @Test("server tokens are not kept if they arrive after log-out; waiting calls request another")
    func lateToken() async throws {
        var definition = Many.definition
        definition.tokenMethods = ["session.csrf": Endpoint(.get, "csrf", auth: .none)]
        let (asked, mayReply, fetches) = (Gate(), Gate(), Counter())
        let transport = InMemoryTransport { request in
            guard request.head.path == "/csrf" else { return .bytes() }
            let number = fetches.next()
            asked.open()
            if number == 1 { await mayReply.wait() }
            return .json(#"{"csrf": "token \#(number)"}"#)
        }
        let store = MemoryCredentialStore()
        let manager = TestAPI.manager(
            definition, transport: transport, credentials: .memory(Credential(token: mainToken))
        ) { $0.schemes = ["csrf": store] }
        let call = manager.operation(Many.request(.anyOf(["csrf"]), .post))
        call.start()
        await asked.wait()
        try await manager.logOut()
        mayReply.open()
        try await call.value
        #expect(try await store.read()?.token == "token 2")
        #expect(transport.requests.last?.field("X-Csrf") == "token 2")
    }

    @Test("tokens that the server hands out are not requested to show a request")
    func shown() async throws {
        let transport = InMemoryTransport { _ in .bytes() }
        let manager = Many.manager(transport)
        let error = await #expect(throws: APIError.self) {
            try await manager.httpRequest(for: Many.request(.anyOf(["csrf"])))
        }
        #expect("\(try #require(error))".contains("the token of `csrf` is not known yet"))
        #expect(transport.requests.isEmpty)
    }

    @Test("tokens that the server hands out end with the log-in; a key of the app stays")
    func logOut() async throws {
        let service = Service()
        let transport = InMemoryTransport { service.reply($0) }
        let manager = Many.manager(transport)
        let request = Many.request(.allOf(["oauth2", "csrf", "key"]), .post)
        try await manager.operation(request).value
        try await manager.logOut()
        try await manager.logIn(Credential(token: "next"))
        try await manager.operation(request).value
        #expect(service.fetches == 2)
        #expect(transport.requests.last?.field("X-Api-Key") == keySecret)
    }
}

@Suite("The credential of Basic")
struct BasicCredentialTests {
    @Test("the credential of Basic is the Base64 text of name and password (RFC 7617, section 2)")
    func encoded() async throws {
        let credential = try Credential(user: "Aladdin", password: "open sesame")
        #expect(credential.token == "QWxhZGRpbjpvcGVuIHNlc2FtZQ==")
        let transport = InMemoryTransport { _ in .bytes() }
        var definition = Many.definition
        definition.auth.token = .basic
        let manager = TestAPI.manager(
            definition, transport: transport, credentials: .memory(credential))
        try await manager.operation(Many.request(.required)).value
        #expect(
            transport.requests.first?.field("Authorization")
                == "Basic QWxhZGRpbjpvcGVuIHNlc2FtZQ==")
    }

    @Test(
        "the credential of Basic allows no colon in the name and no control characters",
        arguments: ["a:b", "a\n"])
    func refused(_ user: String) {
        #expect(throws: CredentialError.self) { try Credential(user: user, password: "p") }
    }
}
