import SpecSemantics
import Testing

@Suite("An explanation shows what is sent, and nothing else")
struct ExplanationTests {
    private func lines(_ method: String, group: String = "", api: String) throws -> [String] {
        let users = group + "methods: { get: { \(method) } }\nmodels: { Address: url }\n"
        let analysis = Analysis(users: users, api: api)
        let explanation = try #require(SpecAnalyzer.explain("users.get", in: analysis.spec))
        return explanation.values
            .filter { $0.name.hasPrefix("query") || $0.name.hasPrefix("header") }
            .map { "\($0.name): \($0.value) (\($0.origin))" }
    }

    @Test(
        "an explanation shows the nearest value of each name",
        arguments: [
            ("query: { v: { const: 2 } }", "", "query v: always 2 (method)"),
            ("query: { version: { type: int, key: v } }", "", "query version: int (method)"),
            ("", "parameters: { v: 4 }\n", "query v: always 4 (group)"),
            (
                "query: { v: { type: int, default: 2 } }", "parameters: { v: 4 }\n",
                "query v: int, default 2 (method)"
            ),
        ])
    func nearest(method: String, group: String, line: String) throws {
        let method = method.isEmpty ? "get: a" : "get: a, \(method)"
        #expect(try lines(method, group: group, api: "parameters: { v: 3 }\n") == [line])
    }

    @Test("an explanation shows sensitive and deprecated parameters")
    func marks() throws {
        let old = "deprecated: { since: 5.1, use: users.find }"
        let users = """
            methods:
              get:
                get: a
                \(old)
                query:
                  pin: { type: string, sensitive: true }
                  pass: Password
                  id: { type: int, deprecated: true }
            models: { Password: { type: string, sensitive: true } }

            """
        let explanation = try #require(
            SpecAnalyzer.explain("get", in: Analysis(users: users).spec))
        let lines = explanation.values.map { "\($0.name): \($0.value)" }
        #expect(lines.contains("deprecated: since 5.1, use users.find"))
        #expect(
            lines.filter { $0.hasPrefix("query") } == [
                "query pin: string, sensitive", "query pass: Password, sensitive",
                "query id: int, deprecated (true)",
            ])
    }

    @Test("headers are compared ignoring case, and differ from query items")
    func headers() throws {
        let api = "headers: { Accept: a/b }\nparameters: { accept: x }\n"
        #expect(
            try lines("get: a, headers: { accept: string }", api: api) == [
                "query accept: always x (api)", "header accept: string (method)",
            ])
    }

    @Test(
        "an optional override keeps the base parameter, but not that of the group",
        arguments: ["string?", "{ type: string, default: $token.v }"])
    func optional(type: String) throws {
        let api = "parameters: { v: 3 }\nauth: { a: { token: bearer } }\n"
        let own = try lines(
            "get: a, query: { v: \(type) }", group: "parameters: { v: 4 }\n", api: api)
        #expect(own.count == 2 && own.first == "query v: always 3 (api)")
        #expect(own.last?.hasSuffix("(method)") == true)
    }

    @Test(
        "a whole URL gets only the API's headers, with a declared type or without",
        arguments: ["", ", path: { url: url }", ", path: { url: Address }"])
    func wholeAddress(path: String) throws {
        let api = "parameters: { v: 3 }\nheaders: { Accept: a/b }\n"
        let own = try lines(
            "post: \"{url}\"\(path), query: { a: int }", group: "headers: { X-G: g }\n", api: api)
        #expect(
            own == [
                "header Accept: always a/b, at the origin of the method's server (api)",
                "header X-G: always g (group)", "query a: int (method)",
            ])
    }

    @Test("a header of all methods is left out where the token overrides it")
    func tokenPlace() throws {
        let api = "headers: { authorization: Key a }\nauth: { a: { token: bearer } }\n"
        let group = "headers: { Authorization: Key b }\n"
        #expect(try lines("get: a", group: group, api: api).isEmpty)
        let tokenless = try lines("get: a, auth: none", api: api)
        #expect(tokenless == ["header authorization: always Key a, sensitive (api)"])
    }

    @Test("a whole URL determines its server")
    func server() throws {
        let users = "methods: { get: { get: \"{url}\", server: files } }\n"
        let api = """
            telex: 1
            api: A
            servers: { main: https://a.test/, files: https://b.test/ }

            """
        let analysis = Analysis(["api.yaml": api, "users.yaml": users])
        let explanation = try #require(SpecAnalyzer.explain("get", in: analysis.spec))
        let servers = explanation.values.filter { $0.name == "server" }.map(\.value)
        #expect(servers == ["from the URL"])
    }

    @Test("an explanation shows what the method says of its replies")
    func replies() throws {
        let users = """
            methods:
              get:
                get: a
                accepts: [application/json]
                returns: { 200: { token: string, all: [int] }, 204: nothing }
                reply-headers: { etag: string?, next: { link: next } }
                login: { token: token }
              find: { get: b, returns: [int], extract: { first: "[0]" } }

            """
        let spec = Analysis(users: users, api: "auth: { a: { token: bearer } }\n").spec
        let names = ["success", "accepts", "returns", "login"]
        let shown = try ["users.get", "users.find"].flatMap { method in
            try #require(SpecAnalyzer.explain(method, in: spec)).values
                .filter { item in
                    names.contains(item.name) || item.name.hasPrefix("reply header")
                        || item.name.hasPrefix("extract")
                }
                .map { "\($0.name): \($0.value)" }
        }
        #expect(
            shown == [
                "success: 200, 204", "accepts: application/json",
                "returns: 200: {token, all}", "returns: 204: nothing",
                "reply header etag: string?", "reply header next: url?", "login: token at token",
                "returns: [int]", "extract first: [0]",
            ])
    }

    @Test("a path with one segment is not a whole URL")
    func piece() throws {
        let own = try lines("get: \"{id}\", path: { id: int }", api: "parameters: { v: 3 }\n")
        #expect(own == ["query v: always 3 (api)"])
    }
}
