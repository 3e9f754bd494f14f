import SpecIR
import Testing

@Suite("`invalid` says what becomes of invalid lists and maps")
struct ToleranceSpecTests {
    private func user(_ field: String, _ more: String = "") -> Analysis {
        Analysis(
            users: """
                methods:
                  get: { get: users.get, returns: User }
                models:
                  User: { field: \(field) }
                \(more.split(separator: "\n").map { "  \($0)\n" }.joined())
                """)
    }

    private func method(_ text: String) -> Analysis {
        Analysis(users: "methods:\n  get: { get: users.get, \(text) }\n")
    }

    @Test(
        "another word for `invalid` is an error, with the words that apply",
        arguments: [
            ("skp", "did you mean `skip`?"), ("[skip, emty]", "did you mean `empty`?"),
            ("drop", "expected one of `fail`, `skip`, `empty`"),
        ])
    func words(text: String, help: String) {
        let analysis = user("{ type: [int], invalid: \(text) }")
        #expect(analysis.codes == ["T0107"])
        #expect(analysis.rendered.contains(help))
    }

    @Test("`fail` is combined with nothing")
    func fail() {
        let analysis = user("{ type: [int], invalid: [skip, fail] }")
        #expect(analysis.marks == ["T0105: fail"])
    }

    @Test(
        "a value that is neither a list nor a map has no `invalid`",
        arguments: ["string", "json", "Other", "int?", "{ type: int }"])
    func scalars(type: String) {
        let type = type.hasPrefix("{") ? "int" : type
        let analysis = user("{ type: \(type), invalid: skip }", "Other: { a: int }")
        #expect(analysis.marks == ["T0311: skip"])
    }

    @Test(
        "a parameter has no `invalid`, in any place",
        arguments: ["query", "headers", "form", "json", "multipart"])
    func parameters(place: String) {
        let verb = ["query", "headers"].contains(place) ? "get" : "post"
        let analysis = Analysis(
            users: """
                methods:
                  get: { \(verb): users.get, \(place): { a: { type: [int], invalid: skip } } }
                """)
        #expect(analysis.marks == ["T0311: invalid"])
    }

    @Test("a model has no `invalid`")
    func model() {
        let analysis = user("Other", "Other: { invalid: skip, fields: { a: int } }")
        #expect(analysis.marks == ["T0311: invalid"])
    }

    @Test(
        "a field keeps the words of `invalid` in the order of their meaning",
        arguments: [
            ("fail", []), ("skip", [.skip]), ("empty", [.empty]),
            ("[empty, skip]", [.skip, .empty]),
        ] as [(String, [Tolerance])])
    func field(text: String, tolerances: [Tolerance]) throws {
        for type in ["[Other]", "\"{string: int}?\"", "\"[int] | null\""] {
            let analysis = user("{ type: \(type), invalid: \(text) }", "Other: { a: int }")
            #expect(try #require(analysis.field("User", "field")).value.tolerances == tolerances)
        }
    }

    @Test("an alias passes `invalid` on, unless its use says otherwise")
    func alias() throws {
        let alias = "Ids: { type: [int], invalid: skip }"
        let used = user("Ids", alias)
        #expect(try #require(used.field("User", "field")).value.tolerances == [.skip])
        let overruled = user("{ type: Ids, invalid: fail }", alias)
        #expect(try #require(overruled.field("User", "field")).value.tolerances == [])
    }

    @Test("a reply and a list in a list have `invalid`, too")
    func reply() throws {
        let analysis = method("returns: { type: [{ type: [int], invalid: skip }], invalid: empty }")
        let output = try #require(analysis.method("users.get")).output
        guard case .value(let rows) = output, case .list(let row) = rows.type else {
            Issue.record("\(output)")
            return
        }
        #expect(rows.tolerances == [.empty])
        #expect(row.tolerances == [.skip])
    }
}

@Suite("A public model")
struct PublicModelTests {
    private func models(_ text: String) -> Analysis {
        Analysis(users: "methods: { get: { get: users.get } }\nmodels:\n  \(text)\n")
    }

    @Test("a public model is read and written with the models in it, and not reported as unused")
    func used() throws {
        let analysis = models(
            "Push: { public: true, fields: { a: \"[Part]\" } }\n  Part: { b: Kind }\n  Kind: { enum: [x] }"
        )
        #expect(analysis.rendered.isEmpty)
        for name in ["Push", "Part"] {
            let model = try #require(analysis.model(name))
            #expect(model.isRead && model.isWritten)
        }
    }

    @Test("a public model that says `false` is unused, and the help names the remedy")
    func unused() {
        let analysis = models("Push: { public: false, fields: { a: int } }")
        #expect(analysis.marks == ["T0205: Push"])
        #expect(analysis.rendered.contains("`public: true`"))
    }

    @Test("a public model is declared under `models`, with `true` or `false`, and is no alias")
    func places() {
        #expect(models("Id: { type: int, public: true }").codes.contains("T0311"))
        #expect(models("Push: { public: yes please, fields: { a: int } }").codes.contains("T0102"))
        let inline = models(
            "A: { public: true, fields: { b: { public: true, fields: { c: int } } } }")
        #expect(inline.marks == ["T0311: public"])
        let short = models("Push: { public: true, a: int }")
        #expect(short.rendered.contains("write `{ public: …, fields: { … } }`"))
    }
}
