import HTTPTypes
import TelexTesting
import TelexTransport
import Testing

@testable import TelexRuntime

@Suite("A stream with items that are no elements")
struct StreamPartsTests {
    private let updates = StreamFormat.serverSentEvents(only: ["update", "message"])

    private func operation(
        _ client: TestClient, _ format: StreamFormat, _ method: TinyAPI.APIMethod = .events
    ) -> StreamOperation<Int> {
        client.manager.operation(
            RequestBuilder(method).finishStream(format) { json -> Int? in json.value() },
            options: CallOptions(
                retry: RetryPolicy(backoff: Backoff(initial: .milliseconds(500), jitter: 0))))
    }

    private func read(
        _ format: StreamFormat, _ chunks: [String], then error: TransportError? = nil
    ) async -> (seen: [Int], error: APIError?) {
        let client = TestClient { _ in .chunks(chunks.map { Array($0.utf8) }, then: error) }
        return await operation(client, format, .lines).seen()
    }

    @Test("a stream skips events of kinds that are no elements, whatever they contain")
    func kinds() async {
        let (seen, error) = await read(
            updates,
            [
                "event: ping\ndata: {}\n\nevent: update\ndata: 1\n\ndata: 2\n\n",
                "event: updates\ndata: x\n\nevent: message\ndata: 3\n\n",
            ])
        #expect(seen == [1, 2, 3] && error == nil)
    }

    @Test("a stream fails with an error in an event with elements, and in no other")
    func errors() async {
        let refusal = #"data: {"error":{"error_code":14}}"# + "\n\n"
        let (passed, none) = await read(updates, ["event: oops\n" + refusal + "data: 1\n\n"])
        #expect(passed == [1] && none == nil)
        let (seen, error) = await read(updates, ["event: update\n" + refusal + "data: 1\n\n"])
        #expect(seen == [] && error?.code == "14")
    }

    @Test("a stream with items that are no elements continues after the last skipped event")
    func passedOver() async {
        let client = TestClient { request in
            let id = HTTPField.Name("Last-Event-ID").flatMap { request.head.headerFields[$0] }
            return id == nil
                ? .chunks(
                    [Array("id: a\ndata: 1\n\nid: b\nevent: ping\ndata\n\n".utf8)],
                    then: TransportError(.connectionLost, "x"))
                : .chunks([Array("id: c\ndata: \(id == "b" ? 2 : 0)\n\n".utf8)])
        }
        let stream = operation(client, updates)
        async let outcome = stream.seen()
        await stream.reach { if case .waiting = $0 { true } else { false } }
        client.clock.advance(by: .seconds(1))
        #expect(await outcome.seen == [1, 2])
    }

    @Test(
        "a stream ends at its end mark, and reads nothing behind it",
        arguments: [
            (.serverSentEvents(until: "[DONE]"), "data: 1\n\ndata: [DONE]\n\ndata: x\n\n"),
            (
                .serverSentEvents(only: ["update"], until: "[DONE]"),
                "event: update\ndata: 1\n\nevent: end\ndata: [DONE]\n\n"
            ),
            (.serverSentEvents(until: ""), "data: 1\n\ndata\n\ndata: x\n\n"),
            (.jsonLines(until: "[DONE]"), "1\n \t[DONE] \r\nx\n"),
        ] as [(StreamFormat, String)])
    func end(format: StreamFormat, text: String) async {
        // The server never ends the reply.
        let client = TestClient { _ in .chunks([Array(text.utf8)], after: Gate()) }
        // What has been read comes before what the gate delays.
        let (seen, error) = await operation(client, format, .lines).seen()
        #expect(seen == [1] && error == nil)
    }

    @Test("a stream ends at an end mark in its last line without a line end")
    func lastLine() async {
        let (seen, error) = await read(.jsonLines(until: "[DONE]"), ["1\n[DO", "NE]"])
        #expect(seen == [1] && error == nil)
    }

    @Test(
        "a stream with items that are no elements is truncated if it ends without its mark",
        arguments: [
            (.serverSentEvents(until: "[DONE]"), "data: 1\n\ndata: [DONE]\n"),
            (.serverSentEvents(until: "[DONE]"), "data: 1\n\n"),
            (.jsonLines(until: "[DONE]"), "1\n"), (.jsonLines(until: "[DONE]"), "1"),
        ] as [(StreamFormat, String)])
    func cutShort(format: StreamFormat, text: String) async {
        let (seen, error) = await read(format, [text])
        #expect(seen == [1])
        guard case .transport(let problem)? = error?.reason else {
            Issue.record("\(String(describing: error))")
            return
        }
        #expect(problem.kind == .truncated(received: text.utf8.count, expected: nil))
        #expect(problem.message.contains("`[DONE]`"))
    }

    @Test("a stream with an end mark continues where it was truncated, if the server supports it")
    func cutShortWithID() async {
        let sent = Counter()
        let client = TestClient { _ in
            sent.next() == 1
                ? .chunks([Array("id: a\ndata: 1\n\n".utf8)])
                : .chunks([Array("data: 2\n\ndata: [DONE]\n\n".utf8)])
        }
        let stream = operation(client, .serverSentEvents(until: "[DONE]"))
        async let outcome = stream.seen()
        await stream.reach { if case .waiting = $0 { true } else { false } }
        client.clock.advance(by: .seconds(1))
        #expect(await outcome.seen == [1, 2])
        #expect(sent.value == 2)
    }
}
