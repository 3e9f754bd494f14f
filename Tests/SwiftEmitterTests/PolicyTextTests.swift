import Testing

/// The documentation of calls.
@Suite("The documentation of a function describes its scheduling")
struct PolicyTextTests {
    @Test(
        "each setting of the scheduling is a sentence in the documentation of a function",
        arguments: [
            ("get: x, queue: a", "Waits in the queue `a`."),
            ("get: x, priority: low", "Starts after all other waiting calls."),
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
            ("get: x, cache: http", "Replies are kept and used again as the server allows."),
            (
                "get: x, cache: { fresh: 5m, stale-if-error: 1d, store: disk }",
                "Replies are kept and used again as the server allows, for 5 min if it names no "
                    + "time, for 1 d more if it fails."
            ),
            ("get: x, retry: none", "Sent once."),
            (
                "get: x, retry: { attempts: 2, on: 503 }",
                "Sent once more after status 503 or error `busy`."
            ),
            (
                "put: x, retry: { attempts: 4, on: [transport, 500..504] }",
                "Sent again up to 3 times after a broken connection, a status from 500 to 504 or "
                    + "error `busy`."
            ),
            (
                "post: x, retry: { on: [transport] }",
                "Sent again after a broken connection or error `busy`, unless it might take effect "
                    + "twice."
            ),
            (
                "post: x, idempotency-key: true, retry: { on: [transport, many] }",
                "Sent again after a broken connection, error `many` or error `busy`. Each call sends "
                    + "an idempotency key in `Idempotency-Key`."
            ),
            ("get: x, session: s", "Uses the connections `s`."),
            (
                "get: x, returns: int, validate: warn",
                "A violation in a reply is reported, and the value is returned."
            ),
            (
                "get: x, returns: int, validate: off",
                "Replies are checked only as far as their values need it."
            ),
            (
                "get: x, returns: int, validate: { mode: custom, checks: [keys, types], sample: 5% }",
                "A violation in a reply fails the call. Checks only `keys`, `types`. Checks 5% of the "
                    + "replies. The app checks the replies, too."
            ),
            ("get: x, stream: json-lines, returns: int", "Elements arrive as lines of JSON."),
            (
                "get: x, stream: { form: sse, events: [a, b], end: c }, returns: int",
                "Elements arrive as server-sent events: `a`, `b`, up to `c`."
            ),
            (
                "get: x, stream: { form: json-lines, end: c }, returns: int",
                "Elements arrive as lines of JSON, up to `c`."
            ),
            (
                "get: x, timeout: { silence: 5s, attempt: 1m, total: 1d }",
                "Fails after 5 s without data. An attempt takes at most 1 min. A call takes at most "
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
            errors: { code: c, cases: { many: 6, busy: { code: 7, retry: true } } }
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

/// The documentation of deprecated declarations, and of declarations with links.
@Suite("The documentation of a declaration is complete")
struct DocumentationTests {
    private func lines(_ file: String) throws -> [Substring] {
        let spec = TestSpec(files: [
            "api.yaml": """
            telex: 1
            api: Test
            servers: { a: https://example.com/ }
            auth: { key: { token: bearer } }
            errors:
              code: c
              cases:
                busy: { code: 7, deprecated: { since: "2", use: slow }, link: "https://a.example/" }
                taken: { code: 8, doc: Taken., model: Taken }
            """,
            "things.yaml": """
            methods:
              get:
                get: x
                retry: none
                query:
                  old: { type: int?, deprecated: too old, link: "https://b.example/" }
                  kind: Kind?
            models:
              Taken: { deprecated: true, link: "https://c.example/", fields: { by: string } }
              Kind:
                enum:
                  a: { value: A, deprecated: { use: b }, link: "https://d.example/" }
                  b: B
            """,
        ])
        let text = try #require(try spec.emitted()[file])
        return text.split(separator: "\n").map { $0.drop { $0 == " " } }
    }

    @Test("deprecations and links of parameters, models, values and error codes are documented")
    func everywhere() throws {
        let api = try lines("API.swift")
        #expect(api.contains("/// - SeeAlso: <https://a.example/>"))
        #expect(api.contains("/// - Warning: Deprecated since 2. Use slow."))
        #expect(api.contains("/// `error.detail(as: Taken.self)` returns its details."))
        let things = try lines("Things.swift")
        let rest = "Not sent when `nil`. Deprecated. too old. See <https://b.example/>."
        #expect(things.contains { $0 == "///   - old: " + rest })
        #expect(things.contains("/// - SeeAlso: <https://c.example/>"))
        #expect(things.contains("/// - Warning: Deprecated."))
        #expect(things.contains("/// - SeeAlso: <https://d.example/>"))
        #expect(things.contains("/// - Warning: Deprecated. Use b."))
    }

    @Test("a method that resets all time-outs has none in the code")
    func noTimes() throws {
        let spec = TestSpec(files: [
            "api.yaml": """
            telex: 1
            api: Test
            servers: { a: https://example.com/ }
            timeout: { total: 2s }
            """,
            "things.yaml": "methods: { a: { get: a, timeout: { total: none } }, b: { get: b } }",
        ])
        let things = try #require(try spec.emitted()["Things.swift"])
        let all = try spec.emitted().values.joined()
        #expect(all.contains("timeouts: Timeouts(total: .seconds(2))"))
        #expect(things.split(separator: "timeouts: Timeouts()").count == 2)
    }

    @Test("a refresh of the token is named as a reason to retry")
    func newToken() throws {
        #expect(
            try lines("Things.swift").contains("/// Sent once, and retried only with a new token."))
    }
}
