import SpecIR
import SpecSemantics
import Testing

@Suite("Several schemes of an API")
struct SchemeTests {
    private static let schemes = """
        auth:
          oauth2: { token: bearer, expired: 401, refresh: app }
          key: { token: { in: header, name: X-Api-Key } }
          partner: { token: { in: query, name: partner }, secret: PARTNER }
          csrf:
            token: { in: header, name: X-Csrf }
            expired: 403
            refresh: { method: users.csrf, token: data.token }
          shake:
            token: { in: header, name: X-Session-Id }
            refresh: { on: 409, take: { header: X-Session-Id } }

        """

    private func analysis(auth: String) -> Analysis {
        Analysis(
            users: """
                methods:
                  csrf: { get: csrf, returns: json }
                  get: { get: users.get, auth: \(auth) }
                """, api: Self.schemes)
    }

    @Test("several schemes of an API are lowered with their names; the first one is the default")
    func lowered() throws {
        let analysis = analysis(auth: "required")
        #expect(analysis.marks == [])
        let api = try #require(analysis.api)
        #expect(api.auth?.name == "oauth2" && api.auth?.placement == .bearer)
        #expect(api.schemes.map(\.name) == ["key", "partner", "csrf", "shake"])
        #expect(api.schemes.map(\.secret) == [nil, "PARTNER", nil, nil])
        #expect(
            api.schemes[2].refresh == .method("users.csrf", token: ["data", "token"], header: nil))
        #expect(api.schemes[3].refresh == .handedOut(status: 409, header: "X-Session-Id"))
        #expect(api.tokenMethods.map(\.apiName) == ["users.csrf"])
    }

    @Test(
        "several schemes of an API are chosen by a method",
        arguments: [
            ("none", .none), ("required", .required), ("optional", .optional),
            ("key", .anyOf(["key"])), ("[oauth2, key]", .anyOf(["oauth2", "key"])),
            ("{ all: [oauth2, csrf] }", .allOf(["oauth2", "csrf"])),
            ("{ all: key, expired: none }", .allOf(["key"])), ("{ expired: 403 }", .required),
        ] as [(String, AuthUse)])
    func chosen(auth: String, use: AuthUse) {
        let analysis = analysis(auth: auth)
        #expect(analysis.marks == [])
        #expect(analysis.method("users.get")?.auth == use)
    }

    @Test(
        "several schemes of an API that do not exist or collide are errors",
        arguments: [
            ("kye", "T0603: kye", "did you mean `key`?"),
            ("[oauth2, optionl]", "T0603: optionl", "did you mean `optional`?"),
            ("{ all: [] }", "T0103: { all: [] }", "name the schemes"),
            ("{ all: [key, key] }", "T0605: key", "give one of them another place"),
            ("true", "T0107: true", "none"),
        ])
    func mistakes(auth: String, mark: String, help: String) {
        let analysis = analysis(auth: auth)
        #expect(analysis.marks == [mark])
        #expect("\(analysis)".contains(help), "\(analysis)")
    }

    private func marks(_ schemes: String, users: String = "methods: { get: { get: a } }\n")
        -> [String]
    {
        Analysis(users: users, api: "auth:\n  first: { token: bearer }\n  \(schemes)\n").marks
    }

    @Test(
        "several schemes of an API are checked one by one",
        arguments: [
            ("none: { token: bearer }", "T0107: none"),
            ("b: { token: { in: header, name: Host } }", "T0605: Host"),
            ("b: { token: basic, expired: 401, refresh: app }", "T0107: app"),
            ("b: { token: { in: query, name: b }, secret: B, expired: 401 }", "T0105: b"),
            (
                "b: { token: { in: query, name: b }, expired: 403, refresh: { on: 409, take: { header: H } } }",
                "T0105: 403"
            ),
            ("b: { token: { in: query, name: b }, refresh: { on: 409 } }", "T0103: { on: 409 }"),
            (
                "b: { token: { in: query, name: b }, refresh: { on: 409, take: { header: Host } } }",
                "T0605: Host"
            ),
            (
                "b: { token: { in: query, name: b }, refresh: { on: 409, take: {} } }",
                "T0103: {}"
            ),
            (
                "b: { token: { in: query, name: b }, expired: 403, refresh: { method: users.gte, token: t } }",
                "T0809: users.gte"
            ),
            (
                "b: { token: { in: query, name: b }, expired: 403, refresh: { method: users.get } }",
                "T0103: users.get"
            ),
            (
                "b: { token: { in: query, name: b }, expired: 403, refresh: { method: users.get, token: none } }",
                "T0111: none"
            ),
        ])
    func schemeMistakes(scheme: String, mark: String) {
        #expect(marks(scheme) == [mark])
    }

    @Test(
        "several schemes of an API need a method without parameters for their token",
        arguments: [
            ("get: a, query: { id: int }", ["T0605: users.csrf"]),
            ("post: a, json: { id: int }", ["T0605: users.csrf"]),
            ("get: a, auth: csrf", ["T0605: users.csrf"]),
            ("get: a, kind: download", ["T0605: users.csrf"]),
            ("get: a, query: { id: int? }", []), ("post: a, auth: none", []),
        ])
    func tokenMethods(method: String, expected: [String]) {
        let scheme =
            "csrf: { token: { in: header, name: X-C }, expired: 403, "
            + "refresh: { method: users.csrf, token: t } }"
        #expect(marks(scheme, users: "methods: { csrf: { \(method) } }\n") == expected)
    }

    @Test("several schemes of an API may have a token in the path, which is no parameter then")
    func path() {
        let api = "auth: { bot: { token: { in: path, name: bot } } }\n"
        let fine = Analysis(
            users: "methods: { get: { get: 'bot{bot}/a/{id}' } }\n", api: api)
        #expect(fine.marks == [])
        #expect(fine.api?.auth?.placement == .path("bot"))
        #expect(fine.method("users.get")?.parameters.map(\.key) == ["id"])
        let missing = Analysis(users: "methods: { get: { get: a } }\n", api: api)
        #expect(missing.marks == ["T0605: a"])
        let open = Analysis(users: "methods: { get: { get: a, auth: none } }\n", api: api)
        #expect(open.marks == [])
        let taken = Analysis(
            users: "methods: { get: { get: '{bot}/a', path: { bot: string } } }\n", api: api)
        #expect(taken.marks == ["T0507: bot"])
    }

    @Test("secrets of the app are defaults of parameters, and sensitive")
    func secrets() {
        let analysis = Analysis(
            users:
                "methods: { get: { get: a, query: { k: { type: string, default: $secret.K } } } }\n"
        )
        #expect(analysis.marks == [])
        let parameter = analysis.method("users.get")?.parameters.first
        #expect(parameter?.presence == .credential("$secret.K"))
        #expect(parameter?.isSensitive == true)
    }

    @Test(
        "secrets of the app belong nowhere else",
        arguments: [
            ("get: a, query: { k: { type: bool, default: $secret.K } }", "T0506: $secret.K"),
            ("get: a, query: { k: { type: string, default: $secret. } }", "T0506: $secret."),
            ("get: a, query: { k: { type: string, const: $secret.K } }", "T0506: $secret.K"),
            ("get: 'a/$secret.K'", "T0502: $secret.K"),
        ])
    func secretMistakes(method: String, mark: String) {
        #expect(Analysis(users: "methods: { get: { \(method) } }\n").marks == [mark])
    }

    @Test("cookies are kept if the API says so")
    func cookies() {
        let users = "methods: { get: { get: a } }\n"
        #expect(Analysis(users: users, api: "cookies: true\n").api?.keepsCookies == true)
        #expect(Analysis(users: users).api?.keepsCookies == false)
        #expect(Analysis(users: users, api: "cookies: yes\n").marks == ["T0102: yes"])
    }

    @Test("several schemes of an API are explained with their places")
    func explained() throws {
        let analysis = analysis(auth: "{ all: [oauth2, csrf] }")
        let explanation = try #require(SpecAnalyzer.explain("users.get", in: analysis.spec))
        let lines = explanation.values.filter { $0.name == "auth" || $0.name == "refresh" }
        #expect(
            lines.map(\.value) == [
                "{ all: [oauth2, csrf] }", "token in bearer", "app", "token in header X-Csrf",
                "method users.csrf",
            ])
    }
}

@Suite("The grant of a scheme")
struct GrantTests {
    private static let refresh =
        "refresh: { post: https://a.example/token, form: { client_id: app } }"

    private func analysis(_ keys: String) -> Analysis {
        Analysis(
            users: "methods: { get: { get: a } }\n",
            api: "auth: { o: { token: bearer, expired: 401, \(keys) } }\n")
    }

    @Test("the grant of a scheme is lowered with the token server and the client of `refresh`")
    func lowered() {
        let analysis = analysis(
            "grant: device, authorize: https://a.example/device, scopes: [read, write], "
                + Self.refresh)
        #expect(analysis.marks == [])
        #expect(
            analysis.api?.auth?.grant
                == OAuthGrant(
                    kind: .device, client: "app", authorize: "https://a.example/device",
                    token: "https://a.example/token", scopes: ["read", "write"]))
    }

    @Test(
        "the grant of a scheme lacks nothing and has nothing too much",
        arguments: [
            ("grant: implicit", "T0107: implicit"), ("grant: device", "T0103: device"),
            ("scopes: [read]", "T0103: [read]"),
            (
                "grant: client-credentials, authorize: https://a.example/",
                "T0105: https://a.example/"
            ),
            ("grant: device, authorize: http://a.example/", "T0608: http://a.example/"),
            ("grant: client-credentials, scopes: \"read write\"", "T0107: \"read write\""),
        ])
    func mistakes(keys: String, mark: String) {
        #expect(analysis("\(keys), \(Self.refresh)").marks == [mark])
    }

    @Test(
        "the grant of a scheme needs a token server and a client",
        arguments: [
            ("refresh: app", "T0105: client-credentials"),
            ("refresh: { post: token, form: { client_id: a } }", "T0608: token"),
            (
                "refresh: { post: https://a.example/token }",
                "T0103: { post: https://a.example/token }"
            ),
        ])
    func server(refresh: String, mark: String) {
        #expect(analysis("grant: client-credentials, \(refresh)").marks == [mark])
    }
}
