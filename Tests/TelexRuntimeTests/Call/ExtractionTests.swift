import RuntimeTestSupport
import TelexJSON
import TelexTesting
import Testing

@testable import TelexRuntime

@Suite("A value read out of a reply")
struct ExtractionTests {
    private func failure(
        _ text: String, _ place: ReplyPlace = ReplyPlace(["a", 0], of: "get")
    ) -> APIError? {
        #expect(throws: APIError.self) {
            try TinyAPI.extract(place, from: Array(text.utf8), Int.read)
        }
    }

    @Test("a value read out of a reply fails as a call with the reply does")
    func failures() {
        let refused = failure(#"{"error":{"error_code":14,"error_msg":"no","sid":3}}"#)
        #expect(refused?.reason == .refused && refused?.phase == .status)
        #expect(refused?.code == "14" && refused?.message == "no" && refused?.method == "get")
        #expect(refused?.detail(as: JSONValue.self)?["sid"] == 3)
        #expect(failure("")?.reason == .emptyReply)
        guard case .malformedReply? = failure("<html>")?.reason else {
            Issue.record("HTML was read")
            return
        }
        let wrong = failure(#"{"response":{"a":["x"]}}"#)
        #expect(wrong?.reason == .unexpectedReply && wrong?.phase == .map)
        #expect(wrong?.violations.map(\.path) == ["response.a[0]"])
        #expect(wrong?.violations.first?.found == "\"x\"")
    }

    @Test("a value read out of a reply is not in the texts of errors if it is sensitive")
    func sensitive() {
        let error = failure(
            #"{"response":{"a":["hunter2"]}}"#, ReplyPlace(["a", 0], of: "get", sensitive: true))
        #expect(error?.violations.first?.found == Violation.redacted)
        #expect(error.map { "\($0)".contains("hunter2") } == false)
    }

    @Test("a value of a reply is also read from a part, which has no envelope and no error")
    func parts() throws {
        let place = ReplyPlace([-1], ofPartOf: "get")
        #expect(try TinyAPI.extract(place, from: Array("[1,2]".utf8), Int.read) == 2)
        #expect(try TinyAPI.extractIfPresent(place, from: Array("[]".utf8), Int.read) == nil)
    }

    @Test("a value read out of a reply may be absent, but not its envelope")
    func absent() throws {
        let place = ReplyPlace(["a", .each], of: "get")
        func all(_ text: String, mayMiss: Bool) throws -> [Int] {
            try TinyAPI.extractAll(place, from: Array(text.utf8), mayMiss: mayMiss, Int.read)
        }
        #expect(try all(#"{"response":{}}"#, mayMiss: true) == [])
        #expect(try all(#"{"response":{"a":[1,null,2]}}"#, mayMiss: false) == [1, 2])
        #expect(throws: APIError.self) { try all(#"{"response":{}}"#, mayMiss: false) }
        #expect(throws: APIError.self) { try all("{}", mayMiss: true) }
    }
}

@Suite("The success of a method that returns nothing")
struct NothingTests {
    private func failure(
        _ body: String, _ rules: ReplyRules
    ) async -> APIError? {
        let builder = RequestBuilder(
            RequestTemplate(method: "end", endpoint: Endpoint(.get, "end", reply: rules)))
        let manager = TestAPI.manager(
            TestAPI.definition,
            transport: InMemoryTransport { _ in .bytes(Array(body.utf8)) })
        return await TelexRuntimeTests.failure(manager.operation(builder.finishEmpty()))
    }

    private static let asking = [
        ReplyRules(absent: ["error"]), ReplyRules(present: ["ok"]),
        ReplyRules(conditions: [.value(at: ["ok"], in: [true])]),
    ]

    @Test(
        "the success of a method that returns nothing needs JSON where the rules ask for keys",
        arguments: asking)
    func html(_ rules: ReplyRules) async {
        for body in ["<html><body>Log in</body></html>", "OK", #"{"ok":true"#] {
            #expect(await failure(body, rules) != nil, "\(body)")
        }
        #expect(await failure(#"{"ok":true}"#, rules) == nil)
    }

    @Test("the success of a method that returns nothing names HTML that has no media type")
    func described() async {
        let error = await failure("<!DOCTYPE html><p>Log in", Self.asking[0])
        #expect(error?.description.contains("the reply is `text/html`, not JSON") == true)
    }

    @Test("a method without a value succeeds on an empty body, or any if no rule asks for a key")
    func any() async {
        for rules in Self.asking { #expect(await failure("", rules) == nil) }
        #expect(await failure("<html>", ReplyRules()) == nil)
        #expect(TestAPI.validate(Array("<html>".utf8), rules: ReplyRules()).isValid)
    }

    @Test("the success of a method that returns nothing is validated by the same rules")
    func validated() {
        func isValid(_ text: String, _ rules: ReplyRules) -> Bool {
            TestAPI.validate(Array(text.utf8), rules: rules).isValid
        }
        for rules in Self.asking {
            #expect(isValid(#"{"ok":true}"#, rules) && !isValid("<html>", rules))
        }
        #expect(!isValid(#"{"error":1}"#, Self.asking[0]) && isValid("", Self.asking[1]))
        #expect(!isValid(#"{"ok":false}"#, Self.asking[2]))
    }
}

@Suite("The value behind a path through lists")
struct UnwrappedElementTests {
    private func call(_ text: String, _ rules: ReplyRules) -> DataOperation<Int> {
        let endpoint = Endpoint(.get, "numbers", reply: rules)
        let builder = RequestBuilder(RequestTemplate(method: "numbers", endpoint: endpoint))
        let manager = TestAPI.manager(
            TestAPI.definition, transport: InMemoryTransport { _ in .json(text) })
        return manager.operation(builder.finish { json -> Int? in json.value() })
    }

    @Test(
        "the value behind a path through lists is an element, from both ends",
        arguments: [(0, 1), (-1, 3), (-3, 1)])
    func element(index: Int, value: Int) async throws {
        let rules = ReplyRules(absent: ["error"], unwrap: ["response", .index(index)])
        #expect(try await call(#"{"response":[1,2,3]}"#, rules).value == value)
    }

    @Test("the value behind a path through lists is missed with its path")
    func missing() async {
        let rules = ReplyRules(unwrap: ["response", 3])
        let error = await failure(call(#"{"response":[1,2,3]}"#, rules))
        #expect(error?.violations.map(\.path) == ["response"])
        #expect(error?.violations.first?.found == "a list of 3")
    }

    @Test("the value behind a path through lists does not hide an error beside it")
    func refused() async {
        let rules = ReplyRules(absent: ["error"], unwrap: ["response", 0])
        let error = await failure(call(#"{"response":[1],"error":{}}"#, rules))
        #expect(error?.reason == .refused)
    }
}
