import Foundation
import TelexJSON
import TelexTesting
import Testing

@testable import TelexRuntime

/// An API that declares success by a value in its reply.
private enum Chat {
    enum APIMethod: String, CaseIterable, APIMethodName {
        case send

        var endpoint: Endpoint { .get("send") }
    }

    static let definition = APIDefinition(
        name: "Chat", servers: [Server("main", "https://chat.test/")],
        reply: ReplyRules(conditions: [.value(at: ["ok"], in: [true])], unwrap: ["message"]),
        errors: ErrorRules(code: ["error"], message: ["hint"], retryable: ["busy"]), retry: .never)

    static func manager(_ reply: @escaping @Sendable () -> TransportReply) -> APIManager<TestAPI> {
        TestAPI.manager(Chat.definition, transport: InMemoryTransport { _ in reply() })
    }

    static func builder(_ rules: ReplyRules? = nil) -> RequestBuilder {
        RequestBuilder(
            RequestTemplate(method: "send", endpoint: Endpoint(.get, "send", reply: rules)))
    }

    /// A call for a number.
    static func call(_ text: String, _ rules: ReplyRules? = nil) -> DataOperation<Int> {
        let request = builder(rules).finish { json -> Int? in json.value() }
        return manager { .json(text) }.operation(request)
    }
}

@Suite("The values by which a reply counts as success")
struct ReplyConditionTests {
    private func found(_ values: [ReplyRules.Constant], _ value: String) -> String? {
        let rules = ReplyRules(conditions: [.value(at: ["a", "b"], in: values)])
        let body = Array(#"{"x":[1],"a":{"b":\#(value)}}"#.utf8)
        return rules.violation(in: body, limits: JSONLimits())?.found
    }

    @Test("the values by which a reply counts as success are equal however they are written")
    func same() {
        #expect(found([true], "true") == nil && found([false], "false") == nil)
        for number in ["5", "5.0", "5e0", "50E-1", "\"5\""] {
            #expect(found([5], number) == nil && found(["5"], number) == nil, "\(number)")
        }
        #expect(found([-7], "-7.0") == nil && found([0], "-0") == nil)
        #expect(found(["fine"], #""f\u0069ne""#) == nil)
        #expect(found(["success", "ok", 1, true], "1") == nil)
    }

    @Test("success values compare by type: a Boolean is no number or text, nothing a list of one")
    func others() {
        #expect(found([true], "false") == "false" && found([true], "1") == "1")
        #expect(found([true], "\"true\"") == "\"true\"" && found(["true"], "true") == "true")
        #expect(found([1], "true") == "true" && found([0], "false") == "false")
        #expect(found([0], "0.5") == "\"0.5\"" && found([0], "[0]") == "a list")
        #expect(found(["fine"], "\"Fine\"") == "\"Fine\"" && found([""], "{}") == "an object")
        #expect(found([0, ""], "null") == "nothing")
    }

    @Test("success values are missing if there is no such key, whatever else there is")
    func missing() {
        let rules = ReplyRules(conditions: [.value(at: ["a", "b"], in: [1, "x"])])
        for text in ["{}", #"{"a":1}"#, #"{"b":1}"#, #"{"a":[{"b":1}]}"#, "[]", "1"] {
            let violation = rules.violation(in: Array(text.utf8), limits: JSONLimits())
            #expect(violation?.path == "a.b" && violation?.rule == "where", "\(text)")
            #expect(violation?.expected == "1 or \"x\"" && violation?.found == "nothing")
        }
    }

    @Test("all values of success have to match, and the first that does not is reported")
    func all() {
        let rules = ReplyRules(
            absent: ["e"],
            conditions: [.value(at: ["a"], in: [1]), .value(at: ["b"], in: [2])])
        func path(_ text: String) -> String? {
            rules.violation(in: Array(text.utf8), limits: JSONLimits())?.path
        }
        #expect(path(#"{"b":2,"a":1}"#) == nil && path(#"{"b":3,"a":1}"#) == "b")
        #expect(path(#"{"b":3,"a":3}"#) == "a" && path(#"{"b":2,"a":1,"e":0}"#) == "e")
    }

    @Test("the values by which a reply counts as success accept a reply with the value")
    func success() async throws {
        #expect(try await Chat.call(#"{"ok":true,"message":7}"#).value == 7)
        #expect(try await Chat.call(#"{"message":7,"ok":true}"#).value == 7)
        let checked = TestAPI.$definition.withValue(Chat.definition) {
            TestAPI.validate(Array(#"{"ok":false,"message":7}"#.utf8)) { json -> Int? in
                json.value()
            }
        }
        #expect(checked.violations.map(\.rule) == ["where"])
    }

    @Test("a reply that is no success is an error with code and message, though it has a value")
    func refusal() async {
        let text = #"{"message":7,"ok":false,"error":"not_in_channel","hint":"join first"}"#
        let error = await failure(Chat.call(text))
        #expect(error?.reason == .refused && error?.phase == .status && error?.status == 200)
        #expect(
            TestAPI.$definition.withValue(Chat.definition) {
                error?.code(in: TestAPI.self)?.rawValue
            } == "not_in_channel")
        #expect(error?.message == "join first" && error?.isRetryable == false)
        #expect(error?.violations.map(\.path) == ["ok"])
        #expect(
            error?.description
                == "`send` of Chat failed: the server refused it: `ok` is false in the reply, not true "
                + "(status 200, code not_in_channel, the server says: join first)")
    }

    @Test("success values are checked though a reply is a plain value, or is read without changes")
    func alone() async throws {
        let lacking = await failure(Chat.call(#"{"message":7}"#))
        #expect(lacking?.violations.map(\.found) == ["nothing"])
        let manager = Chat.manager { .json(#"{"ok":0}"#) }
        let nothing = await failure(manager.operation(Chat.builder().finishEmpty()))
        let raw: APIRequest<Data> = Chat.builder().finishRaw()
        #expect(nothing?.reason == .refused)
        #expect(await failure(manager.operation(raw))?.reason == .refused)
    }

    @Test("success values are not checked for an empty reply, or raw bytes that are no JSON")
    func noKeys() async throws {
        for body in ["", "GIF89a"] {
            let manager = Chat.manager { .bytes(Array(body.utf8)) }
            let raw: APIRequest<Data> = Chat.builder().finishRaw()
            #expect(try await manager.operation(raw).value == Data(body.utf8))
        }
        try await Chat.manager { .bytes([]) }.operation(Chat.builder().finishEmpty()).value
    }

    @Test("success values are missing in a page, also for a method without a value")
    func page() async {
        let manager = Chat.manager { .bytes(Array("<html>Log in</html>".utf8)) }
        let error = await failure(manager.operation(Chat.builder().finishEmpty()))
        #expect(error?.reason == .refused)
        #expect(error?.fault == .server)
    }

    @Test("success values may be codes: another code is an error as before")
    func codes() async throws {
        for values: [ReplyRules.Constant] in [["fine"], ["fine", "busy"]] {
            let rules = ReplyRules(conditions: [.value(at: ["error"], in: values)], unwrap: ["n"])
            #expect(try await Chat.call(#"{"error":"fine","n":1}"#, rules).value == 1)
            let busy = await failure(Chat.call(#"{"error":"busy","n":1}"#, rules))
            #expect(busy?.code == "busy" && busy?.isRetryable == true)
        }
    }

    @Test("the values by which a reply counts as success are checked in each element of a stream")
    func elements() async {
        let text = "{\"ok\":true,\"message\":1}\n{\"ok\":false,\"error\":\"gone\"}\n"
        let endpoint = Endpoint(.get, "new", operation: OperationRules(kind: .stream))
        let request = RequestBuilder(RequestTemplate(method: "new", endpoint: endpoint))
            .finishStream(.jsonLines) { json -> Int? in json.value() }
        let manager = Chat.manager { .bytes(Array(text.utf8)) }
        var seen: [Int] = []
        await #expect {
            for try await element in manager.operation(request).elements { seen.append(element) }
        } throws: { ($0 as? APIError)?.code == "gone" }
        #expect(seen == [1])
    }

    @Test("success values are checked before a download is written, if its reply is JSON")
    func download() async throws {
        try await withFile { path in
            let refused = Chat.manager { .json(#"{"ok":false,"error":"gone"}"#) }
            await #expect {
                _ = try await refused.operation(Chat.builder().finishDownload(to: path)).value
            } throws: { ($0 as? APIError)?.code == "gone" }
            #expect(!FileManager.default.fileExists(atPath: path))
            let manager = Chat.manager { .bytes([1, 2, 3]) }
            _ = try await manager.operation(Chat.builder().finishDownload(to: path)).value
            #expect(try DiskFile.read(path) == [1, 2, 3])
        }
    }
}
