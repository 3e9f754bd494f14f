import SpecIR
import SpecSemantics
import Testing

@Suite("How calls carry the token")
struct AuthenticationTests {
    private static let group = "methods: { get: { get: users.get } }\n"

    private func marks(token: String, more: String = "", users: String = group) -> [String] {
        Analysis(users: users, api: "auth: { t: { token: \(token)\(more) } }\n").marks
    }

    private func marks(body method: String) -> [String] {
        marks(token: "{ in: body, name: token }", users: "methods: { get: { \(method) } }\n")
    }

    // MARK: Names

    @Test(
        "a token needs a valid header name that the request does not set itself",
        arguments: [
            "X/Token", "X(Token)", "\"{X}\"", "X-Token@", "\"X-\\x7F\"", "\"X Token\"", "\"X:\"",
            "Host", "Content-Length", "content-type", "Transfer-Encoding", "Connection",
        ])
    func headers(name: String) {
        #expect(marks(token: "{ in: header, name: \(name) }") == ["T0605: \(name)"])
    }

    @Test("a header name of punctuation is valid", arguments: ["X-Token", "_t", "x!#$%&'*+.^`|~9"])
    func marksInNames(name: String) {
        #expect(marks(token: "{ in: header, name: \"\(name)\" }") == [])
        #expect(marks(token: "{ in: cookie, name: \"\(name)\" }") == [])
    }

    @Test(
        "a cookie's name has no separators and only ASCII characters",
        arguments: ["a/b", "a(b)", "\"a b\"", "\"a;b\"", "a@", "\"a\\x7F\"", "é"])
    func cookies(name: String) {
        #expect(marks(token: "{ in: cookie, name: \(name) }") == ["T0605: \(name)"])
        #expect(marks(token: "{ in: query, name: \(name) }") == [])
    }

    @Test(
        "the prefix of a token is valid in a header",
        arguments: [
            (#""Key\n""#, false), (#""\0""#, false), (#"" Key""#, false), (#""Key ""#, true),
        ])
    func prefixes(prefix: String, isFine: Bool) {
        #expect(
            marks(token: "{ in: header, name: Authorization, prefix: \(prefix) }")
                == (isFine ? [] : ["T0605: \(prefix)"]))
    }

    // MARK: Places

    @Test(
        "a token in the body needs a body that has fields",
        arguments: [
            ("get: a", "T0605: get"), ("head: a", "T0605: head"),
            ("post: a, body: bytes", "T0605: body"), ("post: a, body: file", "T0605: body"),
            ("post: a, body: [int]", "T0605: body"), ("post: a, body: string", "T0605: body"),
        ])
    func noBody(method: String, mark: String) {
        #expect(marks(body: method) == [mark])
        #expect(marks(body: method + ", auth: none") == [])
        #expect(marks(body: method + ", auth: required") == [mark])
    }

    @Test(
        "a form, an object, and no body at all have room for a token",
        arguments: [
            "post: a", "delete: a", "post: a, form: { x: string }", "post: a, json: { x: string }",
            "post: a, multipart: { x: file }", "post: a, body: { x: string }",
            "post: a, body: \"{string: int}\"", "post: a, body: json",
            "post: a, query: { token: string }",
        ])
    func room(method: String) {
        #expect(marks(body: method) == [])
    }

    @Test("an invalid body is reported once")
    func oneMistake() {
        #expect(marks(body: "get: a, json: { x: int }") == ["T0504: json"])
    }

    @Test(
        "no parameter takes the place of the token",
        arguments: [
            ("{ in: body, name: t }", "post: a, form: { t: string }", "t"),
            ("{ in: body, name: t }", "post: a, json: { t: { const: x } }", "t"),
            ("{ in: body, name: t }", "post: a, multipart: { t: string }", "t"),
            ("{ in: body, name: t }", "post: a, body: { t: string }", "t"),
            ("{ in: query, name: t }", "get: a, query: { u: { key: t, type: string } }", "u"),
            ("{ in: header, name: X-T }", "get: a, headers: { x-t: string }", "x-t"),
            ("bearer", "get: a, headers: { Authorization: string }", "Authorization"),
        ])
    func taken(token: String, method: String, mark: String) {
        let users = "methods: { get: { \(method) } }\n"
        #expect(marks(token: token, users: users) == ["T0507: \(mark)"])
        let without = "methods: { get: { \(method), auth: none } }\n"
        #expect(marks(token: token, users: without) == [])
    }

    @Test("parameters of the group, the API and a model do not take its place either")
    func takenFurtherOut() {
        let token = "{ in: query, name: t }"
        #expect(
            marks(token: token, users: "parameters: { t: x }\n" + Self.group) == ["T0507: t"])
        #expect(
            Analysis(
                users: Self.group, api: "auth: { a: { token: \(token) } }\nparameters: { t: x }\n"
            ).marks == ["T0507: t"])
        let model = """
            methods: { get: { post: a, body: Login }, set: { post: b, body: Login } }
            models: { Login: { token: string } }
            """
        #expect(marks(token: "{ in: body, name: token }", users: model) == ["T0507: token"])
    }

    // MARK: Expiry

    @Test(
        "the status of an expired token must be a failure",
        arguments: [
            ("999", "", "T0110: 999"), ("{ status: [401, 600] }", "", "T0110: 600"),
            ("99", "", "T0110: 99"), ("200", "", "T0110: 200"),
            ("{ status: 204 }", "", "T0110: 204"),
            ("403", "success: { status: [200..299, 403] }", "T0110: 403"),
        ])
    func expired(expired: String, api: String, mark: String) {
        #expect(
            Analysis(
                users: Self.group,
                api: "auth: { t: { token: bearer, expired: \(expired) } }\n\(api)\n"
            ).marks == [mark])
    }

    @Test("a success status may be a failure by its body, its group or its method")
    func deniedSuccess() {
        let api = "auth: { t: { token: bearer, expired: 200 } }\n"
        #expect(
            Analysis(users: Self.group, api: api + "success: { absent: error }\n").marks == [])
        #expect(
            Analysis(users: Self.group, api: api + "success: { where: { ok: 1 } }\n").marks == [])
        #expect(
            Analysis(users: "success: { status: 201 }\n" + Self.group, api: api).marks == [])
        let method = "methods: { get: { get: a, success: { present: ok } } }\n"
        #expect(Analysis(users: method, api: api).marks == [])
    }

    @Test(
        "the error of an expired token is given by its code or its name",
        arguments: [
            ("5", "5"), ("tokenExpired", "5"), ("[tokenExpired, 6]", "5 6"), ("busy", "6"),
            ("'7'", "7"),
        ])
    func expiredErrors(error: String, codes: String) {
        let analysis = Analysis(
            users: Self.group,
            api: """
                errors: { code: code, cases: { tokenExpired: 5, busy: 6, '6': 7 } }
                auth: { t: { token: bearer, expired: { error: \(error) } } }

                """)
        #expect(analysis.codes.filter { $0 == "T0211" } == [])
        #expect(
            analysis.api?.auth?.expiry
                == codes.split(separator: " ").map { .code(String($0)) })
    }

    @Test(
        "an unknown error is not a sign of an expired token",
        arguments: [
            ("tokenExpird", "did you mean `tokenExpired`?"),
            ("50", "add a case with this code to `errors.cases`"),
        ])
    func unknownErrors(error: String, help: String) {
        let analysis = Analysis(
            users: Self.group,
            api: """
                errors: { code: code, cases: { tokenExpired: 5 } }
                auth: { t: { token: bearer, expired: { error: \(error) } } }

                """)
        #expect(analysis.marks == ["T0211: \(error)"])
        #expect(analysis.bag.all.map(\.help) == [help])
    }

    @Test("a group or a method overrides the signs of an expired token")
    func ownExpiry() throws {
        let api = """
            errors: { code: code, cases: { old: 5, wrong: 6 } }
            auth: { t: { token: bearer, expired: 401 } }

            """
        let users = """
            auth: { expired: { error: old } }
            methods:
              get: { get: a }
              check: { post: a, auth: { expired: none } }
              set: { post: b, auth: { expired: [403, { error: 6 }] } }
              again: { post: c, auth: required }
              open: { post: d, auth: none }
            """
        let analysis = Analysis(users: users, api: api)
        #expect(analysis.marks == [] && analysis.api?.auth?.expiry == [.status(401)])
        func expiry(_ method: String) -> [AuthRules.Expiry]? { analysis.method(method)?.expiry }
        #expect(expiry("users.get") == [.code("5")] && expiry("users.again") == [.code("5")])
        #expect(expiry("users.check") == [] && expiry("users.open") == nil)
        #expect(expiry("users.set") == [.status(403), .code("6")])
        #expect(analysis.method("users.check")?.isAuthenticated == true)
        #expect(
            Analysis(users: Self.group, api: api).method("users.get")?.expiry == nil)
        let explanation = try #require(SpecAnalyzer.explain("users.set", in: analysis.spec))
        let lines = explanation.values.filter { $0.name == "expired" }
        #expect(lines.map(\.value) == ["403, error 6"] && lines.map(\.origin) == [.method])
    }

    @Test(
        "the signs of a method are checked like those of the API",
        arguments: [
            ("{ expired: 200 }", "T0110: 200"), ("{ expired: { error: old } }", "T0211: old"),
            ("{ expired: 999 }", "T0110: 999"),
            ("{ token: bearer, expired: none }", "T0101: token"),
            ("{}", "T0103: {}"), ("nobody", "T0603: nobody"),
        ])
    func ownMistakes(auth: String, mark: String) {
        let api = "auth: { t: { token: bearer, expired: 401 } }\n"
        let method = "methods: { get: { get: a, auth: \(auth) } }\n"
        #expect(Analysis(users: method, api: api).marks == [mark])
        let group = "auth: \(auth)\n" + Self.group
        #expect(Analysis(users: group, api: api).marks == [mark])
    }

    @Test("an API without authentication has no expired token")
    func expiryWithoutScheme() {
        let method = "methods: { get: { get: a, auth: { expired: none } } }\n"
        #expect(Analysis(users: method).codes == ["T0603"])
    }

    // MARK: Replies of an expired token

    @Test(
        "a refresh without a sign of an expired token is a warning, unless it is explicit",
        arguments: [
            ("refresh: app", "", "T0611: t"), ("refresh: { post: token }", "", "T0611: t"),
            ("refresh: app, expired: 401", "", nil), ("refresh: app, expired: none", "", nil),
            ("refresh: app", "auth: { expired: 403 }", nil), ("", "", nil),
        ])
    func endlessToken(rest: String, method: String, expected: String?) {
        let analysis = Analysis(
            users: "methods: { get: { get: a, \(method) } }\n",
            api: "auth: { t: { token: bearer, \(rest) } }\n")
        #expect(analysis.marks == (expected.map { [$0] } ?? []))
    }

    // MARK: Addresses

    @Test(
        "a refresh has a path behind the server, as it is written",
        arguments: [
            ("token/refresh/", true), ("token/", true), ("token", true), ("token//", false),
            ("token//a/", false), ("/", false), ("/token/", false), ("a/../", false),
            ("a.example/token/", false),
        ])
    func refreshPath(path: String, isFine: Bool) throws {
        let key = "refresh: { post: \"\(path)\", form: { a: b } }"
        let analysis = Analysis(
            users: Self.group, api: "auth: { t: { token: bearer, expired: 401, \(key) } }\n")
        #expect(analysis.codes == (isFine ? [] : ["T0608"]), "\(analysis.rendered)")
        guard isFine else { return }
        let refresh = try #require(analysis.api?.auth?.refresh)
        guard case .request(let request) = refresh else {
            Issue.record("\(refresh)")
            return
        }
        #expect(request.url == path)
    }

    /// The codes for a server and a refresh request at this URL.
    private func codes(at url: String) -> [String] {
        let api = """
            telex: 1
            api: X
            servers: { production: "\(url)" }
            auth: { t: { token: bearer, expired: 401, refresh: { post: "\(url)" } } }
            """
        return Analysis(["api.yaml": api, "users.yaml": Self.group]).codes
    }

    @Test(
        "a host is local as a loopback address or `localhost`, not by its prefix",
        arguments: [
            ("http://127.0.0.1.nip.io/", false), ("http://127.evil.example/", false),
            ("http://127.0.0.300/", false), ("http://127.1/", false),
            ("http://[::1].example/", false), ("http://localhost.example/", false),
            ("http://127.0.0.1/", true), ("http://127.9.8.7:8080/", true),
            ("http://LocalHost:80/", true), ("http://[::1]:8080/", true), ("http://[::1]/", true),
        ])
    func machines(url: String, isLocal: Bool) {
        let codes = codes(at: url)
        #expect(codes == (isLocal ? [] : ["T0604", "T0608"]))
    }

    @Test(
        "an address has a host, and a port that a server can have",
        arguments: [
            ("https://x.com:99999/", false), ("https://x.com:65536/", false),
            ("https://:80/t", false), ("https:///t", false), ("https://x.com:8o/", false),
            ("https://x.com:-1/", false), ("https://[::1]:70000/", false),
            ("https://x.com:65535/", true), ("https://x.com:/", true), ("https://[::2]/", true),
        ])
    func ports(url: String, isFine: Bool) {
        let codes = codes(at: url)
        #expect(codes == (isFine ? [] : ["T0601", "T0608"]))
    }
}
