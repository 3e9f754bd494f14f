import SpecIR
import TestSupport
import Testing

@Suite("Settings without an effect are reported")
struct EffectTests {
    private func analysis(_ method: String = "get: a", group: String = "", api: String = "")
        -> Analysis
    {
        Analysis(users: group + "methods: { get: { \(method) } }\n", api: api)
    }

    @Test(
        "a limit of concurrent calls above the API's limit is reported as without effect",
        arguments: [
            ("limits: { concurrent: 2, per-host: 6 }", ["6"]),
            ("limits: { concurrent: 6, per-host: 6 }", []), ("limits: { per-host: 6 }", []),
            ("limits: { concurrent: 2 }\nqueues: { a: { concurrent: 50 }, b: serial }", ["50"]),
            ("limits: { concurrent: 2 }\nqueues: { a: { concurrent: 2 } }", []),
            ("queues: { a: { concurrent: 50 } }", []),
        ])
    func bounds(api: String, marks: [String]) {
        let analysis = analysis(api: api + "\n")
        #expect(analysis.marks == marks.map { "T0117: \($0)" })
        #expect(analysis.api != nil)
    }

    @Test(
        "a rate limit of a method above the API's rate limit is reported as without effect",
        arguments: [
            ("3/s", "100/s", true), ("3/s", "4/s", true), ("3/s", "3/s", false),
            ("3/s", "20/10s", false), ("3/s", "30/10s", false), ("3/s", "31/10s", true),
            ("10/m", "11/s", true), ("10/m", "10/s", false), ("2/2s", "4/3s", false),
            ("2/2s", "5/3s", true), ("9223372036854775807/s", "5/2s", false),
            ("1/s burst 20", "21/s", false), ("1/s burst 20", "22/s", true),
        ])
    func rates(api: String, method: String, isTold: Bool) {
        let limits = "limits: { requests: \(api) }\n"
        let own = analysis("get: a, limits: { requests: \(method) }", api: limits)
        #expect(own.marks == (isTold ? ["T0117: \(method)"] : []))
        let address = analysis("get: \"{url}\", limits: { requests: \(method) }", api: limits)
        #expect(address.marks == [])
    }

    @Test(
        "a pause that is longer than the call is reported as without effect",
        arguments: [
            ("pause: 5m, total: 1m", "", ["5m"]), ("pause: 1m, total: 1m", "", []),
            ("total: 1m", "pause: 5m", ["5m"]), ("pause: 5m", "total: 1m", []),
        ])
    func pauses(api: String, method: String, marks: [String]) {
        let own = method.isEmpty ? "get: a" : "get: a, timeout: { \(method) }"
        let analysis = analysis(own, api: "timeout: { \(api) }\n")
        #expect(analysis.marks == marks.map { "T0117: \($0)" })
    }

    @Test(
        "failures that are never retried are reported as without effect",
        arguments: [
            ("{ attempts: 1, on: [429] }", "", "T0117: [429]"),
            ("{ attempts: 1 }", "{ on: 429 }", "T0117: 429"),
            ("{ on: 429 }", "{ attempts: 1 }", nil), ("{ attempts: 2, on: [429] }", "", nil),
            ("{ on: [] }", "", "T0117: []"), ("{ on: [ok] }", "", "T0214: ok"),
            ("{ on: [5xx] }", "", "T0110: 5xx"), ("none", "{ attempts: 1, on: 429 }", "T0117: 429"),
            // A code with `retry: true` is always retried.
            ("{ on: [] }\nerrors: { code: c, cases: { a: { code: 1, retry: true } } }", "", nil),
            // A success reply that cannot be decoded may be retried.
            ("{ on: [200, 204] }", "", nil),
        ] as [(String, String, String?)])
    func retries(api: String, method: String, mark: String?) {
        let own = method.isEmpty ? "get: a" : "get: a, retry: \(method)"
        #expect(analysis(own, api: "retry: \(api)\n").marks == [mark].compactMap(\.self))
    }

    @Test(
        "statuses after which a non-idempotent call is not retried are reported",
        arguments: [
            ("post", "[500]", ["500"]), ("patch", "[429, 502..504]", []),
            ("post", "[transport, 500..502, 511]", ["500..502"]), ("put", "[500]", []),
            ("post", "[408, 200]", ["408", "200"]),
        ])
    func statuses(verb: String, on: String, marks: [String]) {
        let method = "\(verb): a, retry: { on: \(on) }"
        #expect(analysis(method).marks == marks.map { "T0117: \($0)" })
        #expect(analysis(method + ", idempotency-key: true").marks == [])
        #expect(analysis(method, api: "idempotency-key: true\n").marks == [])
        // With one attempt, there is a single warning.
        let once = analysis("\(verb): a, retry: { attempts: 1, on: \(on) }")
        #expect(once.marks == ["T0117: \(on)"])
        // A setting of the API also applies to other methods.
        #expect(analysis("\(verb): a", api: "retry: { on: \(on) }\n").marks == [])
    }

    @Test("statuses of unprocessed requests are retried")
    func statusesOfNothing() {
        let told = (400...599).filter { !analysis("post: a, retry: { on: [\($0)] }").marks.isEmpty }
        #expect(Set(told) == Set(400...599).subtracting(statusesOfNothingDone))
    }

    @Test(
        "an unknown replacement of a deprecated method is reported",
        arguments: [
            ("users.find", true), ("find", true), ("users.gett", true), ("users.get", false),
            ("get", false), ("the new API", false), ("https://a.test/", true),
        ])
    func replacements(use: String, isTold: Bool) {
        let old = analysis("get: a }, old: { get: b, deprecated: { use: \"\(use)\" }")
        #expect(old.marks == (isTold ? ["T0215: \"\(use)\""] : []))
        #expect(old.api != nil)
    }

    @Test("a misspelt replacement of a deprecated method is corrected")
    func misspeltReplacement() {
        let old = analysis("get: a }, old: { get: b, deprecated: { use: users.gte }")
        #expect(old.bag.all.first?.help == "did you mean `users.get`?")
    }

    @Test("a header that the token overrides in every method is reported as without effect")
    func tokenHeaders() {
        let auth = "auth: { a: { token: bearer } }\n"
        let api = "headers: { authorization: Bearer abc }\n" + auth
        #expect(analysis(api: api).marks == ["T0117: authorization"])
        #expect(analysis("get: a, auth: none", api: api).marks == [])
        let group = "headers: { Authorization: Bearer abc }\n"
        #expect(analysis(group: group, api: auth).marks == ["T0117: Authorization"])
        #expect(analysis("get: a, auth: none", group: group, api: auth).marks == [])
        let named = "auth: { a: { token: { in: header, name: X-Token } } }\n"
        #expect(analysis(api: "headers: { X-Token: abc }\n" + named).marks == ["T0117: X-Token"])
        #expect(analysis(api: "headers: { Authorization: abc }\n" + named).marks == [])
    }

    @Test(
        "empty lists and repeated entries are reported as without effect",
        arguments: [
            ("retry: { on: [429, transport, 429] }", ["429"]),
            ("retry: { on: [429, 428..429] }", []),
            ("query: { a: int }, throttle: { interval: 1s, by: [a, a] }", ["a"]),
            ("query: { a: int }, throttle: { interval: 1s, by: [] }", ["[]"]),
            ("throttle: 1s", []),
        ])
    func lists(method: String, marks: [String]) {
        let analysis = analysis("get: a, \(method)")
        #expect(analysis.marks == marks.map { "T0117: \($0)" })
        #expect(analysis.api != nil)
    }

    @Test(
        "allowed values that are empty or repeated are reported",
        arguments: [("[]", ["[]"]), ("[1, 2, 1]", ["1"]), ("[1, 2]", [])])
    func allowedValues(values: String, marks: [String]) {
        let api = """
            telex: 1
            api: A
            servers:
              a: { url: "https://a.test:{p}/", variables: { p: { default: 1, in: \(values) } } }

            """
        let analysis = Analysis(["api.yaml": api, "users.yaml": "methods: { get: { get: a } }\n"])
        #expect(analysis.marks == marks.map { "T0117: \($0)" })
    }

    @Test("calls with idempotency keys do not share requests")
    func coalescedKeys() {
        #expect(
            analysis("get: a, coalesce: true, idempotency-key: true").marks == ["T0510: true"])
        #expect(analysis("get: a, coalesce: true, idempotency-key: false").marks == [])
        // Inherited keys apply only to methods that change something.
        #expect(analysis("get: a, coalesce: true", api: "idempotency-key: true\n").marks == [])
    }

    @Test("a value that is sensitive as a whole is not written to disk")
    func sensitiveCache() {
        for (cache, marks) in [("{ store: disk }", ["T0519: disk"]), ("http", [])] {
            let group = """
                methods: { get: { get: a, cache: \(cache), returns: Pin } }
                models: { Pin: { type: string, sensitive: true } }
                """
            #expect(Analysis(users: group).marks == marks)
        }
    }

    @Test("an inherited `cache` applies only to methods whose replies can be kept")
    func inheritedCache() {
        for method in ["get: a", "post: a", "get: a, kind: download", "get: a, session: ephemeral"]
        {
            #expect(analysis(method, api: "cache: { store: disk }\n").marks == [])
        }
    }

    @Test("`safe` opens retries, `until`, `coalesce` and `cache` to a method that only reads")
    func safe() {
        let keys =
            "coalesce: true, cache: http, retry: { on: [500] }, until: { where: { state: done } }"
        let reads = analysis("post: a, \(keys), safe: true, returns: { state: string }")
        #expect(reads.marks == [], "\(reads)")
        #expect(reads.method("users.get")?.operation.isSafe == true)
        let writes = analysis("post: a, \(keys), returns: { state: string }")
        #expect(
            writes.marks == [
                "T0510: true", "T0519: http", "T0117: 500", "T0105: { where: { state: done } }",
            ], "\(writes)")
        #expect(analysis("get: a, safe: true").marks == ["T0117: true"])
    }

    @Test("an error case cannot have a word of `retry.on` as its name")
    func transportCase() {
        let api = "errors: { code: c, cases: { transport: 5 } }\n"
        #expect(analysis(api: api).marks == ["T0107: transport"])
    }

    @Test("a throttle refuses early starts by default")
    func throttlePolicies() {
        let said: [(String, Throttle.Policy)] = [
            ("1s", .refuse), ("{ interval: 1s }", .refuse),
            ("{ interval: 1s, policy: refuse }", .refuse),
            ("{ interval: 1s, policy: delay }", .delay),
            ("{ interval: 1s, policy: latest }", .latest),
        ]
        for (throttle, policy) in said {
            let analysis = analysis("get: a, throttle: \(throttle)")
            #expect(analysis.method("users.get")?.operation.throttle?.policy == policy)
        }
    }

    @Test("`by` prefers the key in the spec to the API name of another parameter")
    func throttleKeys() {
        let query = "query: { id: { type: int, key: x }, x: { type: int, key: y } }"
        for (name, key) in [("x", "y"), ("id", "x"), ("y", "y")] {
            let analysis = analysis("get: a, \(query), throttle: { interval: 1s, by: [\(name)] }")
            #expect(analysis.method("users.get")?.operation.throttle?.key == [key], "\(analysis)")
        }
    }
}
