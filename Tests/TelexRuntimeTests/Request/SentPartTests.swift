import HTTPTypes
import TelexJSON
import TelexTesting
import Testing

@testable import TelexRuntime

@Suite("Parts, paths and limits of a call")
struct SentPartTests {
    private func send(
        path: String = "x", reply: TransportReply = .json("5"),
        operation: OperationRules = OperationRules(), accepts: [String] = [],
        _ fill: (inout RequestBuilder) -> Void
    ) async throws -> SentRequest? {
        let (manager, transport) = tiny { _ in reply }
        let endpoint = Endpoint(
            .post, path, reply: ReplyRules(accepts: accepts), operation: operation)
        var builder = RequestBuilder(RequestTemplate(method: "call", endpoint: endpoint))
        fill(&builder)
        let request: APIRequest<Int> = builder.finish()
        _ = try await manager.operation(request).value
        return transport.requests.first
    }

    @Test("JSON parts say that they are JSON, also a text; other parts have no type")
    func jsonParts() async throws {
        let sent = try await send {
            $0.part("a", ["b": 1], list: .json)
            $0.part("c", JSONValue.string("d"), list: .json)
            $0.part("e", "f")
            $0.part("none", nil as [String: Int]?, list: .json)
        }
        let lines = try #require(sent).text.split(separator: "\r\n").filter { !$0.hasPrefix("--") }
        #expect(
            lines == [
                #"Content-Disposition: form-data; name="a""#, "Content-Type: application/json",
                #"{"b":1}"#, #"Content-Disposition: form-data; name="c""#,
                "Content-Type: application/json", #""d""#,
                #"Content-Disposition: form-data; name="e""#, "f",
            ])
    }

    @Test("an empty piece of a path is sent where the spec allows it, and dots never are")
    func emptyPath() async throws {
        let sent = try await send(path: "a/{b}/c") { $0.path("b", "", allowsEmpty: true) }
        #expect(sent?.head.path?.contains("/a//c") == true)
        for (value, isAllowed) in [("", false), ("..", true), (".", true)] {
            await #expect(throws: APIError.self) {
                try await send(path: "a/{b}/c") { $0.path("b", value, allowsEmpty: isAllowed) }
            }
        }
    }

    @Test("a reply above the limit of its method is refused, below it is not")
    func limit() async throws {
        let rules = OperationRules(replyBytes: 3)
        #expect(try await send(reply: .json("123"), operation: rules) { _ in } != nil)
        let error = await #expect(throws: APIError.self) {
            try await send(reply: .json("1234"), operation: rules) { _ in }
        }
        #expect(error?.phase == .receive)
    }

    @Test("JSON is preferred if it is read; what the spec or the call names wins")
    func accepted() async throws {
        #expect(
            try await send { _ in }?.head.headerFields[.accept] == "application/json, */*;q=0.5")
        let declared = try await send(accepts: ["application/json"]) { _ in }
        #expect(declared?.head.headerFields[.accept] == "application/json")
        let own = try await send { $0.header("Accept", "a/b") }
        #expect(own?.head.headerFields[.accept] == "a/b")
    }

    @Test("a media type of the spec replaces that of the body")
    func contentType() async throws {
        let sent = try await send {
            $0.header("Content-Type", "application/merge-patch+json")
            $0.jsonObject { $0.field("a", 1) }
        }
        #expect(sent?.head.headerFields[.contentType] == "application/merge-patch+json")
    }
}
