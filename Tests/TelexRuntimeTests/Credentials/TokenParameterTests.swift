import HTTPTypes
import TelexTesting
import Testing

@testable import TelexRuntime

private let refresh = "r3fr3sh-t0k3n"

@Suite("A parameter that is the credential's own token or refresh token")
struct TokenParameterTests {
    /// Sends it in every possible place, under neutral names.
    private func fill(_ request: inout RequestBuilder) {
        request.query("a", String?.none, orCredential: "refresh_token")
        request.header("X-B", String?.none, orCredential: "access_token")
        request.form("c", String?.none, orCredential: "refresh_token")
    }

    private func call(
        _ credential: Credential = Credential(token: secret, refreshToken: refresh),
        redirect: HTTPFields? = nil, listeners: [any APIEventListener] = [],
        _ fill: (inout RequestBuilder) -> Void
    ) -> (call: DataOperation<Void>, transport: InMemoryTransport) {
        let transport = InMemoryTransport { request in
            guard let redirect, request.head.authority == "vault.test" else { return .bytes() }
            return .bytes(status: .temporaryRedirect, fields: redirect)
        }
        let manager = TestAPI.manager(
            VaultAPI.definition, transport: transport, credentials: .memory(credential)
        ) { $0.listeners = listeners }
        var request = RequestBuilder(VaultAPI.APIMethod.form)
        fill(&request)
        return (manager.operation(request.finishEmpty()), transport)
    }

    @Test("a parameter that is the credential's own token or refresh token is not sent if empty")
    func empty() async throws {
        let credential = Credential(token: "", refreshToken: "")
        let transport = InMemoryTransport { _ in .bytes() }
        let manager = TestAPI.manager(
            VaultAPI.definition, transport: transport, credentials: .memory(credential))
        let endpoint = Endpoint(.post, "form", auth: .none)
        var request = RequestBuilder(RequestTemplate(method: "form", endpoint: endpoint))
        fill(&request)
        try await manager.operation(request.finishEmpty()).value
        let sent = try #require(transport.requests.first)
        #expect(sent.head.path == "/form")
        let name = try #require(HTTPField.Name("X-B"))
        #expect(sent.head.headerFields[name] == nil)
        #expect(sent.text == "")
    }

    @Test("a parameter that is the credential's own token is sent, and not a value of that name")
    func sent() async throws {
        let credential = Credential(
            token: secret, values: ["access_token": "fact", "refresh_token": "fact"],
            refreshToken: refresh)
        let (call, transport) = call(credential, fill)
        try await call.value
        let sent = try #require(transport.requests.first)
        #expect(sent.head.path == "/form?a=\(refresh)")
        let name = try #require(HTTPField.Name("X-B"))
        #expect(sent.head.headerFields[name] == secret)
        #expect(sent.text == "c=\(refresh)")
    }

    @Test("a parameter that is the credential's own token is sent in a JSON body, too")
    func member() async throws {
        let (call, transport) = call {
            $0.jsonObject { _ in }
            $0.member("old", orCredential: "refresh_token")
        }
        try await call.value
        #expect(transport.requests.map(\.text) == [#"{"old":"\#(refresh)"}"#])
    }

    @Test("a parameter that is the credential's own token is left out if there is none")
    func none() async throws {
        let credential = Credential(token: secret, values: ["refresh_token": "fact"])
        let (call, transport) = call(credential) {
            $0.form("c", String?.none, orCredential: "refresh_token")
        }
        try await call.value
        #expect(transport.requests.map(\.text) == [""])
    }

    @Test("a parameter that is a token is a secret under any name: no listener and no text has it")
    func hidden() async throws {
        let (recorder, spy) = (HARRecorder(), Spy())
        let (call, _) = call(listeners: [recorder, spy], fill)
        try await call.value
        var request = RequestBuilder(VaultAPI.APIMethod.form)
        fill(&request)
        let texts = [
            spy.text, String(decoding: recorder.data(), as: UTF8.self), "\(call.attempts)",
            request.template.text,
        ]
        for text in texts {
            #expect(!text.contains(refresh) && !text.contains(secret))
        }
        // The recorded text has a mark in place of the secrets.
        #expect(texts[0].contains(Redactor.mark) && texts[1].contains(Redactor.mark))
        #expect(texts[3].contains("c=‹refresh_token›"))
        #expect(request.template.fields.map(\.isHidden) == [true, true, true])
    }

    @Test("a token parameter keeps its body at the first server; addresses that repeat it lose it")
    func redirect() async throws {
        let (body, _) = call(redirect: .location("https://other.test/")) {
            $0.form("c", String?.none, orCredential: "refresh_token")
        }
        guard case .refusedRedirect = await failure(body)?.reason else {
            Issue.record("it was followed")
            return
        }
        let (query, transport) = call(redirect: .location("https://other.test/?a=\(refresh)&b=1")) {
            $0.query("a", String?.none, orCredential: "refresh_token")
        }
        try await query.value
        #expect(transport.requests.last?.head.path == "/?b=1")
    }

    /// A call without a token in its place, like a revocation.
    private func revocation(
        _ manager: APIManager<TinyAPI>, _ options: CallOptions = CallOptions()
    ) -> DataOperation<[User]> {
        let endpoint = Endpoint(.get, "revoke", auth: .none)
        var request = RequestBuilder(RequestTemplate(method: "revoke", endpoint: endpoint))
        request.query("t", String?.none, orCredential: "refresh_token")
        return manager.operation(request.finish(UsersMapper.get), options: options)
    }

    private let ada = Credential(token: secret, refreshToken: refresh)

    @Test("a parameter that is a token is sent unencrypted to no server but the spec's own")
    func inClear() async throws {
        let transport = InMemoryTransport { _ in .json(#"{"response":[]}"#) }
        let manager = APIManager<TinyAPI>(transport: transport, credentials: .memory(ada)) {
            $0.settings.clock = .stopped
        }
        let options = CallOptions(server: .url("http://plain.example/"))
        let error = await failure(revocation(manager, options))
        #expect(error?.reason == .invalidRequest && transport.requests.isEmpty)
        #expect(error?.description.contains("an https address") == true)
        _ = try await revocation(manager).value
    }

    @Test("a parameter that is the credential's own token is carried by no call beyond a log-out")
    func logOut() async throws {
        let (sent, answer) = (Gate(), Gate())
        let transport = InMemoryTransport { _ throws(TransportError) in
            sent.open()
            await answer.wait()
            throw TransportError(.connectionLost, "lost")
        }
        let manager = APIManager<TinyAPI>(transport: transport, credentials: .memory(ada)) {
            $0.settings.clock = .stopped
        }
        let call = revocation(manager)
        call.start()
        await sent.wait()
        try await manager.logOut()
        answer.open()
        await #expect(throws: CancellationError.self) { try await call.value }
        #expect(transport.requests.count == 1)
        // The log-out does not cancel its own request.
        try await manager.logIn(ada)
        await #expect(throws: APIError.self) { try await manager.logOut(revocation(manager)) }
        #expect(transport.requests.last?.head.path?.contains(refresh) == true)
    }
}
