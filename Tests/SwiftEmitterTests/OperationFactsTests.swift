import Testing

/// What people read about a call before they make it.
@Suite("The documentation of a function says how its calls are run")
struct OperationFactsTests {
    @Test(
        "Each key is a sentence",
        arguments: [
            ("get: x, queue: a", "Waits in the queue `a`."),
            ("get: x, priority: low", "Goes when nothing else waits."),
            ("get: x, throttle: 1.5s", "At most one start each 1.5 s."),
            (
                "get: x, throttle: { interval: 1s, policy: delay }",
                "At most one start each 1 s; one that comes sooner waits."
            ),
            (
                "get: x, throttle: { interval: 1s, policy: latest }",
                "At most one start each 1 s; of those that come sooner, the last one waits and the "
                    + "others fail."
            ),
            ("get: x, throttle: 1050ms", "At most one start each 1.05 s."),
            ("get: x, throttle: 20ms", "At most one start each 20 ms."),
            (
                "get: x, query: { b: int, c: int }, throttle: { interval: 2h, by: [b, c] }",
                "At most one start each 2 h for the same `b`, `c`."
            ),
            ("get: x, limits: { requests: 1/s }", "At most one request each 1 s."),
            ("get: x, limits: { requests: 100/min }", "At most 100 requests each 1 min."),
            ("get: x, retry: none", "Sent once, whatever happens."),
            (
                "get: x, retry: { attempts: 2, on: 503 }", "Sent once more after status 503."
            ),
            (
                "put: x, retry: { attempts: 4, on: [transport, 500..504] }",
                "Sent again up to 3 times after a broken connection or a status from 500 to 504."
            ),
            (
                "post: x, retry: { on: [transport] }",
                "Sent again after a broken connection, unless it might take effect twice."
            ),
            (
                "post: x, idempotency-key: true, retry: { on: [transport, many] }",
                "Sent again after a broken connection or error `6`. Each call has a key of its "
                    + "own, in `Idempotency-Key`."
            ),
            ("get: x, session: s", "Uses the connections `s`."),
            ("get: x, stream: json-lines, returns: int", "Elements come as lines of JSON."),
            (
                "get: x, stream: { form: sse, events: [a, b], end: c }, returns: int",
                "Elements come as server-sent events: `a`, `b`, up to `c`."
            ),
            (
                "get: x, stream: { form: json-lines, end: c }, returns: int",
                "Elements come as lines of JSON, up to `c`."
            ),
            (
                "get: x, timeout: { silence: 5s, attempt: 1m, total: 1d }",
                "Fails after 5 s of silence. An attempt takes at most 1 min. A call takes at most "
                    + "1 d, all attempts included."
            ),
        ])
    func sentence(method: String, sentence: String) throws {
        let spec = TestSpec(files: [
            "api.yaml": """
            telex: 1
            api: Test
            servers: { a: https://example.com/ }
            queues: { a: serial }
            sessions: { s: ephemeral }
            errors: { code: c, cases: { many: 6 } }
            """,
            "things.yaml": """
            methods:
              get: { \(method) }
              use: { get: x, queue: a, session: s }
            """,
        ])
        let text = try #require(try spec.emitted()["Things.swift"])
        let comment = text.split(separator: "\n").map { $0.drop { $0 == " " } }
            .filter { $0.hasPrefix("///") }.map { $0.dropFirst(4) }.joined(separator: " ")
        #expect(comment.contains(sentence))
    }
}
