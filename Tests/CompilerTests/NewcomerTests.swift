import Foundation
import SpecIR
import SpecSemantics
import Testing

@Suite("What a new user writes by mistake is named, with what to write instead")
struct NewcomerTests {
    /// A mistake: the text that is underlined, and the help.
    typealias Row = (spec: String, mark: String, help: String)

    private func check(_ analysis: Analysis, _ row: Row) {
        let found = analysis.bag.all.first
        let mark = found.map { analysis.sources[$0.span.file].text(of: $0.span) }
        #expect(mark == row.mark, "\(analysis)")
        #expect(found?.help?.contains(row.help) == true, "\(analysis)")
    }

    /// Analyses a model `User` that a method returns.
    private func user(_ type: String) -> Analysis {
        Analysis(
            users: "methods: { get: { get: a, returns: User } }\nmodels:\n  User: \(type)\n")
    }

    private func method(_ text: String, api: String = "") -> Analysis {
        Analysis(users: "methods: { get: { \(text) } }\n", api: api)
    }

    @Test(
        "placeholders of URI templates and web frameworks are named, with what to write instead",
        arguments: [
            ("a/{#id}", "{#id}", "write `{+id}` to keep the slashes of the value"),
            ("a/{id*}", "{id*}", "write `{id}`: it is one value"),
            ("a/{id?}", "{id?}", "give it a `default` or declare a second method"),
            ("a{?id,name}", "{?id,name}", "under `query`"),
            ("a/{id:[0-9]+}", "{id:[0-9]+}", "`id: { pattern: … }`"),
            ("a/{}", "{}", "a placeholder reads `{name}`"),
        ] as [Row])
    func placeholders(row: Row) {
        check(method("get: \"\(row.spec)\", path: { id: string }"), row)
        #expect(method("get: \"\(row.spec)\", path: { id: string }").codes == ["T0502"])
    }

    @Test(
        "keywords of JSON Schema as fields are named, with what to write instead",
        arguments: [
            ("{ $ref: \"#/components/schemas/User\" }", "$ref", "the name of the model"),
            ("{ a: { oneOf: [int, string] } }", "oneOf", "one-of: ["),
            ("{ a: { anyOf: [int, string] } }", "anyOf", "one-of: ["),
            ("{ allOf: [User], id: int }", "allOf", "with: ["),
            ("{ id: int, additionalProperties: false }", "additionalProperties", "`closed: true`"),
            ("{ fields: { a: int }, additionalProperties: int }", "additionalProperties", "map"),
            ("{ type: json, oneOf: [int] }", "oneOf", "one-of: ["),
        ] as [Row])
    func keywords(row: Row) {
        check(user(row.spec), row)
        #expect(user(row.spec).bag.errorCount == 1)
        #expect(user("{ fields: { $ref: string, oneOf: \"[string]\" } }").rendered.isEmpty)
    }

    @Test(
        "attributes among the fields of an object are named, with what to write instead",
        arguments: ["optional", "nullable", "sensitive"])
    func attributes(key: String) {
        let help = "write `{ \(key): …, fields: { … } }`"
        check(user("{ a: { b: int, \(key): true } }"), ("", key, help))
        #expect(user("{ a: { b: int, \(key): bool } }").rendered.isEmpty)
    }

    @Test(
        "types of other languages are named, with what to write instead",
        arguments: [
            ("Array<string>", ">", "`[string]`"), ("List<User>", ">", "`[User]`"),
            ("Optional<int>", ">", "`int?`"), ("\"Map<string, int>\"", ">", "`{string: int}`"),
            ("\"User[]\"", "[", "`[User]`"), ("\"?int\"", "?", "`int?`"),
            ("\"[String: int]\"", ":", "`{string: int}`"), ("string!", "!", "`string`"),
            ("dict", "dict", "`{string: json}`"), ("object", "object", "list its fields"),
            ("integer", "integer", "`int`"), ("number", "number", "`double`"),
            ("void", "void", "leave `returns` out"), ("null", "null", "`T | null`"),
            ("email", "email", "`{ type: string, format: email }`"),
            ("User[]", "[", "`[User]`"),
            ("\"[{ stages: [string] }]?\"", "stages", "`{ type: [{ id: int }], optional: true }`"),
            ("\"[{ a: string, b: int }]?\"", ",", "without quotes"),
        ] as [Row])
    func types(row: Row) {
        let analysis = user("{ a: \(row.spec) }")
        let help = analysis.bag.all.first?.help
        #expect(help?.contains(row.help) == true, "\(analysis)")
    }

    @Test(
        "values in place of types are named, with what to write instead",
        arguments: [
            ("10", "10", "`{ type: int, default: 10 }`, or `{ const: 10 }`"),
            ("-1.5", "-1.5", "`{ type: double, default: -1.5 }`"),
            ("true", "true", "`{ type: bool, default: true }`"),
        ] as [Row])
    func values(row: Row) {
        check(method("get: a, query: { n: \(row.spec) }"), row)
        check(user("{ n: \(row.spec) }"), row)
    }

    @Test(
        "mistakes in keys, rules and their values are named, with what to write instead",
        arguments: [
            ("int, minumum: 3", "minumum", "did you mean `min`?"),
            ("string, regex: a", "regex", "did you mean `pattern`?"),
            ("string, size: 3", "size", "`length`"), ("int, range: 3", "range", "`min: 1, max: 5`"),
            ("string, readOnly: true", "readOnly", "one model for replies"),
            ("int, max: 9223372036854775808", "9223372036854775808", "fits 64 bits"),
            ("int, default: \"20\"", "\"20\"", "remove the quotes"),
            ("bool, default: 'true'", "'true'", "remove the quotes"),
            ("int, min: \"3\"", "\"3\"", "remove the quotes"),
            ("[int], min-items: \"3\"", "\"3\"", "remove the quotes"),
            ("string, pattern: '/^abc$/i'", "'/^abc$/i'", "write `^abc$`"),
        ] as [Row])
    func rules(row: Row) {
        check(user("{ a: { type: \(row.spec) } }"), row)
        #expect(user("{ a: { type: string, pattern: '/abc/' } }").rendered.isEmpty)
    }

    @Test(
        "templates in the wrong place or form are named, with what to write instead",
        arguments: [
            ("templates: users.get.json", "templates", "did you mean `template`?"),
            ("template: templates/users.get.json", "templates/users.get.json", "the folder"),
            ("sample: users.get.json", "sample", "`template`"),
        ] as [Row])
    func templates(row: Row) {
        check(method("get: a, returns: json, \(row.spec)"), row)
    }

    @Test(
        "a key that looks like a path is named, with what to write instead",
        arguments: [("address.city", 1), ("\"address.city\"", 0), ("a.1", 0), ("@odata.next", 0)])
    func keyPaths(key: String, count: Int) {
        let key = key.hasPrefix("@") ? "\"\(key)\"" : key
        let analysis = user("{ city: { type: string, key: \(key) } }")
        #expect(analysis.codes == Array(repeating: "T0119", count: count), "\(analysis)")
    }

    @Test(
        "wrong words of tokens, and bodies of one model, are named, with what to write instead",
        arguments: [
            ("auth: { a: { token: digest } }", "digest", "`Interceptor`"),
            ("auth: { a: { token: apiKey } }", "apiKey", "`{ in: header, name: X-API-Key }`"),
            ("parameters: { id: { type: int, in: path } }", "path", "in each method"),
            ("headers: { Content-Type: text/plain }", "Content-Type", "it follows from `json`"),
            ("headers: { Host: a }", "Host", "the URL of the server"),
        ] as [Row])
    func settings(row: Row) {
        check(method("get: a", api: row.spec + "\n"), row)
    }

    @Test("a model in place of the parameters of a body is named, with what to write instead")
    func wholeBody() {
        check(method("post: a, json: [User]"), ("", "[User]", "`json: Item`"))
        check(method("post: a, form: User"), ("", "User", "`form: { name: string }`"))
    }

    @Test("parameters that are not indented are named, with what to write instead")
    func indentation() {
        let users = "methods:\n  get:\n    get: a\n    query:\n    limit: int\n"
        check(Analysis(users: users), ("", "limit", "indent it further than `query:`"))
        check(
            Analysis(users: "methods:\nget_all: { get: a }\n"),
            ("", "get_all", "indent it further than `methods:`"))
    }

    @Test(
        "a type that a part of `multipart` cannot hold is named, with what to write instead",
        arguments: ["[[string]]", "json", "[json]", "{ a: int }"])
    func parts(type: String) {
        let analysis = method("post: a, multipart: { x: \(type) }")
        #expect(analysis.codes == ["T0303"], "\(analysis)")
        #expect(analysis.bag.all.first?.help?.contains("`style: json`") == true)
    }

    @Test(
        "a model with the name of a type is reported at its name alone",
        arguments: ["file", "Date", "nothing", "json"])
    func modelNames(name: String) {
        let analysis = user("{ a: \(name), b: [\(name)] }\n  \(name): { id: int }")
        #expect(analysis.marks == ["T0702: \(name)"])
    }

    // MARK: Names

    @Test(
        "values that only signs tell apart get the names of their signs",
        arguments: [
            ("name, -name", ["name", "minusName"]), ("GMT-1, GMT+1", ["gmtMinus1", "gmtPlus1"]),
            ("utf-8, latin", ["utf8", "latin"]), ("-name, -age", ["name", "age"]),
        ])
    func signs(values: String, names: [String]) {
        let analysis = user("{ a: { enum: [\(values)] } }")
        #expect(analysis.rendered.isEmpty)
        guard case .enumeration(let values)? = analysis.model("User.A")?.kind else {
            Issue.record("\(analysis)")
            return
        }
        #expect(values.cases.map(\.name) == names)
    }

    @Test("parameters of one key get the place of the later ones in front")
    func places() throws {
        let analysis = method(
            "put: \"a/{id}\", query: { id: int }, headers: { id: int }, json: { id: int }")
        #expect(analysis.rendered.isEmpty)
        let parameters = try #require(analysis.method("users.get")).parameters
        #expect(parameters.map(\.name) == ["id", "queryID", "headerID", "bodyID"])
        #expect(parameters.allSatisfy { $0.key == "id" })
        let given = method(
            "put: \"a/{id}\", json: { id: { type: int, swift: { name: id } } }")
        #expect(given.codes == ["T0701"])
    }

    @Test(
        "messages name inline types by their key paths",
        arguments: [
            ("{ place: { kind_of: { enum: [a], default: b } } }", "value of `User.place.kind_of`")
        ])
    func inlineTypes(type: String, text: String) {
        let analysis = user(type)
        #expect(analysis.bag.all.first?.message.contains(text) == true, "\(analysis)")
    }

    @Test("a cycle names inline types by their key paths")
    func cycle() {
        let label = user("{ place: { owner: User } }").bag.all.first?.label
        #expect(label == "User → User.place → User")
    }

    // MARK: Warnings

    @Test(
        "many unused models are one warning behind the first",
        arguments: [(6, 6), (7, 6), (1000, 6)])
    func unused(count: Int, warnings: Int) {
        let models = (1...count).map { "  M\($0): { a: int }\n" }.joined()
        let analysis = Analysis(users: "methods: { get: { get: a } }\nmodels:\n" + models)
        #expect(analysis.codes == Array(repeating: "T0205", count: warnings))
        let last = analysis.bag.all.last?.message
        #expect(
            last == (count > 6 ? "\(count - 5) more models are not used" : "model `M6` is not used")
        )
    }

    @Test(
        "`insecure: true` answers the warning of credentials over plain HTTP",
        arguments: [
            ("{ p: http://a.example/ }", "bearer", ["T0604"]),
            ("{ p: { url: http://a.example/, insecure: true } }", "bearer", []),
            ("{ p: { url: http://a.example/, insecure: false } }", "bearer", ["T0604"]),
            ("{ p: { url: https://a.example/, insecure: true } }", "bearer", ["T0117"]),
            ("{ p: { url: http://localhost/, insecure: true } }", "bearer", ["T0117"]),
            ("{ p: { url: http://a.example/, insecure: true } }", "", ["T0117"]),
        ])
    func insecure(servers: String, token: String, codes: [String]) {
        let auth = token.isEmpty ? "" : "auth: { account: { token: \(token), expired: 401 } }\n"
        let analysis = Analysis([
            "api.yaml": "telex: 1\napi: A\nservers: \(servers)\n" + auth,
            "users.yaml": "methods: { get: { get: a } }\n",
        ])
        #expect(analysis.codes == codes, "\(analysis)")
    }

    // MARK: Explanations

    @Test("an explanation shows the parameters of the path, declared or not")
    func path() throws {
        let analysis = method("get: \"{area}/{id}\", path: { id: { type: int, min: 1 } }")
        let explanation = try #require(SpecAnalyzer.explain("users.get", in: analysis.spec))
        let lines = explanation.values.filter { $0.name.hasPrefix("path") }
            .map { "\($0.name): \($0.value)" }
        #expect(lines == ["path area: string", "path id: int, min 1"])
    }

    @Test(
        "an explanation shows the runtime's defaults of time-outs and retries",
        arguments: [
            (
                "",
                [
                    "1m", "none", "none", "5m", "3", "transport, 429, 503", "500ms", "x2", "±20%",
                    "20s",
                ]
            ),
            (
                "timeout: 5s, retry: { backoff: { initial: 30s } }",
                ["none", "none", "5m", "3", "transport, 429, 503", "x2", "±20%", "30s"]
            ),
            ("retry: none", ["1m", "none", "none", "5m"]),
        ])
    func defaults(settings: String, values: [String]) throws {
        let analysis = method(settings.isEmpty ? "get: a" : "get: a, \(settings)")
        let explanation = try #require(SpecAnalyzer.explain("users.get", in: analysis.spec))
        #expect(explanation.values.filter { $0.origin == .runtime }.map(\.value) == values)
        #expect(explanation.values.allSatisfy { ($0.span == nil) == ($0.origin == .runtime) })
    }

    @Test("the compiler knows the runtime's defaults")
    func runtime() throws {
        let folder = URL(filePath: #filePath).deletingLastPathComponent()
            .deletingLastPathComponent().deletingLastPathComponent()
            .appending(path: "Sources/TelexScheduling/Policies")
        func text(_ file: String) throws -> String {
            try String(contentsOf: folder.appending(path: file), encoding: .utf8)
        }
        let timeouts = try text("Timeouts.swift")
        #expect(
            timeouts.contains("silence: Duration = .seconds(\(RuntimeDefaults.silence / 1000))"))
        #expect(timeouts.contains("attempt: Duration? = nil, total: Duration? = nil"))
        #expect(timeouts.contains("pause: Duration = .seconds(\(RuntimeDefaults.pause / 1000))"))
        let retries = try text("RetryPolicy.swift")
        let statuses = RuntimeDefaults.statuses.map { ".status(\($0)...\($0))" }
        for fact in [
            "attempts: Int = \(RuntimeDefaults.attempts)",
            "= [.transport, \(statuses.joined(separator: ", "))]",
            "initial: Duration = .milliseconds(\(RuntimeDefaults.firstWait))",
            "factor: Double = \(Int(RuntimeDefaults.waitFactor))",
            "jitter: Double = \(Double(RuntimeDefaults.jitter) / 100)",
            "maximum: Duration = .seconds(\(RuntimeDefaults.longestWait / 1000))",
        ] {
            #expect(retries.contains(fact), "\(fact)")
        }
    }
}
