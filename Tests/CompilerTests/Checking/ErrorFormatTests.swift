import SpecIR
import SpecSemantics
import Testing

@Suite("The error format")
struct ErrorFormatTests {
    private static let group = "methods: { get: { get: a } }\n"

    private func analysis(errors: String) -> Analysis {
        Analysis(users: Self.group, api: "errors: \(errors)\n")
    }

    // MARK: Failures

    @Test(
        "the error format is refused where a case cannot be told",
        arguments: [
            ("{ cases: { notFound: no_such_user } }", "T0103: "),
            ("{ cases: { busy: { code: 6 } } }", "T0103: "),
            ("{ }", "T0103: "),
            ("{ code: none, cases: { busy: { code: 6 } } }", "T0111: none"),
            ("{ code: c, cases: { a: { status: 404, code: 5 } } }", "T0105: 5"),
            ("{ code: c, cases: { a: { doc: x } } }", "T0103: a"),
            ("{ cases: { a: 404, b: 404 } }", "T0208: 404"),
            ("{ code: c, cases: { a: { status: 99 } } }", "T0110: 99"),
        ])
    func refused(errors: String, mark: String) {
        #expect(analysis(errors: errors).marks == [mark], "\(analysis(errors: errors).rendered)")
    }

    @Test(
        "the error format is refused with a malformed path of the error object",
        arguments: ["errors[x]", "errors[-]", "errors[0", "errors[0]x", "errors..a", "."])
    func paths(path: String) {
        let analysis = analysis(errors: "{ at: \"\(path)\", code: c }")
        #expect(analysis.codes == ["T0111"], "\(analysis.rendered)")
    }

    @Test("the error format is refused if one name means two codes")
    func names() {
        let analysis = Analysis(
            users: """
                errors: { cases: { busy: { code: 7 } } }
                methods: { get: { get: a } }

                """, api: "errors: { code: c, cases: { busy: 6 } }\n")
        #expect(analysis.codes == ["T0701"], "\(analysis.rendered)")
    }

    // MARK: Meaning

    @Test("the error format names cases by status, in the short form where errors have no code")
    func statuses() throws {
        let plain = analysis(errors: "{ message: text, cases: { notFound: 404 } }")
        let rules = try #require(plain.api?.errors)
        #expect(rules.cases.map(\.status) == [404] && rules.cases.map(\.code) == ["404"])
        let mixed = analysis(errors: "{ code: c, cases: { a: 404, b: { status: 404 } } }")
        #expect(mixed.codes == ["T0208"], "a code and a status of one number cannot be told apart")
        let named = analysis(errors: "{ code: c, cases: { a: bad, b: { status: 404 } } }")
        #expect(named.api?.errors?.cases.map(\.status) == [nil, 404])
        #expect(named.api?.errorCodes.areIntegers == false)
    }

    @Test("the error format has an error object in a list, or several")
    func lists() {
        let at = { (path: String) in
            self.analysis(errors: "{ at: \(path), code: c }").api?.errors?.at
        }
        #expect(at("\"errors[0].detail\"") == [.key("errors"), .index(0), .key("detail")])
        #expect(at("\"errors[*]\"") == [.key("errors"), .each])
        #expect(at("[\"a.b\", 1]") == [.key("a.b"), .index(1)])
        #expect(at("none") == [])
    }

    @Test("the error format has several paths of the message, which are tried in order")
    func messages() {
        let errors = { (path: String) in self.analysis(errors: "{ message: \(path) }").api?.errors }
        let found = errors("detail | error.title|x")
        #expect(found?.message == ["detail"])
        #expect(found?.furtherMessages == [["error", "title"], ["x"]])
        #expect(errors("[a, b]")?.message == ["a", "b"] && errors("none")?.message == [])
        #expect(analysis(errors: "{ message: a | }").marks == ["T0111: "])
        #expect(analysis(errors: "{ message: a | b..c }").marks == ["T0111: "])
    }

    @Test("the error format of the nearer declaration wins, key by key")
    func cascade() throws {
        let analysis = Analysis(
            users: """
                errors: { message: hint, cases: { gone: 410 } }
                methods:
                  plain: { get: a }
                  own: { get: b, errors: { at: "errors[0]", cases: { busy: { code: 7, retry: true } } } }
                models: { }

                """, api: "errors: { code: c, message: m, cases: { closed: 3 } }\n")
        let methods = try #require(analysis.group?.methods, "\(analysis.rendered)")
        let plain = try #require(methods[0].errors)
        #expect(plain.code == ["c"] && plain.message == ["hint"] && plain.at == [])
        #expect(plain.cases.map(\.name) == ["gone", "closed"])
        let own = try #require(methods[1].errors)
        #expect(own.at == [.key("errors"), .index(0)] && own.message == ["hint"])
        #expect(own.cases.map(\.name) == ["busy", "gone", "closed"])
        #expect(own.cases.map(\.isRetryable) == [true, false, false])
        #expect(analysis.api?.errors?.cases.map(\.name) == ["closed"])
        #expect(analysis.api?.errorCodes.cases.map(\.name) == ["closed", "gone", "busy"])
    }

    @Test("the error format of a method may give a code of the API another name and meaning")
    func meaningOfMethod() throws {
        let analysis = Analysis(
            users: """
                methods:
                  plain: { get: a }
                  own: { get: b, errors: { cases: { albumFull: 15 } } }

                """,
            api: "errors: { code: c, cases: { busy: { code: 15, retry: true }, gone: 3 } }\n")
        let methods = try #require(analysis.group?.methods, "\(analysis.rendered)")
        #expect(methods[0].errors == nil)
        let own = try #require(methods[1].errors)
        #expect(own.cases.map(\.name) == ["albumFull", "gone"])
        #expect(own.cases.map(\.isRetryable) == [false, false])
        #expect(analysis.api?.errorCodes.cases.map(\.name) == ["busy", "gone", "albumFull"])
    }

    @Test("the error format names expired tokens and retries by status")
    func meanings() throws {
        let analysis = Analysis(
            users: Self.group,
            api: """
                errors: { cases: { unauthorized: 401, busy: 429 } }
                auth: { a: { token: bearer, expired: { error: unauthorized } } }
                retry: { attempts: 2, on: [busy] }

                """)
        let api = try #require(analysis.api, "\(analysis.rendered)")
        #expect(api.auth?.expiry == [.status(401)])
        #expect(api.retry?.conditions == [.statuses(429...429)])
    }

    @Test("the error format has one model for all errors, which is read")
    func model() throws {
        let analysis = Analysis(
            users: Self.group + "models: { Problem: { title: string } }\n",
            api: "errors: { model: Problem, message: title }\n")
        let api = try #require(analysis.api, "\(analysis.rendered)")
        #expect(api.errors?.model == "Problem" && analysis.bag.isEmpty)
        #expect(api.groups[0].models[0].isRead)
    }

    @Test("the error format is explained with its origin")
    func explained() throws {
        let analysis = Analysis(
            users: "methods: { get: { get: a, errors: { at: \"errors[*]\", cases: { b: 2 } } } }\n",
            api: "errors: { code: c, cases: { a: 1 } }\n")
        let values = try #require(SpecAnalyzer.explain("users.get", in: analysis.spec)).values
        let shown = values.map { "\($0.name): \($0.value) (\($0.origin))" }
        #expect(shown.contains("errors at: errors[*] (method)"), "\(shown)")
        #expect(
            shown.contains("error code: c (api)") && shown.contains("error cases: b, a (method)"))
    }
}
