import SpecIR
import Testing

@Suite("The conditions of a successful reply")
struct SuccessTests {
    private static let group = "methods: { get: { get: a } }\n"

    private func analysis(where text: String) -> Analysis {
        Analysis(users: Self.group, api: "success: { where: \(text) }\n")
    }

    @Test("the value of a success condition is a Boolean, an integer or a text, as it is written")
    func values() {
        let analysis = analysis(
            where: "{ a: [true, FALSE, 7, -7, 0x1F, no, 1.0, 'true', '7', ''] }")
        #expect(analysis.marks == [])
        #expect(
            analysis.api?.reply.conditions.first?.values == [
                .flag(true), .flag(false), .integer(7), .integer(-7), .integer(31), .text("no"),
                .text("1.0"), .text("true"), .text("7"), .text(""),
            ])
    }

    @Test(
        "nodes but Booleans, integers and texts are no values; a condition needs at least one",
        arguments: [
            ("{ a: null }", "T0102: null", "`absent`"),
            ("{ a: { b: 1 } }", "T0102: { b: 1 }", "`a.key: value`"),
            ("{ a: [] }", "T0102: []", "list the values"), ("{ a: [[1]] }", "T0102: [1]", ""),
            ("{}", "T0102: {}", "`none`"), ("ok", "T0102: ok", "`where: { ok: true }`"),
            ("[ok]", "T0102: [ok]", "`where: { ok: true }`"),
            ("{ none: 1 }", "T0111: none", ""), ("{ a..b: 1 }", "T0111: ", "`a.b`"),
        ])
    func noValues(text: String, mark: String, help: String) {
        let analysis = analysis(where: text)
        #expect(analysis.marks == [mark])
        #expect(help.isEmpty || analysis.bag.all.first?.help?.contains(help) == true)
    }

    @Test("a key may be called `none`, in quotes")
    func noneAsKey() {
        #expect(analysis(where: "{ 'none': 1 }").api?.reply.conditions.first?.path == ["none"])
    }

    @Test(
        "a status without a body is a warning if a value is returned",
        arguments: [
            ("[200, 304]", "returns: string", true), ("204", "returns: [int]", true),
            ("[200, 205]", "returns: { a: int }", true), ("200..299", "returns: int", false),
            ("[200, 304]", "returns: int | null", false), ("[200, 204]", "returns: json", false),
            ("[200, 204]", "returns: nothing", false), ("[200, 304]", "returns: bytes", false),
            ("[200, 204]", "stream: sse, returns: int", false),
        ])
    func bodiless(status: String, method: String, isTold: Bool) {
        let users = "methods: { get: { get: a, success: { status: \(status) }, \(method) } }\n"
        let analysis = Analysis(users: users)
        #expect(analysis.marks == (isTold ? ["T0610: \(status)"] : []))
        #expect(analysis.api != nil)
    }

    // MARK: Contradictions

    @Test(
        "contradicting conditions are an error at the second one",
        arguments: [
            ("absent: e, where: { e: false }", "e"), ("absent: e, where: { e.code: 0 }", "e.code"),
            ("absent: a.b, present: a.b", "a.b"), ("absent: a, present: a.b", "a.b"),
            ("present: a.b, where: { a: 1 }", "a"), ("where: { a: 1, a.b.c: 2 }", "a.b.c"),
        ])
    func contradictions(success: String, mark: String) {
        let analysis = Analysis(users: Self.group, api: "success: { \(success) }\n")
        #expect(analysis.marks.count == 1 && analysis.marks.first?.hasPrefix("T0609: ") == true)
        #expect(analysis.rendered.contains("no reply would ever be a success"))
    }

    @Test(
        "compatible conditions are no error",
        arguments: [
            "absent: e.code, where: { e.ok: true }", "present: a, where: { a.b: 1 }",
            "absent: a.b, present: a", "where: { a.b: 1, a.c: 1, ab: 1 }",
            "absent: none, present: a",
            "present: none, where: { a: 1 }", "absent: e, where: none",
            "present: a, where: { a: 1 }",
        ])
    func noContradictions(success: String) {
        #expect(Analysis(users: Self.group, api: "success: { \(success) }\n").marks == [])
    }

    @Test("a success status of an expired token is a warning, unless the method overrides it")
    func hiddenExpiry() {
        func marks(_ method: String) -> [String] {
            Analysis(
                users: "methods: { get: { get: a, \(method) } }\n",
                api: "auth: { key: { token: bearer, expired: 401 } }\n"
            ).marks
        }
        #expect(marks("success: { status: [200, 401] }") == ["T0117: [200, 401]"])
        for method in [
            "success: { status: [200, 403] }", "success: { status: [200, 401], absent: error }",
            "auth: none, success: { status: [200, 401] }",
            "auth: { expired: none }, success: { status: [200, 401] }",
        ] {
            #expect(marks(method) == [], "\(method)")
        }
    }

    @Test("an `absent` parent of `unwrap` is an error at the later declaration")
    func value() {
        let both = Analysis(users: Self.group, api: "success: { absent: a }\nunwrap: a.b\n")
        #expect(both.marks == ["T0609: a.b"])
        let users = "methods: { get: { get: a, unwrap: error.text, returns: string } }\n"
        let own = Analysis(users: users, api: "success: { absent: error }\n")
        #expect(own.marks == ["T0609: error.text"] && own.rendered.contains("users.yaml"))
        let other = "methods: { get: { get: a, success: { absent: a } } }\n"
        #expect(Analysis(users: other, api: "unwrap: a\n").marks == ["T0609: a"])
        #expect(Analysis(users: other, api: "unwrap: ab\n").marks == [])
    }

    @Test("a contradiction with an inherited condition is reported once, at the inner one")
    func inherited() {
        let users = """
            success: { where: { error: false } }
            methods: { get: { get: a }, set: { get: b, success: { status: 201 } } }
            """
        let analysis = Analysis(users: users, api: "success: { absent: error }\n")
        #expect(analysis.marks == ["T0609: error"])
        #expect(analysis.rendered.contains("users.yaml:1:21"))
        #expect(analysis.rendered.contains("api.yaml:4:20"))
        let method =
            "methods: { get: { get: a, success: { absent: error } }, set: { get: b } }\n"
        let own = Analysis(users: method, api: "success: { where: { error: false } }\n")
        #expect(own.marks == ["T0609: error"] && own.rendered.contains("users.yaml:1:46"))
        let dropped = users.replacing("where:", with: "absent: none, where:")
        #expect(Analysis(users: dropped, api: "success: { absent: error }\n").marks == [])
    }

    @Test(
        "a retryable code, or one of an expired token, is not a success",
        arguments: [
            ("{ e.code: [0, 6] }", ["T0609: 6"]), ("{ e.code: ['5', 0] }", ["T0609: '5'"]),
            ("{ e.code: [0, 7] }", []), ("{ code: 6 }", []), ("{ e.code: true }", []),
        ])
    func codes(text: String, marks: [String]) {
        let analysis = Analysis(
            users: Self.group,
            api: """
                success: { where: \(text) }
                errors: { at: e, code: code, cases: { old: 5, busy: { code: 6, retry: true }, odd: 7 } }
                auth: { t: { token: bearer, expired: { error: old } } }

                """)
        #expect(analysis.marks == marks)
    }
}
