import TelexJSON
import Testing

@testable import TelexRuntime

@Suite("Downloads and streams as requests, properties and fakes")
struct OperationKindTests {
    private func template() -> RequestBuilder {
        RequestBuilder(RequestTemplate(method: "a.b", endpoint: Endpoint(.get, "a")))
    }

    @Test("a download knows its file, and refuses a path that is none")
    func download() {
        let request = template().finishDownload(to: "/tmp/a")
        guard case .file("/tmp/a") = request.content.expected else {
            Issue.record("\(request.content.expected)")
            return
        }
        #expect(request.violations.isEmpty)
        #expect(template().finishDownload(to: "").violations.map(\.rule) == ["destination"])
    }

    @Test("a stream decodes one element, with its violations")
    func stream() {
        let request = template().finishStream(.jsonLines) { json -> Int? in json.value() }
        guard case .stream(.jsonLines) = request.content.expected else {
            Issue.record("\(request.content.expected)")
            return
        }
        let reading = ReplyReading(path: ["a", "b"], limits: JSONLimits())
        let good = request.content.decode(Reply(#"{"a":{"b":7}}"#), reading)
        #expect(product(good)?.elements == [7] && good.report.isValid)
        let bad = request.content.decode(Reply(#"{"a":{"b":"7"}}"#), reading)
        #expect(bad.product == nil && bad.report.violations.map(\.path) == ["a.b"])
    }

    private func product(_ decoded: Decoded) -> StreamEnd<Int>? {
        (decoded.product as? Product<StreamEnd<Int>>)?.value
    }

    @Test("the property `$to` sets the destination of a download, and is not sent")
    func properties() throws {
        let properties: Properties = ["id": 1, "$to": "/tmp/a"]
        #expect(try properties.destination(for: "file") == "/tmp/a")
        #expect(properties.withoutDestination == ["id": 1])
    }

    @Test("a download by properties without a path fails before it is sent")
    func noDestination() {
        let cases: [(Properties, String)] = [([:], "nothing"), (["$to": 1], "another value")]
        for (properties, found) in cases {
            let error = #expect(throws: APIError.self) {
                try properties.destination(for: "file")
            }
            #expect(error?.phase == .build && error?.violations.map(\.found) == [found])
            #expect(error?.violations.map(\.path) == ["$to"])
        }
    }

    @Test("a fake's stream hands out what its stub returns")
    func fakeStream() async throws {
        let stub = Stub<Int, [String]>("a.b")
        stub { ["a", "b", "\($0)"] }
        let stream = stub.stream(3)
        var elements: [String] = []
        for try await element in stream.elements { elements.append(element) }
        #expect(elements == ["a", "b", "3"])
        #expect(try await stream.value.count == 3)
    }

    @Test("a fake's stream without a stub fails")
    func fakeWithoutStub() async {
        let stub = Stub<Void, [String]>("a.b")
        await #expect(throws: FakeError("a.b")) { try await stub.stream(()).value }
    }
}
