import Testing

@Suite("One error gives one diagnostic, at the smallest wrong span")
struct ErrorReportingTests {
    @Test("several errors are all reported, each once, in order")
    func several() {
        let analysis = Analysis([
            "api.yaml": """
            telex: 1
            api: VK
            servers: { production: api.vk.com }
            timeout: soon
            """,
            "users.yaml": """
            methods:
              get: { get: "users/{id", query: { a: Usr, b: { type: int, min: x, maxx: 3 } } }
              set: { returns: User }
            models:
              User: { id: Usr, sex: { enum: [a, a] }, id_2: { type: int, default: yes } }
              Idle: { x: int }
            """,
        ])
        #expect(
            analysis.marks == [
                "T0601: api.vk.com", "T0108: soon", "T0502: {", "T0201: Usr", "T0402: x",
                "T0101: maxx", "T0501: set", "T0201: Usr", "T0305: a", "T0304: yes",
            ])
    }

    @Test("a file that cannot be read causes no unknown types elsewhere")
    func unreadable() {
        let analysis = Analysis([
            "api.yaml": Analysis.smallAPI, "a.yaml": "models:\n  User: \"\n",
            "b.yaml": "methods: { get: { get: a, returns: User, server: nowhere } }\n",
        ])
        #expect(analysis.codes == ["T0018", "T0204"])
    }

    @Test("an unreadable `api.yaml` is not a missing one")
    func unreadableAPI() {
        let analysis = Analysis(["api.yaml": "telex: '", "b.yaml": "models: { A: int }\n"])
        #expect(analysis.codes == ["T0018"])
    }

    @Test("a folder without `api.yaml` is reported once; one without files has no span")
    func missing() {
        #expect(
            Analysis(["a.yaml": "x: 1\n", "b.yaml": "y: 1\n"]).marks == [
                "T0206: ", "T0101: x", "T0101: y",
            ])
        #expect(Analysis([:]).codes.isEmpty)
        #expect(Analysis(["API.yaml": "x: 1\n"]).bag.all.first?.help?.contains("API.yaml") == true)
    }

    @Test(
        "a scheme without a token placement is one error, with the usual placement as help",
        arguments: [("true", "T0102: true"), ("bearer", "T0102: bearer"), ("{}", "T0103: account")])
    func scheme(text: String, expected: String) {
        let analysis = Analysis([
            "api.yaml":
                "telex: 1\napi: A\nservers: { main: https://a.b }\nauth: { account: \(text) }\n"
        ])
        #expect(analysis.marks == [expected])
        #expect(analysis.bag.all.first?.help?.contains("`token: bearer`") == true)
    }

    @Test("all missing keys of `api.yaml` are in one message")
    func lacking() throws {
        let analysis = Analysis(["api.yaml": "doc: x\n"])
        let message = try #require(analysis.bag.all.first?.message)
        #expect(analysis.codes == ["T0103"])
        #expect(message == "`api.yaml` has no `telex` and no `api` and no `servers`")
        #expect(Analysis(["api.yaml": "[]\n"]).codes == ["T0102"])
        #expect(Analysis(["api.yaml": "telex: 1\napi: A\nservers: {}\n"]).marks == ["T0103: {}"])
    }

    @Test("an invalid declaration causes no errors where it is used")
    func declarations() {
        let analysis = Analysis(
            users: """
                methods:
                  get: { get: a, returns: User }
                  all: { get: b, returns: ["***"] }
                models:
                  User: { id: Usr, other: Usr2, ids: { type: [Usr3], unique-by: id } }
                  "***": { x: int }
                """)
        #expect(
            analysis.marks == [
                "T0112: *", "T0201: Usr", "T0201: Usr2", "T0201: Usr3", "T0703: \"***\"",
            ])
    }

    @Test("misspelt words are reported with the intended word")
    func nearWords() {
        let analysis = Analysis(
            users: """
                methods:
                  get: { get: a, query: { a: strng, b: { type: string, max-lenght: 3 } }, sever: x }
                """)
        #expect(
            analysis.bag.all.map(\.help) == [
                "did you mean `string`?", "did you mean `max-length`?", "did you mean `server`?",
            ])
    }

    @Test("the help for a field called `type` mentions `fields`")
    func fieldCalledType() throws {
        let analysis = Analysis(
            users: "methods: { get: { get: a, returns: { type: string, owner_id: int } } }\n")
        #expect(analysis.marks == ["T0101: owner_id"])
        #expect(analysis.bag.all.first?.help?.contains("fields:") == true)
    }

    @Test(
        "the help for a list type with a suffix mentions quotes",
        arguments: [
            "models:\n  A: { b: [User]? }\n", "methods:\n  get:\n    returns: [User]?\n",
            "methods:\n  get:\n    returns: {string: int} | null\n",
        ])
    func brackets(users: String) throws {
        let help = try #require(Analysis(users: users).bag.all.first?.help)
        #expect(help.contains("\"[User]?\""))
    }

    @Test("attributes that do not apply are never ignored silently")
    func attributes() {
        let analysis = Analysis(
            users: """
                methods:
                  get:
                    get: a
                    query: { a: { type: int, in: query, conforms: [Hashable] } }
                    returns: { type: string, default: x, sensitive: true, doc: y }
                models:
                  User: { fields: { id: int }, min: 3, nullable: true, key: x }
                  Tags: { type: ["string"], items: { default: x, max-length: 3 } }
                """)
        #expect(
            analysis.marks == [
                "T0311: query", "T0311: conforms", "T0311: default", "T0311: sensitive",
                "T0311: doc", "T0401: min", "T0310: nullable", "T0311: key", "T0101: default",
            ])
    }

    @Test("mistakes in constants, defaults and null are reported at the smallest wrong span")
    func values() {
        let analysis = Analysis(
            users: """
                methods:
                  get:
                    get: a
                    query:
                      a: { const: 1, default: 2 }
                      b: { type: int?, const: 1 }
                      c: { type: string, default: null }
                      d: { type: "string | null", default: x }
                      e: { type: int, const: 5, max: 3 }
                      f: { type: int32, default: 3000000000 }
                      g: { type: uint, default: -1 }
                models: { User: { x: { type: int, default: $token.id } } }
                """,
            api: "parameters: { empty: }\n")
        #expect(
            analysis.marks == [
                "T0102: ", "T0105: default", "T0309: ?", "T0304: null", "T0303: | null",
                "T0405: 5", "T0304: 3000000000", "T0304: -1", "T0506: $token.id",
            ])
    }

    @Test("a whole body is not a value of the credential")
    func credentialBody() {
        let analysis = Analysis(
            users: "methods: { get: { post: a, body: { type: string, default: $token.id } } }\n",
            api: "auth: { a: { token: bearer } }\n")
        #expect(analysis.marks == ["T0506: $token.id"])
    }

    @Test("mistakes in paths and their placeholders are reported at the smallest wrong span")
    func paths() {
        let paths = ["a/{b", "a}b", "{a}{a}", "a/{b c}", "a?b=c", "{}", "a\\tb"]
        let lines = paths.enumerated().map { "  m\($0.offset): { get: \"\($0.element)\" }\n" }
        let analysis = Analysis(users: "methods:\n" + lines.joined())
        #expect(
            analysis.marks == [
                "T0502: {", "T0502: }", "T0502: {a}", "T0502: {b c}", "T0502: ?", "T0502: {}",
                "T0502: \"a\\tb\"",
            ])
    }

    @Test(
        "a path stays below the server's",
        arguments: [
            ("/a/{id}", "/"), ("/", "/"), ("//a/{id}", "/"), ("../{id}", ".."), ("a/./{id}", "."),
            ("{id}/a/..", ".."), ("a//../{id}", ".."), ("a/%2E%2e/{id}", "%2E%2e"),
            ("a/.%2e/b", ".%2e"), ("a/...", nil), ("a/..b/{id}.", nil), ("a.b/.c", nil), ("", nil),
        ] as [(String, String?)])
    func places(path: String, mark: String?) {
        let declared = path.contains("{id}") ? ", path: { id: int }" : ""
        let analysis = Analysis(
            users: "methods: { get: { get: \"\(path)\"\(declared) } }\n")
        #expect(analysis.marks == [mark.map { "T0502: \($0)" }].compactMap(\.self))
    }

    @Test("an error's model has fields")
    func errorModels() {
        let analysis = Analysis(
            users: "models: { A: int, B: { enum: [x] } }\nmethods: { get: { get: a } }\n",
            api:
                "errors: { code: c, cases: { a: { code: 1, model: A }, b: { model: B }, c: { code: 3, model: C } } }\n"
        )
        #expect(analysis.marks == ["T0303: A", "T0103: b", "T0201: C"])
    }
}
