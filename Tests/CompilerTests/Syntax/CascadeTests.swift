import SpecIR
import SpecSemantics
import Testing

@Suite("Settings cascade from the API to the group to the method")
struct CascadeTests {
    private func analysis(api: String, group: String, method: String) -> Analysis {
        Analysis([
            "api.yaml": Analysis.smallAPI + api,
            "users.yaml": """
            \(group)
            methods:
              get: { get: users.get, returns: Date, \(method) }
              plain: { get: users.plain, returns: Date }
            """,
        ])
    }

    @Test("the nearest value wins, and unset values are those of the API")
    func nearest() throws {
        let analysis = analysis(
            api: "dates: unix\nsession: ephemeral\n",
            group: "dates: unix-ms\ntimeout: 2s", method: "dates: date, session: default")
        let own = try #require(analysis.method("users.get"))
        let plain = try #require(analysis.method("users.plain"))
        #expect(own.output == .value(Value(.date(.date))))
        #expect(plain.output == .value(Value(.date(.unixMilliseconds))))
        #expect(own.timeouts == Timeouts(silence: 2000) && plain.timeouts == own.timeouts)
        #expect(own.session == .shared && plain.session == .ephemeral)
    }

    @Test("a queue of the API has all methods that name none")
    func queue() {
        let api = "queues: { all: serial, few: { concurrent: 2 } }\nqueue: all\n"
        let own = analysis(api: api, group: "", method: "queue: none")
        #expect(own.method("users.get")?.operation.queue == .some(nil))
        #expect(own.method("users.plain")?.operation.queue == "all")
        let group = analysis(api: api, group: "queue: few", method: "queue: all")
        #expect(group.method("users.get")?.operation.queue == "all")
        #expect(group.method("users.plain")?.operation.queue == "few")
        let values = SpecAnalyzer.explain("users.plain", in: own.spec)?.values
        #expect(values?.contains { $0.name == "queue" && $0.origin == .api } == true)
    }

    @Test("the parts of `success` cascade one by one")
    func success() throws {
        let analysis = analysis(
            api: "success: { absent: error }\nunwrap: response\n",
            group: "success: { present: ok }", method: "success: { status: 201, present: none }")
        let own = try #require(analysis.method("users.get")?.reply)
        let plain = try #require(analysis.method("users.plain")?.reply)
        #expect(
            own
                == SuccessRules(
                    statuses: [201...201], absent: ["error"], unwrap: [.key("response")]))
        #expect(
            plain == SuccessRules(absent: ["error"], present: ["ok"], unwrap: [.key("response")]))
    }

    @Test("a `where` is replaced as a whole, and dropped by `none`")
    func conditions() throws {
        let analysis = analysis(
            api: "success: { absent: error, where: { a: 1, b.c: [true, no] } }\n",
            group: "success: { status: 200 }", method: "success: { where: { ok: \"1\" } }")
        let own = try #require(analysis.method("users.get")?.reply)
        let plain = try #require(analysis.method("users.plain")?.reply)
        #expect(own.conditions == [ReplyCondition(path: ["ok"], values: [.text("1")])])
        #expect(own.absent == ["error"] && own.statuses == [200...200])
        #expect(
            plain.conditions == [
                ReplyCondition(path: ["a"], values: [.integer(1)]),
                ReplyCondition(path: ["b", "c"], values: [.flag(true), .text("no")]),
            ])
        let dropped = self.analysis(
            api: "success: { where: { a: 1 } }\n", group: "", method: "success: { where: none }")
        #expect(dropped.method("users.get")?.reply == SuccessRules())
    }

    @Test("a group or a method chooses a server, and the first is the default")
    func server() throws {
        let servers = "servers: { a: https://a.com, b: https://b.com }\n"
        let api = "telex: 1\napi: VK\n" + servers
        let users = """
            server: b
            methods:
              get: { get: users.get }
              other: { get: users.other, server: a }
            """
        let analysis = Analysis(["api.yaml": api, "users.yaml": users])
        #expect(analysis.method("users.get")?.server == "b")
        #expect(analysis.method("users.other")?.server == .some(nil))
    }

    @Test("authentication is on if the API has a scheme, unless it is overridden")
    func authentication() {
        let analysis = analysis(
            api: "auth: { token: { token: bearer } }\n", group: "auth: none",
            method: "auth: required")
        #expect(analysis.method("users.get")?.isAuthenticated == true)
        #expect(analysis.method("users.plain")?.isAuthenticated == false)
    }

    @Test(
        "no time is longer than its bound, at any level, and an inner bound may be shorter",
        arguments: [
            ("total: 1m", "silence: 2m", "", ["2m"]), ("silence: 15s", "total: 10s", "", []),
            ("silence: 15s", "", "total: 10s", []), ("total: 10s", "", "attempt: 1m", ["1m"]),
            ("attempt: 1m", "total: 10s", "total: 20s", []),
            ("silence: 15s", "attempt: 10s", "silence: 12s", ["12s"]),
            ("silence: 15s", "total: 10s", "silence: 5s", []),
            ("silence: 2m, total: 1m", "", "attempt: 2m", ["2m", "2m"]),
            ("silence: 15s", "", "silence: 5s, total: 10s", []),
            ("silence: 15s, attempt: 15s", "", "total: 10s", []),
            ("silence: 3m, attempt: 2m, total: 1m", "", "", ["3m", "2m"]),
            ("silence: 15s", "attempt: 15s", "total: 15s", []),
        ])
    func times(api: String, group: String, method: String, marks: [String]) {
        let own = method.isEmpty ? "" : ", timeout: { \(method) }"
        let rest = group.isEmpty ? "" : "timeout: { \(group) }\n"
        let analysis = Analysis(
            users: rest + "methods: { get: { get: a\(own) } }\n",
            api: "timeout: { \(api) }\n")
        #expect(analysis.marks == marks.map { "T0116: \($0)" })
    }

    @Test("a contradicting time shows the span of the other")
    func placesOfTimes() {
        let analysis = Analysis(
            users: "methods: { get: { get: a, timeout: { silence: 1m } } }\n",
            api: "timeout: { total: 15s }\n")
        #expect(
            analysis.rendered.contains(
                "`silence` is longer than `total`, and would never be reached"))
        #expect(analysis.rendered.contains("api.yaml:4:19"))
        #expect(analysis.rendered.contains("`total` is here"))
    }

    @Test("the parts of `timeout` and `retry` cascade one by one")
    func partByPart() throws {
        let analysis = analysis(
            api: "timeout: { silence: 5s, total: 1m, pause: 10s }\nretry: { attempts: 5, on: 503, "
                + "backoff: 1s x3 max 9s }\n",
            group: "retry: { backoff: 2s ±10% }", method: "timeout: { total: 2m }")
        let own = try #require(analysis.method("users.get"))
        let plain = try #require(analysis.method("users.plain"))
        #expect(
            own.timeouts == Timeouts(silence: 5000, total: 120_000, pause: 10_000)
                && plain.timeouts == nil)
        let backoff = Backoff(initial: 2000, factor: 3, jitter: 10, maximum: 9000)
        let policy = RetryPolicy(
            attempts: 5, conditions: [.statuses(503...503)], backoff: backoff)
        #expect(own.operation.retry == policy && plain.operation.retry == policy)
    }

    @Test("`retry: none` neither inherits nor is inherited in parts")
    func noRetry() {
        let analysis = analysis(
            api: "retry: { on: [transport] }\n", group: "retry: none",
            method: "retry: { attempts: 2 }")
        #expect(
            analysis.method("users.get")?.operation.retry
                == RetryPolicy(attempts: 2, conditions: [.transport]))
        #expect(analysis.method("users.plain")?.operation.retry == .never)
    }

    @Test("a method resets the queue, the session and the key of its group")
    func leaving() throws {
        let analysis = analysis(
            api: "queues: { a: serial }\nsessions: { s: ephemeral }\nidempotency-key: X-Key\n",
            group: "queue: a\nsession: s\npriority: low",
            method: "queue: none, session: default, priority: normal, idempotency-key: true")
        let own = try #require(analysis.method("users.get"))
        let plain = try #require(analysis.method("users.plain"))
        #expect(own.operation.queue == nil && plain.operation.queue == "a")
        #expect(own.session == .shared && plain.session == .named("s"))
        #expect(own.operation.priority == .normal && plain.operation.priority == .low)
        // Inherited keys apply only to methods that are not idempotent.
        #expect(own.operation.idempotencyKey == "Idempotency-Key")
        #expect(plain.operation.idempotencyKey == nil)
    }

    @Test("an explanation shows the origin of each value")
    func explanation() throws {
        let analysis = analysis(
            api: "dates: unix\nsuccess: { absent: error, where: { a.b: [0, fine], ok: true } }\n",
            group: "timeout: 2s",
            method: "dates: date")
        let explanation = try #require(SpecAnalyzer.explain("users.get", in: analysis.spec))
        let lines = explanation.values.filter { $0.span != nil }
            .map { "\($0.name): \($0.value) (\($0.origin))" }
        #expect(
            lines == [
                "get: users.get (method)",
                "server: production (https://api.vk.com/method/) (api)", "timeout: 2s (group)",
                "dates: date (method)", "absent: error (api)",
                "where: a.b: 0 or fine, ok: true (api)", "returns: Date (method)",
            ])
        #expect(SpecAnalyzer.methodNames(in: analysis.spec) == ["users.get", "users.plain"])
    }
}
