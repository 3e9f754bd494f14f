import Foundation
import HTTPTypes
import TelexJSON
import TelexTesting
import Testing

@testable import TelexRuntime

/// An API whose description has a request that renews the token.
private enum Renewing {
    /// The refresh request of the managers that a task makes.
    @TaskLocal static var refresh = RefreshRequest(
        "https://id.test/token?key=h1dden",
        .form([
            .init("grant_type", .constant("refresh_token")), .init("client_id", .constant("app")),
            .init("client_secret", .secret("cl1ents3cret")), .init("device", .fact("device")),
            .init("refresh_token", .refreshToken),
        ]))

    static var definition: APIDefinition {
        var definition = TinyAPI.definition
        definition.auth.refresh = .request(refresh)
        return definition
    }
}

/// Records the events of token requests.
private final class RecordingListener: APIEventListener {
    let bodyLimit = 4096
    private let heard = Lock<[APIEvent]>([])

    /// The events that belong to no call.
    var events: [APIEvent] { heard.withLock { $0 } }
    var exchanges: [ExchangeRecord] {
        events.compactMap { event in
            switch event.kind {
            case .received(let exchange), .disconnected(let exchange): exchange
            default: nil
            }
        }
    }

    func handle(_ event: APIEvent) {
        if event.operation == nil { heard.withLock { $0.append(event) } }
    }
}

private let old = Credential(
    token: "0ldt0ken", values: ["device": "dev1ce"], refreshToken: "r3fr3sh")

/// Refuses the old token, and lets a script reply as the token server.
private func manager(
    _ listeners: [any APIEventListener], _ script: @escaping InMemoryTransport.Script
) -> APIManager<TestAPI> {
    let transport = InMemoryTransport { request async throws(TransportError) in
        if request.head.authority == "id.test" { return try await script(request) }
        return request.head.path?.contains("access_token=n3wt0ken") == true
            ? .json(#"{"response":[]}"#)
            : .json(#"{"error":{"error_code":5,"error_msg":"expired"}}"#)
    }
    return TestAPI.manager(Renewing.definition, transport: transport, credentials: .memory(old)) {
        $0.listeners = listeners
    }
}

/// Makes a call that needs a new token.
private func refresh(
    _ listeners: [any APIEventListener], _ script: @escaping InMemoryTransport.Script
) async {
    _ = try? await manager(listeners, script).operation(UsersRequests.get(ids: ["1"])).value
}

@Suite("Listeners receive the token request")
struct TokenEventTests {
    private static let granted = #"""
        {"access_token":"n3wt0ken","refresh_token":"n3xtr3fr3sh","expires_in":60,"user":{"id":7}}
        """#

    @Test("listeners receive the token request and its reply, in the name of the API")
    func told() async throws {
        let listener = RecordingListener()
        await refresh([listener]) { _ in .json(Self.granted) }
        #expect(
            listener.events.map { $0.description.prefix { $0 != " " } } == ["⟳", "→", "←", "⟳"])
        #expect(listener.events.allSatisfy { $0.api == "Tiny" && $0.method.isEmpty })
        #expect(listener.events[1].description.hasPrefix("→ token of Tiny: curl "))
        #expect(
            listener.events[2].description == "← token of Tiny: 200, application/json, 89 bytes")
    }

    @Test("a token request shows the names of all fields, and the values of public ones")
    func fields() async throws {
        let listener = RecordingListener()
        await refresh([listener]) { _ in .json(Self.granted, fields: [.setCookie: "sid=c00kie"]) }
        let exchange = try #require(listener.exchanges.first)
        #expect(exchange.request.method == "POST")
        #expect(exchange.request.url == "https://id.test/token?‹redacted›")
        #expect(
            exchange.request.body?.parts.map { "\($0.name)=\($0.value ?? "")" } == [
                "grant_type=refresh_token", "client_id=app", "client_secret=‹redacted›",
                "device=‹redacted›", "refresh_token=‹redacted›",
            ])
        let reply = try #require(exchange.reply)
        #expect(
            reply.text == #"""
                {"access_token":"‹redacted›","refresh_token":"‹redacted›","expires_in":60,\#
                "user":{"id":"‹redacted›"}}
                """#)
        #expect(reply.status == 200 && reply.isComplete)
        #expect(reply.fields["set-cookie"] == "‹redacted›")
        #expect(exchange.timings.firstByte != nil)
    }

    @Test("listeners receive a token request of JSON, too")
    func json() async throws {
        let listener = RecordingListener()
        let request = RefreshRequest(
            "https://id.test/token",
            .json([.init("scope", .constant("all")), .init("renew", .refreshToken)]),
            reply: TokenReplyRules(token: ["data", "jwt"]))
        await Renewing.$refresh.withValue(request) {
            await refresh([listener]) { _ in .json(#"{"data":{"jwt":"n3wt0ken"},"scope":"all"}"#) }
        }
        #expect(
            listener.exchanges.map(\.request.body?.text) == [
                #"{"scope":"all","renew":"‹redacted›"}"#
            ])
        #expect(
            listener.exchanges.map(\.reply?.text) == [
                #"{"data":{"jwt":"‹redacted›"},"scope":"all"}"#
            ])
    }

    @Test("the reason for a refused token is shown without the values that it repeats")
    func refused() async throws {
        let listener = RecordingListener()
        await refresh([listener]) { _ in
            .tokenRefusal("invalid_grant", "r3fr3sh of dev1ce is over, see h1dden")
        }
        #expect(
            listener.exchanges.map(\.reply?.text) == [
                #"""
                {"error":"invalid_grant","error_description":"‹redacted› of ‹redacted› is over, \#
                see ‹redacted›"}
                """#
            ])
        #expect(listener.events.last?.description.hasPrefix("✗ Tiny has no new credential") == true)
    }

    @Test(
        "a message of a token server shows no repeated value, in the record and the error",
        arguments: [
            (#""x":0"#, "c00kievalue1"), (#""access_token":90817263"#, "90817263"),
            (#""pin":90817263"#, "90817263"), (#""old":["newsecretvalue"]"#, "newsecretvalue"),
            (#""a":{"b":[1.5e30]}"#, "1.5e30"),
        ])
    func repeated(member: String, hidden: String) async throws {
        let listener = RecordingListener()
        let words = "no \(hidden) any more (400)"
        let call = manager([listener]) { _ in
            .json(
                #"{"error":"invalid_grant","error_description":"\#(words)",\#(member)}"#,
                status: .badRequest, fields: [.setCookie: "sid=c00kievalue1; HttpOnly"])
        }.operation(UsersRequests.get(ids: ["1"]))
        let error = try #require(await failure(call))
        #expect("\(error)".contains("no ‹redacted› any more (400)"))
        let last = try #require(listener.events.last)
        #expect(last.description.contains("no ‹redacted› any more (400)"))
        #expect(
            listener.exchanges.first?.reply?.text?.contains("no ‹redacted› any more (400)") == true)
        let all = TaintTests.texts(error) + listener.events.map { TaintTests.texts($0) }.joined()
        #expect(!all.contains(hidden))
    }

    @Test("listeners learn that there was no reply to a token request")
    func disconnected() async throws {
        let listener = RecordingListener()
        await refresh([listener]) { _ throws(TransportError) in
            throw TransportError(.cannotConnect, "no way for r3fr3sh")
        }
        #expect(
            listener.exchanges.map(\.failure) == [
                TransportError(.cannotConnect, "no way for ‹redacted›")
            ])
        #expect(listener.events.map(\.description)[2] == "✗ token of Tiny: no way for ‹redacted›")
    }

    @Test("nothing is shown of an unreadable token reply, or of one with too much to redact")
    func unreadable() async {
        let many = (0..<70).map { #""x\#($0)":"y\#($0)""# }.joined(separator: ",")
        for text in ["<b>n3wt0ken</b>", #"{"access_token":"n3wt0k"#, "[1]", "{\(many)}"] {
            let listener = RecordingListener()
            await refresh([listener]) { _ in .json(text, status: .badGateway) }
            #expect(listener.exchanges.map(\.reply?.status) == [502])
            #expect(listener.exchanges.map(\.reply?.text) == [nil])
        }
    }

    @Test("a redirect of a token request shows its host, and no more of its address")
    func redirected() async {
        let listener = RecordingListener()
        await refresh([listener]) { _ in
            .bytes(status: .found, fields: [.location: "https://b.test/r3fr3sh/t?code=c0de"])
        }
        #expect(
            listener.exchanges.map { $0.reply?.fields["location"] } == [
                "https://b.test/‹redacted›"
            ])
    }

    @Test("a token request has no text of a body that is larger than a listener requests")
    func limits() async {
        let listener = RecordingListener()
        let recorder = HARRecorder(bodyLimit: 9)
        await refresh([listener, recorder]) { _ in .json(Self.granted) }
        let text = String(decoding: recorder.data(), as: UTF8.self)
        #expect(text.contains(#""comment":"token of Tiny""#))
        #expect(!text.contains(##""text":"{"##))
    }

    @Test("listeners receive the token request of a log-out")
    func logOut() async throws {
        let listener = RecordingListener()
        let manager = manager([listener]) { _ in .json(Self.granted) }
        var over = old
        over.expiry = .distantPast
        try await manager.credentials.save(over)
        _ = try? await manager.logOut(manager.operation(UsersRequests.get(ids: [])))
        #expect(listener.events.map(\.description).map { $0.prefix(1) } == ["→", "←"])
    }

    @Test("listeners receive the token requests of their own manager alone")
    func others() async throws {
        let listener = RecordingListener()
        _ = manager([listener]) { _ in .json(Self.granted) }
        let refresher = RequestCredentialRefresher(
            Renewing.refresh, transport: InMemoryTransport { _ in .json(Self.granted) },
            clock: .stopped)
        _ = try await refresher.refresh(old)
        #expect(listener.events.isEmpty)
    }

    @Test("A dump of the declared request hides the query of its address")
    func dumped() {
        var text = ""
        dump(Renewing.refresh, to: &text)
        text += "\(Renewing.refresh) \(Renewing.definition)"
        #expect(text.contains("https://id.test/token?‹redacted›"))
        #expect(!text.contains("h1dden"))
    }
}
