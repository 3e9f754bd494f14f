import HTTPTypes
import TelexTesting
import Testing

@testable import TelexRuntime

@Suite("A stream of which not all are elements")
struct StreamPartsTests {
    private let updates = StreamFormat.serverSentEvents(only: ["update", "message"])

    private func operation(
        _ desk: Desk, _ format: StreamFormat, _ method: Tiny.APIMethod = .events
    ) -> StreamOperation<Int> {
        desk.manager.operation(
            RequestBuilder(method).finishStream(format) { json -> Int? in json.value() },
            options: CallOptions(
                retry: RetryPolicy(backoff: Backoff(initial: .milliseconds(500), jitter: 0))))
    }

    private func read(
        _ format: StreamFormat, _ chunks: [String], then error: TransportError? = nil
    ) async -> (seen: [Int], error: APIError?) {
        let desk = Desk { _ in .chunks(chunks.map { Array($0.utf8) }, then: error) }
        return await operation(desk, format, .lines).seen()
    }

    @Test("passes over events of other kinds, whatever is in them")
    func kinds() async {
        let (seen, error) = await read(
            updates,
            [
                "event: ping\ndata: {}\n\nevent: update\ndata: 1\n\ndata: 2\n\n",
                "event: updates\ndata: x\n\nevent: message\ndata: 3\n\n",
            ])
        #expect(seen == [1, 2, 3] && error == nil)
    }

    @Test("fails with the error that an event of a kind with elements holds, and with no other")
    func errors() async {
        let refusal = #"data: {"error":{"error_code":14}}"# + "\n\n"
        let (passed, none) = await read(updates, ["event: oops\n" + refusal + "data: 1\n\n"])
        #expect(passed == [1] && none == nil)
        let (seen, error) = await read(updates, ["event: update\n" + refusal + "data: 1\n\n"])
        #expect(seen == [] && error?.code == "14")
    }

    @Test("goes on after the event that it passed over last")
    func passedOver() async {
        let desk = Desk { request in
            let id = HTTPField.Name("Last-Event-ID").flatMap { request.head.headerFields[$0] }
            return id == nil
                ? .chunks(
                    [Array("id: a\ndata: 1\n\nid: b\nevent: ping\ndata\n\n".utf8)],
                    then: TransportError(.connectionLost, "x"))
                : .chunks([Array("id: c\ndata: \(id == "b" ? 2 : 0)\n\n".utf8)])
        }
        let stream = operation(desk, updates)
        async let outcome = stream.seen()
        await stream.reach { if case .waiting = $0 { true } else { false } }
        desk.clock.advance(by: .seconds(1))
        #expect(await outcome.seen == [1, 2])
    }

    @Test(
        "ends at its mark, and reads nothing behind it",
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
        let desk = Desk { _ in .chunks([Array(text.utf8)], after: Gate()) }
        // What has been read comes before what the gate holds back.
        let (seen, error) = await operation(desk, format, .lines).seen()
        #expect(seen == [1] && error == nil)
    }

    @Test("ends at a mark that is its last line, without an end of the line")
    func lastLine() async {
        let (seen, error) = await read(.jsonLines(until: "[DONE]"), ["1\n[DO", "NE]"])
        #expect(seen == [1] && error == nil)
    }

    @Test(
        "has been cut short if it ends without its mark",
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

    @Test("goes on where it was cut short, if the server knows where that was")
    func cutShortWithID() async {
        let sent = Counter()
        let desk = Desk { _ in
            sent.next() == 1
                ? .chunks([Array("id: a\ndata: 1\n\n".utf8)])
                : .chunks([Array("data: 2\n\ndata: [DONE]\n\n".utf8)])
        }
        let stream = operation(desk, .serverSentEvents(until: "[DONE]"))
        async let outcome = stream.seen()
        await stream.reach { if case .waiting = $0 { true } else { false } }
        desk.clock.advance(by: .seconds(1))
        #expect(await outcome.seen == [1, 2])
        #expect(sent.value == 2)
    }
}
