import SpecDiagnostics
import Testing

@Suite("A method of a background session")
struct BackgroundSessionTests {
    @Test(
        "only transfers run in a background session, and leak no secret",
        arguments: [
            ("get: a", "T0513: s"), ("post: a, form: { b: int }", "T0513: s"),
            ("get: a, stream: sse, returns: int", "T0513: s"),
            ("get: a, kind: download", nil), ("post: a, kind: upload, body: file", nil),
            ("get: a, kind: download, headers: { X-Key: string }", nil),
            (
                "get: a, kind: download, headers: { X-Key: { type: string, sensitive: true } }",
                "T0513: s"
            ),
            ("get: a, kind: download, query: { k: { type: string, sensitive: true } }", nil),
            (
                """
                post: a, kind: upload, multipart: { f: file, k: { type: string, sensitive: true } }
                """, "T0513: s"
            ),
        ])
    func background(method: String, mark: String?) {
        let users = "methods: { get: { \(method), session: s } }\n"
        let analysis = Analysis(users: users, api: "sessions: { s: background }\n")
        #expect(analysis.marks == [mark].compactMap(\.self))
        let other = Analysis(users: users, api: "sessions: { s: ephemeral }\n")
        #expect(other.codes.isEmpty)
    }

    @Test(
        "a redirect in the background does not leak the token",
        arguments: [
            ("bearer", []), ("{ in: query, name: t }", []),
            ("{ in: header, name: authorization, prefix: 'Key ' }", []),
            ("{ in: header, name: X-Token }", ["T0513: get", "T0513: s"]),
            ("{ in: cookie, name: t }", ["T0513: get", "T0513: s"]),
            ("{ in: body, name: t }", ["T0513: get", "T0605: get", "T0605: body", "T0513: s"]),
        ] as [(String, [String])])
    func backgroundToken(token: String, marks: [String]) {
        let users = """
            session: s
            methods:
              get: { get: a, kind: download }
              other: { post: b, kind: upload, body: file, session: s }
              open: { get: c, kind: download, auth: none }
            """
        let api = "auth: { a: { token: \(token) } }\nsessions: { s: background }\n"
        #expect(Analysis(users: users, api: api).marks == marks)
    }

    /// Analyses an upload with this body and these models.
    private func analysis(
        _ body: String, models: String = "", path: String = "a", api: String = ""
    ) -> Analysis {
        let users = """
            methods: { add: { post: "\(path)", kind: upload, \(body), session: s } }
            models:
              None: { a: int? }
            \(models)
            """
        return Analysis(users: users, api: "sessions: { s: background }\n\(api)\n")
    }

    private static let models = """
          Login: { name: string, pin: { type: string, sensitive: true } }
          Named: { name: string, Client_Secret: string }
          Holder: { logins: { type: "[Login]?" } }
          Map: { all: "{string: Holder}?" }
          Ring: { next: Chain?, a: int }
          Chain: { next: Ring?, none: None? }
          Round: { next: Round?, login: Login? }
        """

    @Test(
        "a method of a background session does not leak a nested secret of a model",
        arguments: [
            ("body: Login", "pin"), ("body: Named", "Client_Secret"), ("body: Holder", "pin"),
            ("body: '[Map]'", "pin"), ("json: { a: 'Login?' }", "pin"),
            ("form: { a: { type: Login, style: json } }", "pin"),
            ("json: { a: '{string: [Map]}' }", "pin"),
            ("body: Round", "pin"), ("body: Ring", nil), ("json: { a: Chain, b: 'None?' }", nil),
            ("json: { a: { b: { c: { type: string, sensitive: true } } } }", "c"),
        ] as [(String, String?)])
    func models(body: String, secret: String?) {
        let analysis = analysis(body, models: Self.models)
        let found = analysis.bag.all.filter { $0.severity == .error }
        let text = secret.map { "a redirect would leak `\($0)` in a background session" }
        #expect(found.map(\.message) == [text].compactMap(\.self), "\(analysis)")
        #expect(found.first.map { $0.notes.count == 2 } ?? true)
    }

    @Test(
        "a background method leaks no suspicious names and values of the credential",
        arguments: [
            ("json: { password: string }", "password"), ("form: { Client_Secret: string }", nil),
            ("multipart: { f: file, token: string }", "token"), ("json: { passwords: int }", nil),
            ("json: { new_password: string }", "new_password"),
            ("form: { max_tokens: int, page_token: string }", nil),
            ("headers: { X-Auth-Token: string }, body: file", "X-Auth-Token"),
            ("headers: { Authorization: string }, body: file", nil),
            ("query: { password: string }, body: file", nil),
            ("form: { owner: { type: int, default: $token.user_id } }", "owner"),
            ("headers: { X-O: { type: int, default: $token.o } }, body: file", "X-O"),
            ("query: { owner: { type: int, default: $token.user_id } }, body: file", nil),
        ] as [(String, String?)])
    func names(body: String, secret: String?) {
        let analysis = analysis(body, api: "auth: { a: { token: { in: query, name: t } } }")
        let name = body.contains("Client_Secret") ? "Client_Secret" : secret
        let text = name.map { "a redirect would leak `\($0)` in a background session" }
        let found = analysis.bag.all.filter { $0.severity == .error }
        #expect(found.map(\.message) == [text].compactMap(\.self), "\(analysis)")
    }

    @Test(
        "a method of a background session does not leak base parameters",
        arguments: [
            ("headers: { X-Api-Key: abc }", "body: file", "a", "X-Api-Key"),
            ("headers: { X-Api-Key: string }", "body: file", "a", "X-Api-Key"),
            (
                "parameters: { k: { type: string, in: header, sensitive: true } }", "body: file",
                "a", "k"
            ),
            ("parameters: { client_secret: abc }", "body: file", "a", nil),
            ("headers: { X-Build: abc }", "body: file", "a", nil),
            ("headers: { X-Api-Key: abc }", "body: file", "{upload_url}", nil),
        ] as [(String, String, String, String?)])
    func base(api: String, body: String, path: String, secret: String?) throws {
        let analysis = analysis(body, path: path, api: api)
        let text = secret.map { "a redirect would leak `\($0)` in a background session" }
        let found = analysis.bag.all.filter { $0.severity == .error }
        #expect(found.map(\.message) == [text].compactMap(\.self), "\(analysis)")
        guard secret != nil else { return }
        #expect(found.first?.notes.map(\.text).last == "it is sent with every request")
    }
}
