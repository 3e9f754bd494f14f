import HTTPTypes
import TelexJSON
import TelexTesting
import Testing

@testable import TelexRuntime

@Suite("Secrets")
struct SecretLeakTests {
    static let refresh = "r3fr3sh v&lue"
    static let password = "p4ss w/rd"

    /// Returns everything that could be printed about a value.
    private func texts(_ value: Any) -> String {
        var dumped = ""
        dump(value, to: &dumped)
        return "\(value)\n\(String(reflecting: value))\n\(dumped)"
    }

    private func isClean(_ text: String) -> Bool {
        let forms = [secret, Self.refresh, Self.password].flatMap {
            [$0, PercentEncoding.component($0), PercentEncoding.form($0)]
        }
        return !forms.contains { Array(text.utf8).contains(Array($0.utf8)) }
    }

    @Test("secrets are in no description of a credential, request, operation or store error")
    func descriptions() {
        let credential = Credential(
            token: secret, values: ["pin": secret], refreshToken: Self.refresh)
        let request = UsersRequests.save(name: "n", password: Self.password)
        #expect(isClean(texts(credential)))
        #expect(isClean(texts(request)))
        let (manager, _) = tiny(credential: credential) { _ in .json("{}") }
        #expect(isClean(texts(manager.operation(request))))
        #expect(
            request.description
                == "curl -X POST 'users.save' --data-raw 'name=n' "
                + "--data-raw 'password=‹redacted›'")
        let short = UsersRequests.save(name: "n", password: "p!")
        #expect(short.violations.map(\.found) == [Violation.redacted])
    }

    @Test("secrets are in no error and no event, even when the server repeats them")
    func errorsAndEvents() async {
        @Sendable func echo(_ text: String) -> String {
            #"{"error":{"error_code":1,"error_msg":"\#(text)"}}"#
        }
        let shape = #"{"response":[{"id":"\#(secret)","name":"\#(secret)"}]}"#
        let passwords = "\(Self.password) \(PercentEncoding.component(Self.password))\u{301}"
        let save = UsersRequests.save(name: "n", password: Self.password)
        let get = UsersRequests.get(ids: ["1"])
        let log = Log()
        let credential = Credential(token: secret, refreshToken: Self.refresh)
        let nested = #"{"response":{"\#(secret)":nope}}"#
        for reply in [nested, echo("\(secret)\u{301} \(Self.refresh)"), shape, secret] {
            let (manager, _) = tiny(credential: credential, onEvent: { log.add(texts($0)) }) { _ in
                .json(reply)
            }
            let error = await failure(manager.operation(get))
            #expect(isClean(texts(error as Any)))
            #expect(error != nil)
        }
        let (manager, _) = tiny(credential: credential, onEvent: { log.add(texts($0)) }) { _ in
            .json(echo("\(secret) \(passwords)"))
        }
        let error = await failure(manager.operation(save))
        #expect(error?.message == "‹redacted› ‹redacted› ‹redacted›\u{301}")
        #expect(isClean(log.text))
        #expect(log.text.contains("access_token=‹redacted›"))
    }

    @Test("secrets are in no description of an interceptor's error, which itself is unchanged")
    func intercepted() async {
        struct Refused: Error { let words: String }
        struct Refusing: Interceptor {
            func intercept(
                _ request: TransportRequest, of call: InterceptedCall, next: Next
            ) async throws -> TransportReply {
                throw Refused(words: "no: \(request.head.path ?? "")")
            }
        }
        let log = Log()
        let manager = APIManager<TinyAPI>(
            transport: InMemoryTransport { _ in .json("{}") },
            credentials: .memory(Credential(token: secret))
        ) {
            $0.interceptors = [Refusing()]
            $0.settings.clock = .stopped
            $0.onEvent = { log.add(texts($0)) }
        }
        let error = await failure(manager.operation(UsersRequests.get(ids: ["1"])))
        #expect((error?.cause as? Refused)?.words.contains(secret) == true)
        #expect(error?.phase == .send && error?.description.contains("`Refused`") == true)
        #expect(error?.description.contains("no: ") == false)
        #expect(isClean(texts(error as Any)) && isClean(log.text))
    }

    @Test("secrets are not printed with the inputs and outputs of an interceptor")
    func exchanged() {
        let request = TransportRequest(
            head: HTTPRequest(
                method: .post, scheme: "https", authority: "api.tiny.test",
                path: "/\(secret)/a?t=\(secret)", headerFields: [.authorization: secret]),
            body: .parts([.bytes(Array(secret.utf8))]))
        let reply = TransportReply(
            head: HTTPResponse(status: .ok, headerFields: [.setCookie: "s=\(secret)"]),
            body: ReplyBody(Array(secret.utf8)))
        let part = RequestBody.Part.bytes(Array(secret.utf8))
        let bytes = "\(Array(secret.utf8))".dropFirst().dropLast()
        for value in [request, reply, request.body as Any, part, reply.body] as [Any] {
            let text = texts(value)
            #expect(isClean(text) && !text.contains(bytes))
            #expect(text.contains("\(secret.utf8.count) bytes"))
        }
        #expect("\(request)".contains("POST") && "\(request)".contains("https://api.tiny.test/"))
        #expect("\(request)".contains("Authorization") && "\(reply)".contains("Set-Cookie"))
        #expect("\(reply)".contains("200"))
    }

    @Test("secrets of a body are redacted everywhere, but short words beside them are not")
    func wholeBody() async {
        let (manager, _) = tiny { _ in
            .json(#"{"error":{"error_code":1,"error_msg":"ok 7 is no hunter2 or p!n"}}"#)
        }
        func message(_ fill: (inout RequestBuilder) -> Void) async -> String? {
            var request = RequestBuilder(TinyAPI.APIMethod.usersSave)
            fill(&request)
            return await failure(manager.operation(request.finishEmpty()))?.message
        }
        func write(_ json: inout JSONWriter) {
            json.beginObject()
            json.field("state", "ok")
            json.field("words", ["is", "hunter2"])
            json.field("page", 7)
            json.field("pin", "p!n", sensitive: true)
            json.endObject()
        }
        let hidden = "ok 7 is no ‹redacted› or ‹redacted›"
        #expect(await message { $0.json(sensitive: true, write) } == hidden)
        #expect(await message { $0.json(write) } == "ok 7 is no hunter2 or ‹redacted›")
        let list = await message { request in
            request.jsonObject { $0.field("list", ["hunter2", "ok"], sensitive: true) }
        }
        #expect(list == "ok 7 is no ‹redacted› or p!n")
    }

    @Test("secrets of an invalid absolute address are in no description")
    func noAddress() {
        let request = UsersRequests.upload(
            to: "ftp://up.test/u?sig=\(secret)", UploadFile(bytes: [1], name: "a"))
        #expect(isClean(texts(request)))
        #expect(request.description.contains("'‹redacted›'"))
    }

    @Test("secrets of a signed upload address are not shown")
    func uploadAddress() async throws {
        let log = Log()
        let (manager, _) = tiny(onEvent: { log.add(texts($0)) }) { _ in .bytes() }
        let file = UploadFile(bytes: [1], name: "a")
        let request = UsersRequests.upload(to: "https://up.test/u?sig=\(secret)", file)
        _ = try await manager.operation(request).value
        #expect(isClean(log.text))
        #expect(log.text.contains("https://up.test/u?‹redacted›"))
        #expect(isClean(texts(request)))
    }

    @Test("secrets in a Basic token are redacted by themselves too")
    func basic() async {
        await VaultAPI.$placement.withValue(.header("Authorization", prefix: "Basic ")) {
            let log = Log()
            let manager = TestAPI.manager(
                VaultAPI.definition,
                transport: InMemoryTransport { _ in
                    .json(
                        #"{"code": "no", "message": "ann:hunter2 or hunter2"}"#,
                        status: .forbidden)
                },
                credentials: .memory(Credential(token: Taints.base64("ann:hunter2")))
            ) { $0.onEvent = { log.add(texts($0)) } }
            let request = RequestBuilder(VaultAPI.APIMethod.form).finishEmpty()
            let error = await failure(manager.operation(request))
            #expect(error?.message == "‹redacted› or ‹redacted›")
            #expect(!log.text.contains("hunter2"))
        }
    }

    @Test("secrets of a thousand calls stay out of their events")
    func thousand() async {
        let log = Log()
        await withTaskGroup(of: Void.self) { group in
            for number in 0..<1_000 {
                group.addTask {
                    let token = "taint-\(number)/\(number)"
                    let (manager, _) = tiny(
                        credential: Credential(token: token), onEvent: { log.add("\($0)") }
                    ) { request in .json(#"{"error":{"error_msg":"\#(request.head.path ?? "")"}}"#)
                    }
                    let error = await failure(manager.operation(UsersRequests.get(ids: ["1"])))
                    log.add(String(describing: error))
                }
            }
        }
        #expect(!log.text.contains("taint"))
        #expect(log.text.contains("‹redacted›"))
    }
}
