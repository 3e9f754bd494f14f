import HTTPTypes
import RuntimeTestSupport
import TelexJSON
import TelexTesting
import Testing

@testable import TelexRuntime

@Suite("The error format of an API")
struct ErrorRulesTests {
    private static let url = "https://api.test/"

    /// The error of a call whose reply is `reply`.
    private func error(
        _ rules: ErrorRules, own: ErrorRules? = nil, _ reply: TransportReply
    ) async -> APIError? {
        let definition = APIDefinition(
            name: "Lists", servers: [Server("main", Self.url)], errors: rules,
            limits: ReplyLimits(bytes: 64, depth: 8), retry: .never)
        let manager = TestAPI.manager(definition, transport: InMemoryTransport { _ in reply })
        let builder = RequestBuilder(
            RequestTemplate(method: "get", endpoint: Endpoint(.get, "get", errors: own)))
        let request = builder.finish { json -> Int? in json.value() }
        return await #expect(throws: APIError.self) {
            try await manager.operation(request).value
        }
    }

    private struct Problem: JSONReadable, Equatable {
        let code: Int

        static func read(from json: inout JSONReader) -> Problem? {
            var code: Int?
            guard json.beginMap() else { return nil }
            while let key = json.nextKey() { if key == "code" { json.read(&code) } }
            guard json.endMap(), let code else { return nil }
            return Problem(code: code)
        }
    }

    private static let several = #"{"errors":[{"code":7,"text":"no"},{"code":8},{"x":1}]}"#

    @Test("the error format of an API finds the first of a list of errors, and all of them")
    func lists() async {
        let rules = ErrorRules(at: ["errors", 0], code: ["code"], message: ["text"])
        let first = await error(rules, .json(Self.several, status: 400))
        #expect(first?.code == "7" && first?.message == "no")
        #expect(first?.detail(as: Problem.self) == Problem(code: 7))
        #expect(first?.details(as: Problem.self) == [Problem(code: 7)])
        let each = ErrorRules(at: ["errors", .each], code: ["code"], message: ["text"])
        let all = await error(each, .json(Self.several, status: 400))
        #expect(all?.code == "7" && all?.message == "no")
        #expect(all?.details(as: Problem.self) == [Problem(code: 7), Problem(code: 8)])
    }

    @Test("an API's error format has no code where the list is missing, empty or something else")
    func noList() async {
        let rules = ErrorRules(at: ["errors", 0], code: ["code"])
        for text in ["{}", #"{"errors":[]}"#, #"{"errors":{"code":1}}"#, "[]", "{", ""] {
            let error = await error(rules, .json(text, status: 400))
            #expect(error?.code == nil && error?.reason == .status(400), "\(text)")
        }
    }

    @Test("the error format of an API names statuses; a code in the body comes first")
    func statuses() async {
        let rules = ErrorRules(code: ["code"], statuses: [404])
        let missing = await error(rules, .json("{}", status: 404))
        #expect(missing?.code == "404")
        #expect(missing?.description.hasSuffix("(status 404)") == true)
        #expect(await error(rules, .json(#"{"code":9}"#, status: 404))?.code == "9")
        #expect(await error(rules, .json("{}", status: 500))?.code == nil)
    }

    @Test("the error format of a method replaces that of the API")
    func ofMethod() async {
        let own = ErrorRules(code: ["number"])
        let reply = TransportReply.json(#"{"code":1,"number":2}"#, status: 400)
        #expect(await error(ErrorRules(code: ["code"]), reply)?.code == "1")
        #expect(await error(ErrorRules(code: ["code"]), own: own, reply)?.code == "2")
    }

    @Test("the error format of an API shows a plain text, but no other document")
    func plainText() async {
        let plain = TransportReply.bytes(
            Array("no such user\n".utf8), status: 404,
            fields: [.contentType: "text/plain; charset=utf-8"])
        let error = await error(ErrorRules(), plain)
        #expect(error?.description.contains("the server says: no such user") == true)
        let page = TransportReply.bytes(
            Array("<p>no</p>".utf8), status: 404, fields: [.contentType: "text/html"])
        #expect(await self.error(ErrorRules(), page)?.message == nil)
        let blank = TransportReply.bytes(
            Array(" \n".utf8), status: 404, fields: [.contentType: "text/plain"])
        #expect(await self.error(ErrorRules(), blank)?.message == nil)
    }

    @Test(
        "an error's message is taken from the first path with a text, and all texts of a list",
        arguments: [
            (#"{"detail":"a","error":{"text":"b"}}"#, "a"), (#"{"error":{"text":"b"}}"#, "b"),
            (#"{"detail":["a",5]}"#, "a; 5"), (#"{"detail":{},"error":{"text":"b"}}"#, "b"),
            (#"{"detail":"","other":[""]}"#, nil), (#"["detail"]"#, nil),
        ])
    func messages(body: String, message: String?) async {
        let rules = ErrorRules(
            message: ["detail"], furtherMessages: [["error", "text"], ["other"]])
        #expect(await error(rules, .json(body, status: 400))?.message == message)
    }

    @Test(
        "a reply without a message is described by its start, or by the title of a page of HTML",
        arguments: [
            (#"{"isbn":["exists"]}"#, "application/json", #"{"isbn":["exists"]}"#),
            (#"["Wrong."]"#, "application/json", #"["Wrong."]"#),
            (#"{"password":"hunter2","a":1}"#, "", #"{"password":"‹redacted›","a":1}"#),
            ("<html><TITLE >502 Bad\nGateway</TITLE><p>x</p>", "text/html", "502 Bad Gateway"),
            ("<p>no</p>", "text/html", nil), ("\u{0}\u{1}", "", nil), (" ", "", nil),
        ])
    func start(body: String, type: String, shown: String?) async {
        let reply = TransportReply.bytes(
            Array(body.utf8), status: 400, fields: type.isEmpty ? [:] : [.contentType: type])
        let error = await error(ErrorRules(), reply)
        let words = shown.map { ", the server says: \($0)" } ?? ""
        let description = error?.description ?? ""
        #expect(description.contains("(status 400\(words))"), "\(description)")
        #expect(error?.message == nil)
    }

    @Test("the error format of an API describes no reply that is a success but not as described")
    func unexpected() async {
        let error = await error(ErrorRules(), .json(#"{"name":"Ada"}"#))
        #expect(error?.reason == .unexpectedReply)
        #expect(error?.description.contains("Ada") == false)
    }

    @Test("the error format of an API shows no part of a secret at the end of a long plain text")
    func cutSecret() async {
        let secret = "hunter2-hunter2-hunter2"
        let text = String(repeating: "a", count: 4090) + secret
        let definition = APIDefinition(
            name: "Long", servers: [Server("main", Self.url)],
            auth: AuthRules(token: .bearer, expired: []), retry: .never)
        let manager = TestAPI.manager(
            definition,
            transport: InMemoryTransport { _ in
                .bytes(Array(text.utf8), status: 400, fields: [.contentType: "text/plain"])
            },
            credentials: .memory(Credential(token: secret)))
        let builder = RequestBuilder(
            RequestTemplate(method: "get", endpoint: Endpoint(.get, "get")))
        let request = builder.finish { json -> Int? in json.value() }
        let error = await #expect(throws: APIError.self) {
            try await manager.operation(request).value
        }
        #expect(error?.message?.hasPrefix("aaaa") == true)
        #expect(error?.message?.contains("hunter") == false)
    }

    @Test("the error format of an API says a text that is code and message once")
    func once() async {
        let rules = ErrorRules(code: ["message"], message: ["message"])
        let error = await error(rules, .json(#"{"message":"Not Found"}"#, status: 404))
        #expect(error?.code == "Not Found")
        #expect(error?.description.contains("(status 404, the server says: Not Found)") == true)
    }

    @Test("the error format of an API names the media type of a successful reply that is no JSON")
    func mediaType() async {
        let page = TransportReply.bytes(
            Array("<p>Hello</p>".utf8), status: 200, fields: [.contentType: "text/html"])
        let error = await error(ErrorRules(), page)
        #expect(error?.description.contains("the reply is `text/html`, not JSON") == true)
    }

    @Test("the error of a failed reply tells its status, even if its body is too large")
    func tooLarge() async {
        let text = #"{"text":"\#(String(repeating: "a", count: 100))"}"#
        #expect(await error(ErrorRules(), .json(text, status: 416))?.reason == .status(416))
        let success = await error(ErrorRules(), .json(text))
        #expect(success?.reason == .transport(.tooLarge(limit: 64)))
    }
}
