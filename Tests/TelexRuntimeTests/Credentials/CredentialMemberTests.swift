import TelexJSON
import TelexTesting
import Testing

@testable import TelexRuntime

@Suite("A member of a JSON body that comes from the credential")
struct CredentialMemberTests {
    private typealias Fill = (inout RequestBuilder) -> Void

    private final class RecordingListener: APIEventListener {
        let bodyLimit = 1000
        private let heard = Lock<[APIEvent]>([])

        var records: [RequestRecord] {
            heard.withLock { $0 }.compactMap { event in
                if case .received(let exchange) = event.kind { exchange.request } else { nil }
            }
        }

        func handle(_ event: APIEvent) { heard.withLock { $0.append(event) } }
    }

    /// Returns the sent requests and the error of a call whose JSON object `object` writes.
    private func call(
        _ values: [String: String] = ["user_id": "7"], token: AuthRules.Placement = .bearer,
        listeners: [any APIEventListener] = [], redirect: String? = nil,
        object: (inout JSONWriter) -> Void = { _ in }, fill: Fill
    ) async -> (requests: [SentRequest], error: APIError?) {
        let transport = InMemoryTransport { request in
            guard let redirect, request.head.authority == "vault.test" else { return .bytes() }
            return .bytes(status: .temporaryRedirect, fields: .location(redirect))
        }
        return await VaultAPI.$placement.withValue(token) {
            let manager = TestAPI.manager(
                VaultAPI.definition, transport: transport,
                credentials: .memory(Credential(token: secret, values: values))
            ) { $0.listeners = listeners }
            var request = RequestBuilder(VaultAPI.APIMethod.form)
            request.jsonObject(object)
            fill(&request)
            let error = await failure(manager.operation(request.finishRaw()))
            return (transport.requests, error)
        }
    }

    @Test(
        "a credential's value is a list's only item outside JSON, named in the list's style",
        arguments: [
            (ListStyle.repeated, "a=7"), (.joined(","), "a=7"), (.brackets, "a%5B%5D=7"),
            (.indexed, "a%5B0%5D=7"), (.dots, "a%5B0%5D=7"),
        ])
    func items(style: ListStyle, query: String) async {
        let (requests, error) = await call {
            $0.query("a", nil as [Int]?, list: style, orCredential: "user_id")
        }
        #expect(error == nil)
        #expect(requests.first?.head.path?.hasSuffix("?" + query) == true)
    }

    @Test("a JSON member from the credential is sent as a text, or as a number if it is one")
    func kinds() async {
        let (requests, error) = await call(["user_id": "7", "name": "a\"b"]) {
            $0.member("owner", orCredential: "user_id")
            $0.member("id", orCredential: "user_id", isNumber: true)
            $0.member("name", orCredential: "name")
            $0.member("names", orCredential: "name", isList: true)
            $0.member("ids", orCredential: "user_id", isNumber: true, isList: true)
        }
        #expect(error == nil)
        let body = #"{"owner":"7","id":7,"name":"a\"b","names":["a\"b"],"ids":[7]}"#
        #expect(requests.map(\.text) == [body])
        #expect(requests.first?.head.headerFields[.contentType] == "application/json")
    }

    @Test(
        "a JSON member from the credential precedes the other members, and follows the token",
        arguments: [
            (AuthRules.Placement.bearer, #"{"id":7,"a":1}"#),
            (.body("t"), #"{"t":"s3cr3t-t0k3n","id":7,"a":1}"#),
        ])
    func places(token: AuthRules.Placement, text: String) async {
        let (requests, _) = await call(token: token, object: { $0.field("a", 1) }) {
            $0.member("id", orCredential: "user_id", isNumber: true)
        }
        #expect(requests.map(\.text) == [text])
    }

    @Test("a JSON member from the credential is not sent if the credential has no such value")
    func nothing() async {
        let (requests, error) = await call(object: { $0.field("a", 1) }) {
            $0.member("id", orCredential: "other", isNumber: true)
        }
        #expect(error == nil)
        #expect(requests.map(\.text) == [#"{"a":1}"#])
    }

    @Test(
        "a credential's member is no number unless it is an integer, and the error hides it",
        arguments: ["hunter2", "7.5", "", "1e3", " 7", "0x10", "99999999999999999999"])
    func wrong(_ value: String) async {
        let (requests, error) = await call(["user_id": value]) {
            $0.member("id", orCredential: "user_id", isNumber: true)
        }
        #expect(requests.isEmpty)
        #expect(error?.phase == .build)
        #expect(error?.violations.map(\.path) == ["id"])
        #expect(error?.violations.map(\.found) == [Redactor.mark])
    }

    @Test(
        "a JSON member from the credential is a whole number of any size that 64 bits hold",
        arguments: ["0", "-12", "9223372036854775807", "18446744073709551615"])
    func numbers(_ value: String) async {
        let (requests, _) = await call(["user_id": value]) {
            $0.member("id", orCredential: "user_id", isNumber: true)
        }
        #expect(requests.map(\.text) == [#"{"id":\#(value)}"#])
    }

    @Test("a JSON member from the credential does not follow a redirect to another origin")
    func redirect() async {
        let (requests, error) = await call(redirect: "https://other.test/") {
            $0.member("id", orCredential: "user_id", isNumber: true)
        }
        #expect(error == nil)
        #expect(requests.map(\.text) == [#"{"id":7}"#, "{}"])
    }

    @Test("a JSON member from the credential prevents a redirect elsewhere if it is sensitive")
    func sensitiveRedirect() async {
        let (requests, error) = await call(redirect: "https://other.test/") {
            $0.member("id", orCredential: "user_id", sensitive: true)
        }
        guard case .refusedRedirect = error?.reason else {
            Issue.record("\(String(describing: error))")
            return
        }
        #expect(requests.count == 1)
    }

    @Test("a credential's member is shown to listeners, unless sensitive or with a secret's key")
    func listeners() async throws {
        let listener = RecordingListener()
        _ = await call(
            ["user_id": "7", "level": "+8", "id_token": "1d"], listeners: [listener],
            object: { $0.field("pin", 12, sensitive: true) }
        ) {
            $0.member("id", orCredential: "user_id", isNumber: true)
            $0.member("shy", orCredential: "level", isNumber: true, sensitive: true)
            $0.member("proof", orCredential: "id_token")
        }
        let text = try #require(listener.records.first?.body?.text)
        let mark = Redactor.mark
        #expect(text == #"{"id":7,"shy":\#(mark),"proof":"\#(mark)","pin":\#(mark)}"#)
    }

    @Test("a JSON member from the credential is displayed by its name in the credential")
    func text() {
        var request = RequestBuilder(VaultAPI.APIMethod.form)
        request.jsonObject { $0.field("a", 1) }
        request.member("id", orCredential: "user_id")
        #expect(request.template.text.contains("‹JSON, 7 bytes› and ‹user_id›"))
    }

    @Test("a member of a JSON body that comes from the credential needs a credential")
    func need() {
        var request = RequestBuilder(VaultAPI.APIMethod.form)
        request.jsonObject { _ in }
        #expect(!request.template.needsCredential)
        request.member("id", orCredential: "user_id")
        #expect(request.template.needsCredential)
    }
}
