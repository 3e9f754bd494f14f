import SpecIR
import Testing

@Suite("Attributes of a type either apply or are reported")
struct AttributeTests {
    private func user(_ field: String, _ models: String = "") -> Analysis {
        Analysis(
            users: """
                methods:
                  get: { get: users.get, returns: User }
                models:
                  User: { field: \(field) }
                \(models.split(separator: "\n").map { "  \($0)\n" }.joined())
                """)
    }

    @Test(
        "a type with a sensitive alias is sensitive",
        arguments: ["Secret", "Secret?", "[Secret]", "\"{string: [Secret]}\"", "Token"])
    func sensitive(type: String) throws {
        let analysis = user(
            type, "Token: Secret\nSecret: { type: string, sensitive: true, min-length: 8 }")
        #expect(try #require(analysis.field("User", "field")).isSensitive)
    }

    @Test(
        "a use of a sensitive alias stays sensitive, and `sensitive: false` is reported",
        arguments: [
            "{ type: Secret, sensitive: false }", "{ type: \"[Secret]\", sensitive: false }",
        ])
    func overruled(type: String) throws {
        let analysis = user(type, "Secret: { type: string, sensitive: true }")
        #expect(analysis.marks == ["T0117: sensitive"])
        #expect(try #require(analysis.field("User", "field")).isSensitive)
    }

    @Test("an alias named like a secret is sensitive, unless it sets `sensitive: false`")
    func overruledAlias() {
        let secret = "Secret: { type: string, sensitive: true }"
        let analysis = user("Token", "Token: { type: Secret, sensitive: false }\n\(secret)")
        #expect(analysis.marks == ["T0117: sensitive"])
        #expect(user("{ type: string, sensitive: false }", "").marks.isEmpty)
    }

    @Test("a parameter of a sensitive alias is sensitive, others are not")
    func parameters() throws {
        let analysis = Analysis(
            users: """
                methods:
                  get: { get: users.get, query: { password: Secret, name: string } }
                models:
                  Secret: { type: string, sensitive: true }
                """)
        let parameters = try #require(analysis.method("users.get")).parameters
        #expect(parameters.map(\.isSensitive) == [true, false])
    }

    @Test(
        "a suspicious name is sensitive, unless the type or `sensitive: false` excludes it")
    func names() throws {
        let analysis = Analysis(
            users: """
                methods:
                  get:
                    post: users.get
                    headers: { X-Auth-Token: string, X-Trace: string }
                    json:
                      password: Text?
                      new: { key: new_password, type: "[string]" }
                      api_key: { type: string, sensitive: false }
                      secret: bool
                      csrf_token: Kind
                      access_token: Pair
                      next_token: string
                models:
                  Text: { type: string, min-length: 8 }
                  Kind: { enum: [one, two] }
                  Pair: { id: int, refresh_token: string, user_token: Date }
                """)
        let parameters = try #require(analysis.method("users.get")).parameters
        #expect(
            parameters.filter(\.isSensitive).map(\.key) == [
                "X-Auth-Token", "password", "new_password",
            ])
        #expect(try #require(analysis.field("Pair", "refreshToken")).isSensitive)
        #expect(try !#require(analysis.field("Pair", "userToken")).isSensitive)
    }

    @Test("a parameter with a token as its default is sensitive, other values are not")
    func tokens() throws {
        let analysis = Analysis(
            users: """
                methods:
                  get:
                    get: users.get
                    query:
                      a: { type: string, default: $token.access_token }
                      b: { type: string, default: $token.refresh_token }
                      c: { type: string, default: $token.user_id }
                """, api: "auth: { a: { token: bearer } }\n")
        let parameters = try #require(analysis.method("users.get")).parameters
        #expect(parameters.map(\.isSensitive) == [true, true, false])
    }

    @Test("an alias carries rules and an encoding, nothing else")
    func alias() {
        let analysis = user(
            "A", "A: { type: [int], default: [], key: k, const: [], join: \",\", style: json }")
        let keys = ["default", "key", "const", "join", "style"]
        #expect(analysis.marks == keys.map { "T0311: \($0)" })
    }

    @Test("a reply has no default, no key and no rules of another type")
    func reply() {
        let analysis = Analysis(
            users: """
                methods:
                  get: { get: a, returns: { type: int, default: 3, key: k, min-length: 2 } }
                """)
        #expect(analysis.marks == ["T0311: default", "T0311: key", "T0401: min-length"])
    }

    @Test(
        "a list in a header is one field or several, and its name has no brackets",
        arguments: [
            ("", .joined(", ")), ("style: repeat", .repeated), ("join: \";\"", .joined(";")),
            ("style: json", .json), ("style: brackets", nil), ("style: indexed", nil),
        ] as [(String, ListStyle?)])
    func headerLists(attribute: String, style: ListStyle?) {
        let users = "methods: { get: { get: a, headers: { X: { type: [int], \(attribute) } } } }\n"
        let analysis = Analysis(users: users)
        #expect(analysis.method("users.get")?.parameters.first?.listStyle == style)
        #expect(analysis.codes == (style == nil ? ["T0311"] : []))
        if style == nil { #expect(analysis.rendered.contains("write `style: repeat`")) }
    }

    @Test("a list in a base header has no brackets")
    func everyHeaderList() {
        let analysis = Analysis(
            users: "methods: { get: { get: a } }\n",
            api: "headers: { X: { type: [int], style: indexed } }\n")
        #expect(analysis.marks == ["T0311: indexed"])
    }

    @Test("a whole body has no key")
    func body() {
        let analysis = Analysis(
            users: "methods: { get: { post: a, body: { type: [int], key: k, default: [] } } }")
        #expect(analysis.marks == ["T0311: key"])
    }

    @Test("elements have no attributes of a field")
    func elements() {
        let analysis = user("[{ type: string, sensitive: true, default: a, join: \",\" }]")
        #expect(analysis.marks == ["T0311: sensitive", "T0311: default", "T0311: join"])
    }

    @Test("declared enumerations and objects have no rules and no default")
    func declarations() {
        let analysis = user(
            "E", "E: { enum: [a], min: 3, default: a }\nO: { fields: { e: E }, key: k }")
        #expect(analysis.marks == ["T0401: min", "T0311: default", "T0311: key"])
    }

    @Test("the default server is the first one; only groups and methods name another")
    func server() {
        let analysis = Analysis(
            users: "methods: { get: { get: a, server: production } }",
            api: "server: production\ndeprecated: true")
        #expect(analysis.marks == ["T0101: server", "T0101: deprecated"])
    }

    @Test("a group cannot be deprecated")
    func group() {
        let analysis = Analysis(
            users: "deprecated: true\nserver: production\nmethods: { get: { get: a } }")
        #expect(analysis.marks == ["T0101: deprecated"])
    }
}
