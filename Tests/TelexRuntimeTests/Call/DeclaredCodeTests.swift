import Foundation
import HTTPTypes
import TelexTesting
import Testing

@testable import TelexRuntime

@Suite("A code that the spec names, in a reply whose keys are not asked for")
struct DeclaredCodeTests {
    private static let plain = ReplyRules()

    /// A method of the tiny API for which any 200 is a success.
    private func builder(_ verb: Endpoint.Verb = .get) -> RequestBuilder {
        RequestBuilder(
            RequestTemplate(method: "plain", endpoint: Endpoint(verb, "plain", reply: Self.plain)))
    }

    /// Replies with this to an old token, and with a list of users to a new one.
    private func client(_ body: String) -> (manager: APIManager<TinyAPI>, sent: Counter) {
        let sent = Counter()
        let transport = InMemoryTransport { request in
            _ = sent.next()
            let isNew = request.head.path?.contains("access_token=new") == true
            return .bytes(Array((isNew ? "[]" : body).utf8))
        }
        let manager = APIManager<TinyAPI>(
            transport: transport, credentials: MemoryCredentialStore(Credential(token: "old"))
        ) {
            $0.refresher = .app { _ in Credential(token: "new") }
            $0.settings.clock = .stopped
        }
        return (manager, sent)
    }

    private static let expired = #" {"error":{"error_code":5,"error_msg":"expired"}}"#

    @Test(
        "a code that the spec names triggers a refresh, whatever the value of the call is",
        arguments: ["", "\u{FEFF}"])
    func expired(_ mark: String) async throws {
        let body = mark + Self.expired
        let (raw, sentRaw) = client(body)
        let data: Data = try await raw.operation(builder().finishRaw()).value
        #expect(data == Data("[]".utf8) && sentRaw.value == 2)
        let (nothing, sentNothing) = client(body)
        try await nothing.operation(builder().finishEmpty()).value
        #expect(sentNothing.value == 2)
        let (model, sentModel) = client(body)
        let users = try await model.operation(builder().finish(UsersMapper.get)).value
        #expect(users == [] && sentModel.value == 2)
    }

    @Test(
        "a code that the spec names is found however the number is written",
        arguments: ["5.0", "5e0", "50E-1", "5.000"])
    func spellings(_ number: String) async throws {
        let (manager, sent) = client(#"{"error":{"error_code":\#(number)}}"#)
        try await manager.operation(builder().finishEmpty()).value
        let (keyed, sentKeyed) = client(#"{"error":{"error_code":\#(number)}}"#)
        let error = await failure(keyed.operation(UsersRequests.get(ids: ["1"])))
        // With its token, the reply is not the expected one.
        #expect(error?.code == nil && sent.value == 2 && sentKeyed.value == 2)
        let code = await failure { .json(#"{"error":{"error_code":\#(number)}}"#) }?.code
        #expect(code == "5")
    }

    @Test("a code that the spec names is a text, or a number as written if it is not an integer")
    func texts() async {
        for (value, code) in [
            (#""5.0""#, "5.0"), ("5.5", "5.5"), ("1e400", "1e400"), ("-7", "-7"), ("-7.0", "-7"),
            ("123456789012345678901234567890", "123456789012345678901234567890"),
        ] {
            let error = await failure { .json(#"{"error":{"error_code":\#(value)}}"#) }
            #expect(error?.code == code)
        }
    }

    @Test("a code that the spec names repeats the call if the code is retryable")
    func retried() async throws {
        let backoff = Backoff(initial: .zero)
        let marked = RetryPolicy(attempts: 3, on: [], backoff: backoff)
        let named = RetryPolicy(attempts: 3, on: [.code("7")], backoff: backoff)
        for (code, policy, verb, times) in [
            (6, marked, Endpoint.Verb.post, 3), (7, named, .get, 3), (7, named, .post, 1),
        ] {
            let (manager, sent) = client(#"{"error":{"error_code":\#(code)}}"#)
            let request: APIRequest<Data> = builder(verb).finishRaw()
            let error = await failure(
                manager.operation(request, options: CallOptions(retry: policy)))
            #expect(error?.reason == .refused && error?.code == "\(code)")
            #expect(error?.phase == .status && error?.status == 200)
            #expect(sent.value == times)
        }
    }

    @Test(
        "a code is ignored if the spec names other codes, or the reply is not a JSON object",
        arguments: [
            #"{"error":{"error_code":8}}"#, #"{"error":{"code":5}}"#, #"{"error_code":5}"#,
            #"[{"error":{"error_code":5}}]"#, "{", "  ", "GIF89a", "\u{FEFF}",
            "\u{FEFF}\u{FEFF}{\"error\":{\"error_code\":5}}", "\u{FEFE}",
        ])
    func others(_ body: String) async throws {
        let (manager, sent) = client(body)
        let data: Data = try await manager.operation(builder().finishRaw()).value
        #expect(data == Data(body.utf8) && sent.value == 1)
    }

    @Test("a code that the spec names refuses a call without a token, and triggers no refresh")
    func withoutToken() async {
        let (manager, sent) = client(Self.expired)
        let endpoint = Endpoint(.get, "plain", auth: .none, reply: Self.plain)
        let request: APIRequest<Void> = RequestBuilder(
            RequestTemplate(method: "plain", endpoint: endpoint)
        ).finishEmpty()
        let error = await failure(manager.operation(request))
        #expect(error?.reason == .refused && error?.code == "5" && sent.value == 1)
    }

    @Test("a code in the spec has another meaning than an expired token where the method says so")
    func otherMeaning() async throws {
        for signs: [AuthRules.Expiry] in [[], [.status(401)]] {
            let (manager, sent) = client(Self.expired)
            let endpoint = Endpoint(.post, "password", expired: signs)
            let request: APIRequest<Void> = RequestBuilder(
                RequestTemplate(method: "password", endpoint: endpoint)
            ).finishEmpty()
            let error = await failure(manager.operation(request))
            #expect(error?.reason == .refused && error?.phase == .status && error?.code == "5")
            #expect(error?.needsLogin == false && sent.value == 1)
            let (plain, sentPlain) = client(Self.expired)
            let data: Data = try await plain.operation(
                RequestBuilder(
                    RequestTemplate(
                        method: "plain",
                        endpoint: Endpoint(.get, "plain", expired: signs, reply: Self.plain))
                ).finishRaw()
            ).value
            #expect(data == Data(Self.expired.utf8) && sentPlain.value == 1)
        }
    }

    @Test("a code that the spec names follows the method's rules in place of the API's")
    func ownMeaning() async throws {
        let (manager, sent) = client(#"{"error":{"error_code":9}}"#)
        let endpoint = Endpoint(.get, "own", expired: [.code("9")], reply: Self.plain)
        let request: APIRequest<Data> = RequestBuilder(
            RequestTemplate(method: "own", endpoint: endpoint)
        ).finishRaw()
        #expect(try await manager.operation(request).value == Data("[]".utf8) && sent.value == 2)
    }

    @Test(
        "a code that the spec names repeats a download with a new token, and is no file",
        arguments: ["", "\u{FEFF}"])
    func download(_ mark: String) async throws {
        try await withFile { path in
            let (manager, sent) = client(mark + Self.expired)
            _ = try await manager.operation(builder().finishDownload(to: path)).value
            #expect(try DiskFile.read(path) == Array("[]".utf8) && sent.value == 2)
        }
    }
}
