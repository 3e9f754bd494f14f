import TelexJSON
import TelexTesting
import Testing

@testable import TelexRuntime
@testable import TelexScheduling
@testable import TelexTransport

/// Every way to split bytes into two, one byte at a time, and some random ways.
private func splits(of bytes: [UInt8]) -> [[[UInt8]]] {
    var all = [bytes.map { [$0] }, [bytes], [[], bytes, []]]
    all += (0...bytes.count).map { [Array(bytes[..<$0]), Array(bytes[$0...])] }
    var random = SeededRandom(seed: UInt64(bytes.count))
    for _ in 0..<15 {
        var rest = bytes[...]
        var pieces: [[UInt8]] = []
        while !rest.isEmpty {
            let count = Int.random(in: 0...5, using: &random)
            pieces.append(Array(rest.prefix(count)))
            rest = rest.dropFirst(count)
        }
        all.append(pieces)
    }
    return all
}

/// Texts of the characters that matter to a grammar, the same each time.
private func randomTexts(_ words: [String], _ seed: UInt64) -> [String] {
    var random = SeededRandom(seed: seed)
    return (0..<25).map { _ in
        let count = Int.random(in: 0...12, using: &random)
        return (0..<count).compactMap { _ in words.randomElement(using: &random) }.joined()
    }
}

@Suite("A stream of server-sent events")
struct ServerSentEventTests {
    /// The result of a stream: the events, the error, and the state for its continuation.
    private struct Outcome: Equatable, CustomStringConvertible {
        var events: [ServerSentEvents.Event] = []
        var error: StreamLimitError?
        var lastEventID = ""
        var reconnectionTime: Duration?

        var description: String {
            events.map { "\($0.name)#\($0.id)=\($0.text)" }.joined(separator: "|")
                + (error == nil ? "" : "|error")
        }
    }

    private func outcome(_ chunks: [[UInt8]], limit: Int) -> Outcome {
        var outcome = Outcome()
        var stream = ServerSentEvents(limit: limit)
        do throws(StreamLimitError) {
            for chunk in chunks { outcome.events += try stream.feed(chunk) }
            try stream.finish()
        } catch {
            outcome.error = error
        }
        outcome.lastEventID = stream.lastEventID
        outcome.reconnectionTime = stream.reconnectionTime
        return outcome
    }

    private func read(_ text: String, limit: Int = 1000) -> Outcome {
        outcome([Array(text.utf8)], limit: limit)
    }

    @Test(
        "a stream of server-sent events is read as the standard says",
        arguments: [
            ("", ""), ("\n\n\n", ""), ("data", ""), ("data: a", ""), ("data: a\n", ""),
            ("data: a\n\n", "message#=a"), ("data:a\r\rdata:b\r\n\r\n", "message#=a|message#=b"),
            ("data:  a \n\n", "message#= a "), ("data\n\n", "message#="),
            ("data\ndata\n\n", "message#=\n"), ("data: a\ndata: b\n\n", "message#=a\nb"),
            ("\u{FEFF}data: a\n\n", "message#=a"), ("\u{FEFF}\u{FEFF}data: a\n\n", ""),
            ("\n\u{FEFF}data: a\n\n", ""), (": data: a\n\n", ""),
            (":\ndata: a\n:x\n\n", "message#=a"),
            ("event: e\ndata: a\n\ndata: b\n\n", "e#=a|message#=b"),
            ("event: e\n\ndata: b\n\n", "message#=b"), ("event: e\nevent\ndata\n\n", "message#="),
            ("id: 1\ndata: a\n\ndata: b\n\nid\ndata: c\n\n", "message#1=a|message#1=b|message#=c"),
            ("id: 1\n\nid: 2\u{0}3\ndata: a\n\n", "message#1=a"),
            ("id: 1\ndata: a\n\nid: 2\ndata: b", "message#1=a"),
            ("Data: a\n data: b\ndata : c\nother: d\n\n", ""),
            ("data:a:b\n\n", "message#=a:b"),
            ("data: a\u{2028}b\u{0B}c\n\n", "message#=a\u{2028}b\u{0B}c"),
        ])
    func standard(_ text: String, _ expected: String) {
        #expect(read(text).description == expected)
    }

    @Test("a stream of server-sent events has the id and the delay for its continuation")
    func continuing() {
        #expect(read("id: 7\n\nid: 8\n").lastEventID == "7")
        var again = ServerSentEvents(limit: 100, lastEventID: "7")
        #expect(throws: Never.self) { try again.finish() }
        #expect(again.lastEventID == "7")
        #expect((try? again.feed(Array("data: a\n\n".utf8)))?.first?.id == "7")
        #expect(read("retry: 2500\n").reconnectionTime == .milliseconds(2500))
        for bad in ["-1", "1.5", "", "x", "1 "] {
            #expect(read("retry: 5\nretry: \(bad)\n").reconnectionTime == .milliseconds(5))
        }
        let nines = String(repeating: "9", count: 100)
        #expect(read("retry: \(nines)\n").reconnectionTime == .seconds(86_400))
    }

    @Test("a stream of server-sent events replaces invalid UTF-8 in texts, and keeps the bytes")
    func invalid() {
        let bytes = Array("data: a".utf8) + [0xFF] + Array("\n\n".utf8)
        let event = outcome([bytes], limit: 100).events.first
        #expect(event?.text == "a\u{FFFD}")
        #expect(event?.data == [0x61, 0xFF])
    }

    @Test("a stream with an event that is too large is an error, after the events before it")
    func tooLarge() throws {
        #expect(read("data: 1234\n\n", limit: 10).description == "message#=1234")
        let long = read("data: a\n\ndata: 12345\n\ndata: b\n\n", limit: 10)
        #expect(long.events.map(\.text) == ["a"])
        #expect(long.error?.description.contains("10 bytes") == true)
        #expect(read("data: 1\ndata: 2\ndata: 34\n\n", limit: 10).error != nil)
        #expect(read("data: 1\ndata: 2\n\n", limit: 10).description == "message#=1\n2")
        #expect(read(":12345678901\n", limit: 10).error != nil)
        let pings = String(repeating: ": ping\n", count: 1000) + "data: a\n\n"
        #expect(read(pings, limit: 10).description == "message#=a")
        var stream = ServerSentEvents(limit: 3)
        for _ in 0..<3 {
            #expect(throws: StreamLimitError(limit: 3)) { try stream.feed(Array("data: ".utf8)) }
        }
        #expect(throws: StreamLimitError(limit: 3)) { try stream.finish() }
    }

    @Test("a stream of server-sent events has the same events for any chunks")
    func chunks() {
        let words = [
            "data", "id", "event", "retry", ":", ": ", "\n", "\r", "\r\n", "\n\n", "a", "é",
            "\u{0}",
            "\u{FEFF}", "12",
        ]
        let texts =
            randomTexts(words, 3) + ["\u{FEFF}data: a\r\n\r\nid: 1\rdata: é\r\r\n\ndata: b\n\n"]
        for text in texts {
            for limit in [8, 1000] {
                let whole = read(text, limit: limit)
                for split in splits(of: Array(text.utf8)) {
                    #expect(outcome(split, limit: limit) == whole, "\(text.debugDescription)")
                }
            }
        }
    }

    @Test("a stream of server-sent events takes time proportional to its bytes, also byte by byte")
    func linear() throws {
        var stream = ServerSentEvents(limit: 1_000_000)
        _ = try stream.feed(Array("data: ".utf8))
        for _ in 0..<100_000 { #expect(try stream.feed([0x61]).isEmpty) }
        #expect(try stream.feed([0x0A, 0x0A]).first?.data.count == 100_000)
    }
}

@Suite("A stream of JSON Lines")
struct JSONLineTests {
    private struct Outcome: Equatable {
        var lines: [String] = []
        var error: StreamLimitError?
    }

    private func outcome(_ chunks: [[UInt8]], limit: Int) -> Outcome {
        var outcome = Outcome()
        var stream = JSONLines(limit: limit)
        func add(_ line: [UInt8]) { outcome.lines.append(String(decoding: line, as: UTF8.self)) }
        do throws(StreamLimitError) {
            for chunk in chunks { for line in try stream.feed(chunk) { add(line) } }
            if let line = try stream.finish() { add(line) }
        } catch {
            outcome.error = error
        }
        return outcome
    }

    private func read(_ text: String, limit: Int = 100) -> Outcome {
        outcome([Array(text.utf8)], limit: limit)
    }

    @Test(
        "a stream of JSON Lines is split at line ends, and blank lines are skipped",
        arguments: [
            ("", []), ("\n\r\n \t\n\r", []), ("1", ["1"]), ("1\n", ["1"]), ("1\r\n2", ["1", "2"]),
            ("{}\n\n[]\n", ["{}", "[]"]), ("1\r2\n", ["1\r2"]), (" 1 \n", [" 1 "]),
            ("1\r", ["1\r"]),
        ])
    func lines(_ text: String, _ expected: [String]) {
        #expect(read(text) == Outcome(lines: expected))
    }

    @Test("a stream with a line that is too long is an error, after the lines before it")
    func tooLong() {
        let error = StreamLimitError(limit: 4)
        #expect(read("1234\r\n1234", limit: 4) == Outcome(lines: ["1234", "1234"]))
        #expect(read("1\n12345\n2\n", limit: 4) == Outcome(lines: ["1"], error: error))
        #expect(read("1\n12345", limit: 4) == Outcome(lines: ["1"], error: error))
        #expect(read("1234\r5\n", limit: 4) == Outcome(error: error))
        #expect(read("1234\r", limit: 4) == Outcome(error: error))
    }

    @Test("a stream of JSON Lines has the same lines for any chunks")
    func chunks() {
        let words = ["{", "}", "1", "é", " ", "\n", "\r\n", "\r", "\n\n", "null"]
        for text in randomTexts(words, 5) + ["{\"a\":1}\r\n\r\n[é]\n \n1"] {
            for limit in [4, 100] {
                let whole = read(text, limit: limit)
                for split in splits(of: Array(text.utf8)) {
                    #expect(outcome(split, limit: limit) == whole, "\(text.debugDescription)")
                }
            }
        }
    }
}

extension NetworkOperation {
    /// Reads the stream to its end. Returns its elements, and its error if it failed.
    func seen<Element>() async -> (seen: [Element], error: APIError?)
    where Output == StreamEnd<Element> {
        var seen: [Element] = []
        do {
            for try await element in elements { seen.append(element) }
        } catch {
            return (seen, error as? APIError)
        }
        return (seen, nil)
    }
}

@Suite("A stream of elements in envelopes")
struct EnvelopedElementTests {
    /// A stream of an API whose replies are `{"response": …}`, or `{"error": …}`.
    private func stream(_ format: StreamFormat, _ elements: [String]) -> StreamOperation<Int> {
        let text = elements.map { format == .jsonLines ? "\($0)\n" : "data: \($0)\n\n" }.joined()
        let endpoint = Endpoint(.get, "new", auth: .none, operation: OperationRules(kind: .stream))
        let request = RequestBuilder(RequestTemplate(method: "new", endpoint: endpoint))
            .finishStream(format) { json -> Int? in json.value() }
        return APIManager<TinyAPI>(
            transport: InMemoryTransport { _ in .chunks([Array(text.utf8)]) }
        ) { $0.settings.clock = .stopped }.operation(request)
    }

    private func outcome(
        _ format: StreamFormat, _ elements: [String]
    ) async -> (seen: [Int], error: APIError?) {
        await stream(format, elements).seen()
    }

    @Test(
        "a stream of elements in envelopes delivers the value in each",
        arguments: [StreamFormat.jsonLines, .serverSentEvents])
    func values(format: StreamFormat) async {
        let (seen, error) = await outcome(
            format, [#"{"response":1}"#, #"{"id":"a","response":2}"#])
        #expect(seen == [1, 2] && error == nil)
    }

    @Test(
        "a stream of elements in envelopes reports an element without one",
        arguments: [StreamFormat.jsonLines, .serverSentEvents])
    func missing(format: StreamFormat) async {
        let (seen, error) = await outcome(format, [#"{"response":1}"#, "2"])
        #expect(seen == [1] && error?.phase == .map)
        let (none, wrong) = await outcome(format, [#"{"response":"1"}"#])
        #expect(none == [] && wrong?.violations.map(\.path) == ["response"])
    }

    @Test(
        "a stream of elements in envelopes ends with an error in place of an element",
        arguments: [StreamFormat.jsonLines, .serverSentEvents])
    func refused(format: StreamFormat) async {
        let refusal = #"{"error":{"error_code":14,"error_msg":"enough"}}"#
        let (seen, error) = await outcome(format, [#"{"response":1}"#, refusal])
        #expect(seen == [1] && error?.reason == .refused)
        #expect(error?.code == "14" && error?.message == "enough")
    }
}
