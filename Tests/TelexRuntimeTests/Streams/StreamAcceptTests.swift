import HTTPTypes
import TelexTesting
import TelexTransport
import Testing

@testable import TelexRuntime

@Suite("The media types of a stream")
struct StreamAcceptTests {
    /// Reads a stream whose reply has a media type.
    private func read(
        _ format: StreamFormat, accepts: [String] = [], header: String? = nil,
        replying type: String = "text/event-stream"
    ) async -> (accept: [String], seen: [Int], error: APIError?) {
        let body = format.framing == .jsonLines ? "1\n" : "data: 1\n\n"
        let (manager, transport) = tiny { _ in
            .bytes(Array(body.utf8), fields: [.contentType: type])
        }
        let endpoint = Endpoint(
            .get, "feed", auth: .none, reply: ReplyRules(accepts: accepts),
            operation: OperationRules(kind: .stream))
        var request = RequestBuilder("feed", endpoint)
        request.header("accept", header)
        let operation: StreamOperation<Int> = manager.operation(
            request.finishStream(format) { json -> Int? in json.value() })
        let (seen, error) = await operation.seen()
        let fields = transport.requests.first?.head.headerFields
        return (fields?[values: .accept] ?? [], seen, error)
    }

    @Test("the media types of a stream are asked for by its form, if the spec says nothing")
    func usual() async {
        #expect(await read(.serverSentEvents).accept == ["text/event-stream"])
        let lines = await read(.jsonLines, replying: "application/jsonl")
        #expect(lines.accept == ["application/jsonl, application/x-ndjson"])
    }

    @Test("the media types of a stream are those of a header field, and before that of `accepts`")
    func written() async {
        let field = await read(.serverSentEvents, header: "*/*")
        #expect(field.accept == ["*/*"] && field.seen == [1] && field.error == nil)
        let types = await read(.serverSentEvents, accepts: ["text/plain", "text/html"])
        #expect(types.accept == ["text/plain, text/html"] && types.seen == [1])
        let both = await read(.jsonLines, accepts: ["text/plain"], header: "text/*")
        #expect(both.accept == ["text/*"])
    }

    @Test("the accepted types of a stream are those of `accepts` and of its form")
    func replies() async {
        let events = await read(.serverSentEvents, accepts: ["text/plain"], replying: "text/plain")
        #expect(events.seen == [1] && events.error == nil)
        let lines = await read(
            .jsonLines, accepts: ["text/plain"], replying: "application/x-ndjson")
        #expect(lines.seen == [1] && lines.error == nil)
        let any = await read(.jsonLines, replying: "text/whatever")
        #expect(any.seen == [1] && any.error == nil)
        for format in [StreamFormat.serverSentEvents, .jsonLines] {
            let other = await read(format, accepts: ["text/plain"], replying: "text/html")
            #expect(other.seen == [] && other.error?.violations.first?.expected == "text/plain")
            #expect(other.error?.violations.first?.found == "text/html")
        }
        let html = await read(.serverSentEvents, replying: "text/html")
        #expect(html.error?.violations.first?.expected == "text/event-stream")
    }
}
