import HTTPTypes
import TelexJSON
import TelexTesting
import Testing

@testable import TelexRuntime

@Suite("The request of a background session")
struct BackgroundRequestTests {
    private typealias Fill = @Sendable (inout RequestBuilder) -> Void

    /// Returns the request that the transport receives.
    private func request(
        token: AuthRules.Placement = .bearer, session: Endpoint.Session = .named("transfers"),
        credential: Credential? = Credential(token: secret, values: ["user_id": "7"]),
        fill: Fill
    ) throws -> TransportRequest {
        var definition = TinyAPI.definition
        definition.auth = AuthRules(token: token)
        definition.sessions = [TransportSession("transfers", isBackground: true)]
        var builder = RequestBuilder(
            RequestTemplate(
                method: "films.add", endpoint: Endpoint(.post, "films", session: session)))
        fill(&builder)
        let server = try #require(Address("https://api.tiny.test/method/"))
        let transport = InMemoryTransport { _ in .bytes() }
        let pipeline = TestAPI.manager(definition, transport: transport).factory.pipeline
        let request = builder.finishEmpty().content
        let call = Call(pipeline, request, credential)
        let hop = Hop(.post, to: server, sendsBody: true, wasRedirectedAway: false)
        return try Exchange(call, on: server).request(hop)
    }

    private static let file = UploadFile(bytes: [1], name: "a")

    private static let secretBodies: [Fill] = [
        { $0.part("key", file, sensitive: true) }, { $0.file(file, sensitive: true) },
        { $0.bytes([1], sensitive: true) }, { $0.json(sensitive: true) { $0.value("a") } },
        { $0.jsonObject { $0.field("a", "b", sensitive: true) } },
        { $0.jsonObject { $0.field("password", "b") } },
        { $0.form("code", "b", sensitive: true) }, { $0.part("client_secret", "b") },
        { $0.form("owner", String?.none, orCredential: "user_id") },
        {
            $0.jsonObject { _ in }
            $0.member("owner", orCredential: "user_id")
        },
        { $0.form("login", JSONValue.object(["Password": "b"])) },
        { $0.json { $0.value(JSONValue.array([.object(["a": .object(["token": "b"])])])) } },
    ]

    @Test(
        "the request of a background session states that its body holds a secret",
        arguments: secretBodies.indices)
    func secretBody(_ index: Int) throws {
        #expect(try request(fill: Self.secretBodies[index]).hasSecretBody)
        #expect(try !request(session: .shared, fill: Self.secretBodies[index]).hasSecretBody)
    }

    private static let otherBodies: [Fill] = [
        { _ in }, { $0.part("photo", file) }, { $0.file(file) }, { $0.bytes([1]) },
        { $0.jsonObject { $0.field("title", "password") } }, { $0.form("title", "token") },
        { $0.form("owner", String?.none, orCredential: "nothing") },
        {
            $0.jsonObject { _ in }
            $0.member("owner", orCredential: "nothing")
        },
        { $0.query("password", "b") },
    ]

    @Test(
        "the request of a background session states of no other body that it holds a secret",
        arguments: otherBodies.indices)
    func otherBody(_ index: Int) throws {
        #expect(try !request(fill: Self.otherBodies[index]).hasSecretBody)
    }

    @Test(
        "a background request states where its token is, unless redirects keep it there",
        arguments: [
            (.bearer, false, []), (.query("t"), false, []), (.header("Authorization"), false, []),
            (.header("X-Key"), false, ["X-Key"]), (.cookie("t"), false, ["Cookie"]),
            (.form("t"), true, []), (.json("t"), true, []), (.body("t"), true, []),
        ] as [(AuthRules.Placement, Bool, [String])])
    func token(_ place: AuthRules.Placement, isInBody: Bool, fields: [String]) throws {
        let sent = try request(token: place) { _ in }
        #expect(sent.hasSecretBody == isInBody)
        #expect(sent.secretFields == Set(fields.compactMap { HTTPField.Name($0) }))
        #expect(try !request(token: place, credential: nil) { _ in }.hasSecretBody)
    }

    @Test("the request of a background session states which header fields hold secrets")
    func fields() throws {
        let sent = try request {
            $0.header("X-A", "a", sensitive: true)
            $0.header("X-Auth-Token", "b")
            $0.header("X-Owner", String?.none, orCredential: "user_id")
            $0.header("Authorization", "c", sensitive: true)
            $0.header("X-Harmless", "d")
        }
        #expect(Set(sent.secretFields.map(\.rawName)) == ["X-A", "X-Auth-Token", "X-Owner"])
    }
}
