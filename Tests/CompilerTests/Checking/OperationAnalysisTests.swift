import SpecIR
import SpecSemantics
import Testing

@Suite("How operations are run")
struct OperationAnalysisTests {
    private let rich = Analysis(RichSpec.files)

    // MARK: Lowering

    @Test("the API's traffic, and when its calls are sent again, are read from the spec")
    func wholeAPI() throws {
        let api = try #require(rich.api)
        #expect(api.traffic.rate == RequestRate(requests: 3, interval: 1000))
        #expect(api.traffic.concurrent == 8 && api.traffic.perHost == 6)
        #expect(
            api.traffic.queues == [
                QueueRules(name: "images", concurrent: 2),
                QueueRules(name: "writes", concurrent: 1),
            ])
        #expect(
            api.traffic.sessions == [
                SessionRules(name: "private", isEphemeral: true, connections: nil),
                SessionRules(name: "images", isEphemeral: false, connections: 10),
            ])
        let backoff = Backoff(initial: 500, factor: 1.5, jitter: 20, maximum: 20_000)
        #expect(
            api.retry
                == RetryPolicy(
                    attempts: 4,
                    conditions: [
                        .transport, .statuses(429...429), .statuses(500...504), .code("6"),
                    ], backoff: backoff))
    }

    @Test("a method's own rules are read from the spec")
    func ownRules() throws {
        let method = try #require(rich.method("users.get"))
        var rules = OperationPolicy()
        rules.isCoalesced = true
        rules.priority = .high
        rules.throttle = Throttle(
            interval: 1500, key: ["owner_id", "user_ids"], policy: .latest, from: .end)
        rules.onConstrained = .wait
        rules.onExpensive = .fail
        rules.rate = RequestRate(requests: 20, interval: 10_000)
        #expect(method.operation == rules)
        #expect(
            method.timeouts
                == Timeouts(
                    silence: 15_000, attempt: 60_000, total: 300_000, pause: 90_000))
        #expect(rich.method("users.login")?.operation.retry == .never)
        #expect(rich.method("users.login")?.operation.idempotencyKey == "Idempotency-Key")
    }

    @Test("the rules of uploads, downloads and streams are read from the spec")
    func kinds() throws {
        let upload = try #require(rich.method("photos.upload"))
        #expect(upload.operation.kind == .upload && upload.session == .named("images"))
        #expect(upload.operation.queue == "images" && upload.operation.idempotencyKey == "X-Key")
        #expect(upload.operation.retry?.attempts == 2)
        #expect(
            upload.operation.retry?.backoff
                == Backoff(initial: 1000, factor: 1.5, jitter: 0, maximum: 20_000))
        let raw = try #require(rich.method("wall.posts.raw"))
        #expect(raw.operation.idempotencyKey == nil && raw.operation.queue == "writes")
        let file = try #require(rich.method("wall.posts.file"))
        #expect(file.operation.kind == .download && file.output == .file)
        #expect(file.operation.queue == nil && file.session == .named("private"))
        let live = try #require(rich.method("wall.posts.live"))
        #expect(live.operation.kind == .stream(StreamFormat(.serverSentEvents)))
        #expect(live.output == .value(Value(.json)))
    }

    @Test(
        "rates are requests per interval",
        arguments: [
            ("3/s", 3, 1000), ("100/min", 100, 60_000), ("5000/h", 5000, 3_600_000),
            ("20/10s", 20, 10_000), ("3/.5s", 3, 500), ("1/m", 1, 60_000), ("7/1.5s", 7, 1500),
            ("1/d", 1, 86_400_000),
        ])
    func rates(text: String, requests: Int, interval: Int) {
        let analysis = Analysis(users: Self.group, api: "limits: { requests: \(text) }\n")
        #expect(
            analysis.api?.traffic.rate == RequestRate(requests: requests, interval: interval))
    }

    @Test("a method may wait for a state of its reply")
    func polling() throws {
        let text = "where: { status: [done, 3] }, fails: { status: failed }, interval: 2s x2"
        let users = "methods: { get: { get: a, until: { \(text) } } }\n"
        let method = try #require(Analysis(users: users).method("users.get"))
        #expect(
            method.operation.until
                == Polling(
                    conditions: [
                        ReplyCondition(path: ["status"], values: [.text("done"), .integer(3)])
                    ],
                    failures: [ReplyCondition(path: ["status"], values: [.text("failed")])],
                    backoff: Backoff(initial: 2000, factor: 2)))
    }

    @Test(
        "a rate may have a burst",
        arguments: ["1/s burst 20", "{ rate: 1/s, burst: 20 }", "{ rate: 1/s burst 20 }"])
    func bursts(text: String) {
        let api = "limits: { requests: \(text) }\n"
        let rate = RequestRate(requests: 1, interval: 1000, burst: 20)
        #expect(Analysis(users: Self.group, api: api).api?.traffic.rate == rate)
    }

    @Test(
        "the parts of a back-off follow the first wait in any order",
        arguments: [
            ("1s", Backoff(initial: 1000)), ("1s x2", Backoff(initial: 1000, factor: 2)),
            (
                "250ms max 1m ±100% x1.5",
                Backoff(initial: 250, factor: 1.5, jitter: 100, maximum: 60_000)
            ),
            ("{ factor: 3 }", Backoff(factor: 3)), ("{ jitter: 0% }", Backoff(jitter: 0)),
        ])
    func backoffs(text: String, backoff: Backoff) {
        let analysis = Analysis(users: Self.group, api: "retry: { backoff: \(text) }\n")
        #expect(analysis.api?.retry == RetryPolicy(backoff: backoff))
    }

    @Test(
        "a wait in the body is in seconds, or in its unit",
        arguments: [
            ("none", [], false), ("wait", ["wait"], false), ("a.wait_ms", ["a", "wait_ms"], false),
            ("{ at: [\"a.b\"], unit: s }", ["a.b"], false),
            ("{ at: wait, unit: ms }", ["wait"], true),
        ])
    func waits(text: String, path: [String], isInMilliseconds: Bool) {
        let api = "errors: { code: a, retry-after: \(text) }\n"
        let errors = Analysis(users: Self.group, api: api).api?.errors
        #expect(errors?.retryAfter == path)
        #expect(errors?.retryAfterIsInMilliseconds == isInMilliseconds)
    }

    @Test("a token is refreshed by the app, or by a request")
    func refresh() throws {
        let api = """
            auth:
              oauth2:
                token: bearer
                refresh:
                  post: https://oauth.vk.com/token
                  json:
                    grant_type: refresh_token
                    client_secret: { const: "5", sensitive: true }
                    old: $token.refresh_token
                    user: $token.user_id
                    key: $secret.KEY
                  token: data.token
                  expires-in: none

            """
        let analysis = Analysis(users: Self.group, api: api)
        #expect(
            analysis.api?.auth?.refresh
                == .request(
                    RefreshRequest(
                        url: "https://oauth.vk.com/token", isJSON: true,
                        members: [
                            .init(name: "grant_type", value: .constant("refresh_token")),
                            .init(name: "client_secret", value: .secret("5")),
                            .init(name: "old", value: .refreshToken),
                            .init(name: "user", value: .credentialValue("user_id")),
                            .init(name: "key", value: .appSecret("KEY")),
                        ], token: ["data", "token"], refreshToken: ["refresh_token"],
                        expiresIn: [])))
        #expect(rich.api?.auth?.refresh == .app)
    }

    @Test("a member of a refresh request with a suspicious name is a secret, unless overridden")
    func secretRefreshTexts() {
        let api = """
            auth:
              oauth2:
                token: bearer
                refresh:
                  post: https://oauth.vk.com/token
                  form:
                    client_id: abc
                    client_secret: def
                    Api_Key: { const: ghi }
                    password: { const: jkl, sensitive: false }
                    token: $token.access_token

            """
        guard case .request(let request) = Analysis(users: Self.group, api: api).api?.auth?.refresh
        else { return #expect(Bool(false), "no request") }
        #expect(
            request.members == [
                .init(name: "client_id", value: .constant("abc")),
                .init(name: "client_secret", value: .secret("def")),
                .init(name: "Api_Key", value: .secret("ghi")),
                .init(name: "password", value: .constant("jkl")),
                .init(name: "token", value: .token),
            ])
    }

    @Test("a refresh request with only a URL is that of OAuth")
    func shortRefresh() {
        let refresh = "{ post: https://vk.com/token }"
        let api = "auth: { a: { token: bearer, expired: 401, refresh: \(refresh) } }\n"
        #expect(
            Analysis(users: Self.group, api: api).api?.auth?.refresh
                == .request(
                    RefreshRequest(
                        url: "https://vk.com/token", isJSON: false, members: nil,
                        token: ["access_token"], refreshToken: ["refresh_token"],
                        expiresIn: ["expires_in"])))
    }

    @Test(
        "an error in a refresh request is reported at its span",
        arguments: [
            ("apps", "T0107: apps"), ("{ form: { a: b } }", "T0103: { form: { a: b } }"),
            ("{ post: https://a.b/, form: { a: b }, json: { a: b } }", "T0105: json"),
            ("{ post: https://a.b/, form: { a: [b] } }", "T0102: [b]"),
            ("{ post: https://a.b/, form: { a: { sensitive: true } } }", "T0103: a"),
            ("{ post: https://a.b/, form: { a: $token. } }", "T0506: $token."),
            ("{ post: https://a.b/, token: none }", "T0111: none"),
            ("{ post: https://a.b/, scope: b }", "T0101: scope"),
        ])
    func refreshMistakes(refresh: String, mark: String) {
        let api = "auth: { a: { token: bearer, expired: 401, refresh: \(refresh) } }\n"
        #expect(Analysis(users: Self.group, api: api).marks == [mark])
    }

    // MARK: Errors

    private static let group = "methods: { get: { get: users.get } }\n"

    @Test(
        "an error in the API's keys is reported at its span",
        arguments: [
            ("retry: 3", "T0102: 3"), ("retry: { attempts: 0 }", "T0102: 0"),
            ("retry: { attempts: 2, on: 5xx }", "T0110: 5xx"),
            ("retry: { on: [tooMany] }", "T0214: tooMany"),
            ("retry: { backoff: 1s x0.5 }", "T0115: x0.5"),
            ("retry: { backoff: 1s ±101% }", "T0115: ±101%"),
            ("retry: { backoff: 1s x2 x3 }", "T0115: x3"), ("retry: { backoff: 2 }", "T0115: 2"),
            ("retry: { backoff: 1s max }", "T0115: max"),
            ("retry: { backoff: { jitter: 0.2 } }", "T0115: 0.2"),
            ("retry: { backoff: 2s max 1s }", "T0116: 2s max 1s"),
            ("retry: { backoff: { initial: 2s, max: 1s } }", "T0116: 1s"),
            ("timeout: { attempt: 2m, total: 1m }", "T0116: 2m"),
            ("timeout: { silence: 2m, attempt: 1m }", "T0116: 2m"),
            ("limits: { requests: 0/s }", "T0114: 0/s"),
            ("limits: { requests: 3/fortnight }", "T0114: 3/fortnight"),
            ("limits: { requests: -3/s }", "T0114: -3/s"),
            ("limits: { requests: 3/s burst }", "T0114: 3/s burst"),
            ("limits: { requests: 3/s burst 0 }", "T0114: 3/s burst 0"),
            ("limits: { requests: { rate: 3/s, burst: 0 } }", "T0102: 0"),
            ("limits: { requests: 3/.s }", "T0114: 3/.s"),
            ("limits: { depth: 513 }", "T0102: 513"), ("limits: { depth: 0 }", "T0102: 0"),
            ("success: { status: [] }", "T0110: []"),
            ("errors: { code: a, retry-after: a..b }", "T0111: "),
            ("errors: { code: a, retry-after: [{}] }", "T0102: {}"),
            ("errors: { code: a, retry-after: { unit: ms } }", "T0103: { unit: ms }"),
            ("errors: { code: a, retry-after: { at: b, unit: min } }", "T0107: min"),
            ("errors: { code: a, retry-after: { at: b, in: s } }", "T0101: in"),
            ("limits: { concurrent: 0 }", "T0102: 0"), ("limits: { per-host: 0 }", "T0102: 0"),
            ("queues: { a: { concurrent: 0 } }", "T0102: 0"), ("queues: { a: {} }", "T0103: a"),
            ("queues: { none: serial }", "T0107: none"),
            ("queues: { \"\": serial }", "T0102: \"\""),
            ("sessions: { \"\": ephemeral }", "T0102: \"\""),
            ("queues: { a: paralel }", "T0107: paralel"),
            ("sessions: { default: ephemeral }", "T0107: default"),
            ("sessions: { a: { connections: 0 } }", "T0102: 0"),
            ("sessions: { a: foreground }", "T0107: foreground"),
            ("sessions: { a: { background: 1 } }", "T0102: 1"),
            ("sessions: { a: { ephemeral: true, background: true } }", "T0105: background"),
            ("session: privat", "T0212: privat"), ("queue: a", "T0212: a"),
            ("priority: high", "T0101: priority"), ("throttle: 1s", "T0101: throttle"),
            ("idempotency-key: No Header", "T0505: No Header"),
            ("idempotency-key: no", "T0102: no"), ("idempotency-key: Yes", "T0102: Yes"),
            ("idempotency-key: off", "T0102: off"), ("idempotency-key: ON", "T0102: ON"),
        ])
    func apiMistakes(api: String, mark: String) {
        #expect(Analysis(users: Self.group, api: api + "\n").marks == [mark])
    }

    @Test(
        "declarations that only the app may use need no other use",
        arguments: ["sessions: { a: { connections: 2 } }", "queues: { a: serial }"])
    func forSingleCalls(api: String) {
        #expect(Analysis(users: Self.group, api: api + "\n").marks == [])
    }

    @Test(
        "an error in a method's keys is reported at its span",
        arguments: [
            ("get: a, kind: download, returns: string", "T0509: string"),
            ("head: a, kind: download", "T0509: download"),
            ("head: a, returns: string", "T0509: string"),
            ("head: a, returns: bytes", "T0509: bytes"),
            ("head: a, kind: data, returns: [int]", "T0509: [int]"),
            ("get: a, kind: download, unwrap: b.c", "T0509: b.c"),
            ("get: a, kind: upload", "T0509: upload"), ("get: a, kind: stream", "T0103: stream"),
            ("get: a, stream: sse", "T0509: sse"),
            ("get: a, stream: sse, returns: bytes", "T0509: bytes"),
            ("get: a, stream: sse, returns: nothing", "T0509: nothing"),
            ("get: a, stream: sse, returns: file", "T0303: file"),
            ("get: a, stream: sse, returns: int, kind: data", "T0105: sse"),
            ("get: a, stream: websocket, returns: int", "T0107: websocket"),
            ("get: a, timeout: none", "T0108: none"),
            ("get: a, timeout: { silence: none }", "T0108: none"),
            ("get: a, timeout: { total: nope }", "T0108: nope"),
            ("get: a, session: none", "T0212: none"),
            ("get: a, deprecated: no", "T0102: no"),
            ("get: a, stream: { form: lines, end: x }, returns: int", "T0107: lines"),
            ("get: a, stream: { events: [a] }, returns: int", "T0103: { events: [a] }"),
            ("get: a, stream: { form: sse, ends: a }, returns: int", "T0101: ends"),
            ("get: a, stream: { form: sse, end: [a] }, returns: int", "T0102: [a]"),
            ("get: a, stream: { form: sse, events: [a, b, a] }, returns: int", "T0514: a"),
            (
                "get: a, stream: { form: sse, events: [] }, returns: int",
                "T0514: []"
            ),
            ("get: a, stream: { form: sse, events: \"a\\nb\" }, returns: int", "T0514: \"a\\nb\""),
            ("get: a, stream: { form: sse, end: \"a\\r\" }, returns: int", "T0514: \"a\\r\""),
            ("get: a, stream: { form: json-lines, events: e }, returns: int", "T0514: e"),
            ("get: a, stream: { form: json-lines, end: \" a\" }, returns: int", "T0514: \" a\""),
            ("get: a, kind: download, query: { $to: string }", "T0509: $to"),
            ("get: a, kind: download, headers: { range: string }", "T0505: range"),
            (
                "get: a, kind: download, headers: { v: { type: string, key: If-Range } }",
                "T0505: If-Range"
            ),
            ("post: a, coalesce: true", "T0510: true"),
            ("post: a, safe: true, multipart: { f: file }, coalesce: true", "T0510: true"),
            ("get: a, query: { id: { const: $call.id } }, coalesce: true", "T0510: true"),
            ("get: a, query: { id: { const: $call.id } }, cache: http", "T0519: http"),
            ("get: a, coalesce: true, kind: download", "T0510: true"),
            ("get: a, coalesce: true, stream: sse, returns: int", "T0510: true"),
            ("post: a, cache: http", "T0519: http"),
            ("get: a, cache: { fresh: 1s }, kind: download", "T0519: { fresh: 1s }"),
            ("get: a, cache: http, stream: sse, returns: int", "T0519: http"),
            ("get: a, cache: http, session: ephemeral", "T0519: http"),
            ("get: a, cache: 5m", "T0107: 5m"), ("get: a, cache: { fresh: 0s }", "T0108: 0s"),
            ("get: a, cache: { fresh: none }", "T0108: none"),
            ("get: a, cache: { store: file }", "T0107: file"),
            ("get: a, cache: { max-age: 1s }", "T0101: max-age"),
            ("get: a, cache: [http]", "T0102: [http]"),
            ("post: a, headers: { X-K: string }, idempotency-key: x-k", "T0511: x-k"),
            ("get: a, throttle: { interval: 1s, by: usr }", "T0512: usr"),
            ("post: a, multipart: { f: [file] }, throttle: { interval: 1s, by: f }", "T0512: f"),
            ("get: a, throttle: { by: user }", "T0103: { by: user }"),
            ("get: a, throttle: { interval: 1s, policy: delayed }", "T0107: delayed"),
            ("get: a, throttle: { interval: 1s, policies: delay }", "T0101: policies"),
            ("get: a, throttle: { interval: 1s, from: ends }", "T0107: ends"),
            ("get: a, on-constrained: no", "T0107: no"),
            ("get: a, until: done", "T0102: done"), ("get: a, until: {}", "T0103: {}"),
            ("get: a, until: { where: none }", "T0103: none"),
            ("get: a, until: { where: { status: [] } }", "T0102: []"),
            ("get: a, until: { where: { status: {} } }", "T0102: {}"),
            ("get: a, until: { where: { a: b }, interval: soon }", "T0115: soon"),
            ("get: a, until: { where: { a: b }, for: 1s }", "T0101: for"),
            ("post: a, until: { where: { a: b } }", "T0105: { where: { a: b } }"),
            (
                "get: a, kind: download, until: { where: { a: b } }",
                "T0105: { where: { a: b } }"
            ),
            ("get: a, on-expensive: [wait]", "T0102: [wait]"),
            ("get: a, throttle: { policy: delay }", "T0103: { policy: delay }"),
            ("get: a, throttle: 15", "T0108: 15"), ("get: a, priority: urgent", "T0107: urgent"),
            ("get: a, queue: images", "T0212: images"),
            ("get: a, limits: { concurrent: 3 }", "T0101: concurrent"),
            ("get: a, retry: { on: toMany }", "T0214: toMany"),
        ])
    func methodMistakes(method: String, mark: String) {
        #expect(Analysis(users: "methods: { get: { \(method) } }\n").marks == [mark])
    }

    @Test("a download may reset inherited reply settings")
    func noMistakes() {
        for method in [
            "head: a, returns: nothing", "get: a, kind: download, unwrap: none",
            // A reply that is read into memory may be a range.
            "get: a, headers: { Range: string }, returns: bytes",
        ] {
            #expect(Analysis(users: "methods: { get: { \(method) } }\n").marks == [], "\(method)")
        }
        let download = "methods: { get: { get: a, kind: download } }\n"
        #expect(Analysis(users: download, api: "unwrap: response\n").marks == [])
        #expect(Analysis(users: Self.group, api: "limits: { depth: 512 }\n").marks == [])
    }

    @Test("`none` resets the time-outs of an attempt and of a call")
    func noLimit() throws {
        let users = """
            methods:
              get: { get: a, timeout: { total: none, silence: 1m } }
              all: { get: a, timeout: { attempt: none } }
            """
        let api = "timeout: { attempt: 5s, total: 10s }\n"
        let analysis = Analysis(users: users, api: api)
        #expect(analysis.codes == ["T0116"], "\(analysis)")
        #expect(analysis.rendered.contains("set `attempt` here, too"))
        let mended = Analysis(
            users: users.replacing("total: none", with: "total: none, attempt: none"), api: api)
        #expect(
            mended.method("users.get")?.timeouts == Timeouts(silence: 60_000), "\(mended)")
        #expect(mended.method("users.all")?.timeouts == Timeouts(total: 10_000))
        let explanation = try #require(SpecAnalyzer.explain("users.get", in: mended.spec))
        let explained = explanation.values.map { "\($0.name): \($0.value)" }
        #expect(explained.contains("timeout in total: none"))
    }

    @Test("a queue may be used only by the app's own calls")
    func quietQueues() {
        #expect(Analysis(users: Self.group, api: "queues: { a: serial }\n").marks == [])
    }

    @Test("an invalid declaration still declares its name")
    func brokenDeclarations() {
        let users = "methods: { get: { get: a, queue: q, session: s } }\n"
        for queue in ["{ concurrent: 0 }", "{}", "paralel", "{ concurent: 2 }"] {
            let api = "queues: { q: \(queue) }\nsessions: { s: ephemral }\n"
            let analysis = Analysis(users: users, api: api)
            #expect(!analysis.codes.contains("T0212"), "\(analysis)")
            #expect(!analysis.codes.isEmpty)
        }
        let none = Analysis(users: users, api: "queues: { q: { concurrent: 0 } }\n")
        #expect(none.bag.all.first?.help?.contains("leave the key out") == false)
    }

    @Test("`none` and `false` reset an idempotency key", arguments: ["none", "false"])
    func noKey(word: String) {
        let users = "methods: { get: { post: a, idempotency-key: \(word) } }\n"
        let analysis = Analysis(users: users, api: "idempotency-key: true\n")
        #expect(analysis.method("users.get")?.operation.idempotencyKey == nil, "\(analysis)")
        let quoted = "methods: { get: { post: a, idempotency-key: \"none\" } }\n"
        #expect(Analysis(users: quoted).method("users.get")?.operation.idempotencyKey == "none")
    }

    @Test(
        "a first wait is not shortened by the default of the longest wait",
        arguments: [
            ("30s", 30_000, 30_000), ("20s", 20_000, nil), ("30s max 1m", 30_000, 60_000),
            ("{ initial: 21s, factor: 2 }", 21_000, 21_000),
        ] as [(String, Int, Int?)])
    func longWaits(text: String, initial: Int, maximum: Int?) {
        let api = "retry: { backoff: \(text) }\n"
        let backoff = Analysis(users: Self.group, api: api).api?.retry?.backoff
        #expect(backoff?.initial == initial && backoff?.maximum == maximum)
        let method = "methods: { get: { get: a, retry: { backoff: \(text) } } }\n"
        let own = Analysis(users: method).method("users.get")?.operation.retry?.backoff
        #expect(own == backoff)
    }

    @Test(
        "waits from two places do not contradict each other",
        arguments: [
            ("1s max 5s", "", "10s", "T0116: 10s"), ("1s max 5s", "10s", "", "T0116: 10s"),
            ("10s", "", "{ max: 5s }", "T0116: 5s"), ("1s", "{ max: 5s }", "6s", "T0116: 6s"),
            ("1s max 5s", "10s", "{ factor: 3 }", "T0116: 10s"),
            ("1s max 5s", "", "10s max 20s", nil), ("10s max 20s", "", "5s", nil),
        ] as [(String, String, String, String?)])
    func cascadedWaits(api: String, group: String, method: String, mark: String?) {
        func retry(_ backoff: String) -> String {
            backoff.isEmpty ? "" : "retry: { backoff: \(backoff) }"
        }
        let own = retry(method).isEmpty ? "" : ", " + retry(method)
        let users = "\(retry(group))\nmethods: { get: { get: a\(own) } }\n"
        #expect(Analysis(users: users, api: retry(api) + "\n").marks == [mark].compactMap(\.self))
    }

    @Test(
        "literals that a header cannot contain are reported",
        arguments: [
            (#"{ X: { const: "a\r\nB: c" } }"#, #"T0505: "a\r\nB: c""#),
            (#"{ X: { const: "a\0" } }"#, #"T0505: "a\0""#),
            (#"{ X: { const: " a" } }"#, #"T0505: " a""#),
            (#"{ X: { type: string, default: "a\x7F" } }"#, #"T0505: "a\x7F""#),
            (#"{ X: { type: [string], default: [a, "\n"] } }"#, #"T0505: "\n""#),
            (#"{ X: { type: [string], join: "\n" } }"#, #"T0505: "\n""#),
            (#"{ X: { enum: { a: "a\nb" } } }"#, "T0505: X"),
            ("{ X: Odd }", "T0505: X"), ("{ X: { type: [Odd] } }", "T0505: X"),
            (#"{ X: { const: "a\tb é" } }"#, nil),
            (#"{ X: { type: json, style: json, default: "a\nb" } }"#, nil),
        ] as [(String, String?)])
    func headerTexts(headers: String, mark: String?) {
        let users = """
            methods: { get: { get: a, headers: \(headers), query: { o: Odd } } }
            models: { Odd: { enum: { a: "a\\nb", b: c } } }
            """
        #expect(Analysis(users: users).marks == [mark].compactMap(\.self))
    }

    @Test("base headers are checked as well")
    func everyHeader() {
        let api = #"headers: { X-A: "a\r\nB: c" }"# + "\n"
        #expect(Analysis(users: Self.group, api: api).marks == [#"T0505: "a\r\nB: c""#])
    }

    @Test("a misspelt name is corrected")
    func nearNames() {
        let api = """
            queues: { images: serial }
            errors: { code: c, cases: { tooMany: 6 } }
            retry: { on: [tooMani] }

            """
        let users = """
            methods:
              get: { get: a, queue: image, query: { user_id: int }, throttle: { interval: 1s, by: userid } }
              next: { get: c, throttle: { interval: 1s, policy: lates } }
              other: { get: b, queue: images }
            """
        let helps = Analysis(users: users, api: api).bag.all.map(\.help)
        #expect(
            helps == [
                "did you mean `tooMany`?", "did you mean `images`?", "did you mean `user_id`?",
                "did you mean `latest`?",
            ])
    }

    @Test("the header of a key differs from those of the token and of base parameters")
    func takenHeaders() {
        let users = "methods: { get: { post: a, idempotency-key: X-Token } }\n"
        let token = "auth: { a: { token: { in: header, name: X-Token } } }\n"
        #expect(Analysis(users: users, api: token).codes == ["T0511"])
        #expect(Analysis(users: users, api: "headers: { X-Token: a }\n").codes == ["T0511"])
        let bearer = "methods: { get: { post: a, idempotency-key: Authorization } }\n"
        let scheme = "auth: { a: { token: bearer } }\n"
        #expect(Analysis(users: bearer, api: scheme).codes == ["T0511"])
        #expect(Analysis(users: users).codes.isEmpty)
    }

    @Test(
        "a token server is on https, local, or on the API's server",
        arguments: [
            ("http://oauth.vk.com/token", false), ("https://oauth.vk.com/token", true),
            ("http://127.0.0.1:80/token", true), ("oauth.vk.com", false),
            ("https://user@vk.com/", false), ("https://{host}/token", false),
            ("https://vk.com/token#a", false), ("https://vk.com/token?a=b", true),
            ("oauth/token", true), ("token", true), ("oauth/token.php", true),
            ("oauth.vk.com/token", false), ("/token", false), ("a//b", false), ("a/../b", false),
            ("{a}", false), ("token?a=b", false),
        ])
    func tokenServers(url: String, isFine: Bool) {
        let api = "auth: { a: { token: bearer, expired: 401, refresh: { post: \"\(url)\" } } }\n"
        #expect(Analysis(users: Self.group, api: api).codes == (isFine ? [] : ["T0608"]))
    }

    // MARK: Explaining

    @Test("an explanation shows effective values and their origins")
    func explanation() throws {
        let explanation = try #require(SpecAnalyzer.explain("photos.upload", in: rich.spec))
        let lines = explanation.values.map { "\($0.name): \($0.value) (\($0.origin))" }
        let expected = [
            "timeout: 1m (group)", "timeout in total: 5m (api)",
            "retry attempts: 2 (group)", "retry on: transport, 429, 500..504, too_many (api)",
            "first wait: 1s (group)", "further waits: x1.5 (api)", "jitter: ±0% (group)",
            "longest wait: 20s (api)", "session: images (group)", "queue: images (group)",
            "idempotency-key: X-Key (method)", "kind: upload (method)",
            "requests: 3/1s (api)", "concurrent: 8 (api)", "per host: 6 (api)",
        ]
        #expect(expected.filter { !lines.contains($0) } == [])
        let login = try #require(SpecAnalyzer.explain("users.login", in: rich.spec))
        #expect(login.values.contains { $0.name == "retry" && $0.value == "none" })
        #expect(!login.values.contains { $0.name == "retry attempts" })
        let own = try #require(SpecAnalyzer.explain("users.get", in: rich.spec))
        let ownLines = own.values.map { "\($0.name): \($0.value) (\($0.origin))" }
        let others = [
            "refresh: app (api)",
            "throttle: 1500ms by owner_id, user_ids, policy latest, from end (method)",
            "on-constrained: wait (method)", "on-expensive: fail (method)",
            "coalesce: true (method)", "priority: high (method)", "requests: 20/10s (method)",
            "timeout of an attempt: 1m (method)", "longest pause: 90s (method)",
        ]
        #expect(others.filter { !ownLines.contains($0) } == [])
    }

    @Test(
        "an explanation shows the token wherever a call has one",
        arguments: [("", 1), ("auth: required\n", 2), ("auth: none\n", 0)])
    func explainedToken(group: String, count: Int) throws {
        var files = RichSpec.files
        files["more.yaml"] = group + "methods: { get: { get: more } }\n"
        let explanation = try #require(SpecAnalyzer.explain("more.get", in: Analysis(files).spec))
        let lines = explanation.values.map { "\($0.name): \($0.value) (\($0.origin))" }
        #expect(lines.contains("auth: token in header X-Token (api)") == (count > 0))
        #expect(lines.contains("expired: 401, error 5 (api)") == (count > 0))
        #expect(lines.contains("refresh: app (api)") == (count > 0))
        #expect(lines.contains("auth: required (group)") == (count == 2))
        #expect(lines.contains("auth: none (group)") == (count == 0))
    }

    @Test("an explanation shows the limits of a reply and the error format")
    func explainedReply() throws {
        let explanation = try #require(SpecAnalyzer.explain("users.get", in: rich.spec))
        let lines = explanation.values.map { "\($0.name): \($0.value) (\($0.origin))" }
        let expected = [
            "response: 1MiB (api)", "depth: 32 (api)", "errors at: error (api)",
            "error code: error_code (api)", "error message: error_msg (api)",
            "error cases: invalidAccessToken, too_many, captcha (api)",
        ]
        #expect(expected.filter { !lines.contains($0) } == [])
    }

    @Test(
        "an explanation shows the key path of the wait",
        arguments: [("error.wait", "s"), ("{ at: error.wait, unit: ms }", "ms")])
    func explainedRetryAfter(text: String, unit: String) throws {
        let analysis = Analysis(
            users: "methods: { get: { get: a } }\n",
            api: "errors: { code: code, retry-after: \(text) }\n")
        let explanation = try #require(SpecAnalyzer.explain("users.get", in: analysis.spec))
        let lines = explanation.values.map { "\($0.name): \($0.value) (\($0.origin))" }
        #expect(lines.contains("error retry-after: error.wait, in \(unit) (api)"))
    }

    @Test(
        "an explanation shows an envelope where there is one",
        arguments: [("get: a, returns: int", true), ("get: a, kind: download", false)])
    func explainedEnvelope(method: String, hasEnvelope: Bool) throws {
        let analysis = Analysis(
            users: "methods: { get: { \(method) } }\n", api: "unwrap: response\n")
        let explanation = try #require(SpecAnalyzer.explain("users.get", in: analysis.spec))
        #expect(explanation.values.contains { $0.name == "unwrap" } == hasEnvelope)
    }
}
