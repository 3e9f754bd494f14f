import SpecIR
import Testing

@Suite("Mixins copy fields of other models")
struct MixinTests {
    private func admin(_ admin: String, _ models: String = "") -> Analysis {
        Analysis(
            users: """
                methods:
                  get: { get: users.get, returns: Admin }
                models:
                  User: { id: { type: int, min: 1 }, name: string?, kind: { enum: [a, b, c] } }
                  Admin: \(admin)
                \(models.split(separator: "\n").map { "  \($0)\n" }.joined())
                """)
    }

    private func fields(_ analysis: Analysis, of model: String = "Admin") -> [String] {
        guard case .object(let fields)? = analysis.model(model)?.kind else { return [] }
        return fields.map(\.name)
    }

    @Test(
        "fields of mixins come first, in order, in all forms",
        arguments: [
            "{ with: User, level: int }", "{ with: [User], fields: { level: int } }",
            "{ with: User, doc: An admin., fields: { level: int } }",
        ])
    func order(admin form: String) {
        #expect(fields(admin(form)) == ["id", "name", "kind", "level"])
    }

    @Test("mixins of mixins count, and a field that comes twice is one field")
    func diamond() {
        let analysis = admin(
            "{ with: [Named, Dated], level: int }",
            "Named: { with: User, nick: string }\nDated: { with: User, day: string }")
        #expect(fields(analysis) == ["id", "name", "kind", "nick", "day", "level"])
    }

    @Test("a model that only lends fields has no Swift type and is not unused")
    func pure() {
        let analysis = admin("{ with: User }")
        #expect(analysis.codes == [])
        #expect(analysis.model("User") == nil)
        #expect(fields(analysis) == ["id", "name", "kind"])
    }

    @Test("inline objects and replies mix in as well")
    func inline() {
        let analysis = Analysis(
            users: """
                methods:
                  get: { get: users.get, returns: { with: User, top: { with: User } } }
                models:
                  User: { id: int }
                """)
        #expect(fields(analysis, of: "UsersGetReply") == ["id", "top"])
        #expect(fields(analysis, of: "UsersGetReply.Top") == ["id"])
    }

    @Test("a model's own field may narrow a mixin's field, at the place of that field")
    func narrowing() throws {
        let analysis = admin(
            "{ with: User, name: Name, kind: { const: a }, id: { type: int, min: 5, max: 9 } }",
            "Name: { type: string, max-length: 9 }")
        #expect(analysis.codes == [])
        #expect(fields(analysis) == ["id", "name", "kind"])
        let id = try #require(analysis.field("Admin", "id"))
        #expect(id.value.rules == [Rule(.min, .number("5")), Rule(.max, .number("9"))])
        let name = try #require(analysis.field("Admin", "name"))
        #expect(!name.isOptional)
        #expect(name.value.alias == "Name")
        let kind = try #require(analysis.field("Admin", "kind"))
        #expect(kind.value.rules.map(\.name) == [.constant])
    }

    @Test("rules of the mixin's field stay")
    func rules() throws {
        let analysis = admin("{ with: User, id: int }")
        let id = try #require(analysis.field("Admin", "id"))
        #expect(id.value.rules == [Rule(.min, .number("1"))])
    }

    @Test(
        "a model's own field cannot widen a mixin's field",
        arguments: [
            ("id: int?", "it may be missing"),
            ("id: { type: int, default: 3 }", "it may be missing"),
            ("id: int | null", "it may be null"),
            ("id: string", "`string` is not a narrower `int`"),
            ("id: { type: int, min: 0 }", "its rule `min` allows more"),
            ("id: { type: int, key: ID }", "its `key` differs"),
            ("kind: { enum: [a, d] }", "the mixin does not have the value `d`"),
            ("name: { enum: [1, 2], type: int }", "an enumeration is not a narrower `string`"),
            ("name: [string]", "`list` is not a narrower `string`"),
        ])
    func widening(field: String, reason: String) throws {
        let analysis = admin("{ with: User, \(field) }")
        let diagnostic = try #require(analysis.bag.all.first)
        #expect(analysis.codes == ["T0331"], "\(analysis)")
        #expect(diagnostic.label == reason)
        #expect(diagnostic.notes.map(\.text) == ["the mixin declares it here"])
    }

    @Test("two mixins that disagree need a declaration that fits both")
    func disagreement() {
        let other = "Thing: { id: { type: int, max: 9 } }\nText: { id: string }"
        let apart = admin("{ with: [User, Text] }", other)
        #expect(apart.marks.contains("T0331: User"), "\(apart)")
        #expect(admin("{ with: [User, Thing] }", "Thing: { id: { type: int, min: 3 } }").api != nil)
        #expect(admin("{ with: [User, Text], id: int }", other).codes.contains("T0331"))
    }

    @Test(
        "a mixin is a model with fields",
        arguments: [
            ("{ with: ID, level: int }", "T0330: ID"), ("{ with: Usr }", "T0201: Usr"),
            ("{ with: string }", "T0330: string"), ("{ with: '[User]' }", "T0330: [User]"),
            ("{ with: User? }", "T0330: User"), ("{ with: { a: User } }", "T0102: { a: User }"),
            ("{ with: User, type: int }", "T0105: with"),
            ("{ with: Admin, level: int }", "T0330: Admin"),
            ("{ with: Loop, level: int }", "T0330: Admin"),
            ("{ level: { with: Admin } }", "T0330: Admin"),
        ])
    func refusal(form: String, mark: String) {
        let analysis = admin(form, "ID: int\nLoop: { with: Admin }")
        #expect(analysis.marks.contains(mark), "\(analysis)")
        #expect(analysis.api == nil)
    }

    @Test("a field that is called `with` stands under `fields`")
    func field() {
        #expect(fields(admin("{ fields: { with: string } }")) == ["with"])
    }

    @Test("a long chain of mixins is expanded, and an enormous one refused")
    func size() {
        let chain = { (count: Int) in
            (1..<count).map { "M\($0): { with: M\($0 - 1), f\($0): int }\n" }.joined()
                + "M0: { f0: int }\n"
        }
        let long = admin("{ with: M99 }", chain(100))
        #expect(fields(long).count == 100)
        #expect(admin("{ with: M299 }", chain(300)).codes.contains("T0010"))
    }
}
