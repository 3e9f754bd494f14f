import HTTPTypes
import TelexJSON
import TelexTesting
import Testing

@testable import TelexRuntime

@Suite("Several procedure calls in one request")
struct CallBatchTests {
    private static let errors = ErrorRules(at: ["error"], code: ["code"], message: ["message"])

    /// Returns a procedure call.
    private func call<Output: JSONReadable & Sendable>(
        _ name: StaticString, returning: Output.Type = Int.self, path: StaticString = "rpc",
        _ fill: (inout RequestBuilder) -> Void = { $0.callID("id", in: .json) }
    ) -> APIRequest<Output> {
        var builder = RequestBuilder(
            RequestTemplate(
                method: name.description,
                endpoint: Endpoint(
                    .post, path.description, reply: .jsonRPC, errors: Self.errors)))
        builder.jsonObject { $0.field("method", name.description) }
        fill(&builder)
        return builder.finish()
    }

    /// Returns a server that answers each call with a text made of its name and its id.
    private func server(
        status: HTTPResponse.Status = .ok, _ body: @escaping @Sendable ([JSONValue]) -> String
    ) -> (manager: APIManager<TinyAPI>, transport: InMemoryTransport) {
        tiny { request in
            .bytes(Array(body(request.json.asArray ?? []).utf8), status: status)
        }
    }

    private func reply(_ call: JSONValue, _ rest: String) -> String {
        #"{"jsonrpc":"2.0","id":\#(call["id"] ?? .null),\#(rest)}"#
    }

    @Test("batched calls end each with its own value or error, in any order of the replies")
    func ends() async throws {
        let (manager, transport) = server { calls in
            let rest = [
                #""result":5"#, #""error":{"code":-32601,"message":"no"}"#, #""result":true"#,
            ]
            return "[\(zip(calls, rest).map { reply($0, $1) }.reversed().joined(separator: ","))]"
        }
        let (one, two, three) = try await manager.batch(
            call("a"), call("b"), call("c", returning: Bool.self)
        ).value
        #expect(try one.get() == 5)
        let error = #expect(throws: APIError.self) { try two.get() }
        #expect(error?.code == "-32601" && error?.message == "no" && error?.method == "b")
        #expect(try three.get())
        #expect(transport.requests.count == 1)
        let sent = try #require(transport.requests.first?.json.asArray)
        #expect(sent.map { $0["method"]?.asString } == ["a", "b", "c"])
        #expect(Set(sent.map { $0["id"]?.asString }).count == 3)
    }

    @Test("batched calls are refused one by one if a reply is missing, or has another id or type")
    func missing() async throws {
        let (manager, _) = server { calls in
            "[\(reply(calls[0], #""result":"x""#)),{\"id\":\"other\",\"result\":1}]"
        }
        let ends = try await manager.batch(of: [call("a"), call("b")]).value
        let errors = ends.map { end in #expect(throws: APIError.self) { try end.get() } }
        #expect(errors[0]?.reason == .unexpectedReply)
        #expect(errors[1]?.reason == .refused && errors[1]?.violations.first?.path == "id")
    }

    @Test("several procedure calls in one request are all refused by one object")
    func whole() async throws {
        let (manager, _) = server { _ in #"{"id":null,"error":{"code":-32600,"message":"no"}}"# }
        for end in try await manager.batch(of: [call("a"), call("b")]).value {
            let error = #expect(throws: APIError.self) { try end.get() }
            #expect(error?.code == "-32600")
        }
    }

    @Test("several procedure calls in one request fail as a whole with the request")
    func failure() async {
        let (manager, _) = server(status: .badRequest) { _ in "[]" }
        let error = await #expect(throws: APIError.self) {
            try await manager.batch(of: [call("a")]).value
        }
        #expect(error?.status == 400)
    }

    @Test("several procedure calls in one request may be notifications, which have no reply")
    func notifications() async throws {
        let (manager, transport) = server { _ in "" }
        var builder = RequestBuilder("n", .post, "rpc")
        builder.jsonObject { $0.field("method", "n") }
        let ends = try await manager.batch(of: [builder.finishEmpty()]).value
        #expect(ends.count == 1)
        #expect(throws: Never.self) { try ends[0].get() }
        #expect(transport.requests.first?.text == #"[{"method":"n"}]"#)
    }

    @Test("batched calls are refused before they are sent where one cannot be part of a batch")
    func refused() async {
        let (manager, transport) = server { _ in "[]" }
        let refused: [APIRequest<Int>] = [
            call("b", path: "other"), call("b") { $0.query("q", 1) }, call("b") { $0.bytes([1]) },
            call("b") { $0.member("me", orCredential: "user_id") },
        ]
        var lists = refused.map { [call("a"), $0] }
        lists.append([])
        for list in lists {
            let error = await #expect(throws: APIError.self) {
                try await manager.batch(of: list).value
            }
            #expect(error?.violations.first?.rule == "batch")
        }
        #expect(transport.requests.isEmpty)
    }

    @Test("batched calls hide secrets in descriptions, and report violations with a call's place")
    func secrets() async {
        let (manager, _) = server { _ in "[]" }
        let wrong: APIRequest<Int> = call("b") { builder in
            builder.jsonObject { json in
                json.field("text", "ab")
                json.maxLength("ab", 1)
            }
        }
        let error = await #expect(throws: APIError.self) {
            try await manager.batch(of: [call("a"), wrong]).value
        }
        #expect(error?.violations.map(\.path) == ["[1].text"])
    }
}

extension SentRequest {
    /// The body; null if it is no JSON.
    fileprivate var json: JSONValue { JSONReader.value(at: [], in: body) ?? .null }
}
