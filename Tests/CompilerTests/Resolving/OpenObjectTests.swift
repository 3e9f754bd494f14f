import SpecIR
import Testing

@Suite("Objects that keep or refuse further keys")
struct OpenObjectTests {
    private func user(_ user: String, _ models: String = "") -> Analysis {
        Analysis(
            users: """
                methods:
                  get: { get: users.get, returns: User }
                models:
                  User: \(user)
                \(models.split(separator: "\n").map { "  \($0)\n" }.joined())
                """)
    }

    @Test("`additional` is a map after the fields, with rules for each value")
    func additional() throws {
        let analysis = user(
            "{ additional: { type: int, min: 0, doc: Others. }, fields: { id: int } }")
        let field = try #require(analysis.field("User", "additional"))
        #expect(field.isAdditional)
        #expect(field.documentation.text == "Others.")
        #expect(field.defaultValue == .map([]))
        let value = Value(.integer(.int, from: .native), rules: [Rule(.min, .number("0"))])
        #expect(field.value.type == .map(.string, value))
    }

    @Test("an inline type of further values is nested in the model")
    func inline() {
        let analysis = user("{ additional: { fields: { a: int } }, fields: { id: int } }")
        #expect(analysis.field("User.Additional", "a") != nil)
    }

    @Test("a mixin lends `additional`, but not `closed`")
    func mixins() {
        let open = user(
            "{ with: Base, level: int }", "Base: { additional: json, fields: { id: int } }")
        #expect(open.field("User", "additional")?.isAdditional == true)
        let closed = user(
            "{ with: Base, level: int }", "Base: { closed: true, fields: { id: int } }")
        #expect(closed.model("User")?.isClosed == false)
    }

    @Test("a field called `additional` is one like any other")
    func field() {
        #expect(user("{ additional: string }").field("User", "additional")?.isAdditional == false)
        let both = user(
            "{ additional: { type: int, swift: { name: more } }, fields: { additional: int } }")
        #expect(both.field("User", "more")?.isAdditional == true)
        #expect(both.field("User", "additional")?.isAdditional == false)
    }

    @Test("a closed model is closed")
    func closed() {
        #expect(user("{ closed: true, fields: { id: int } }").model("User")?.isClosed == true)
        #expect(user("{ closed: false, fields: { id: int } }").model("User")?.isClosed == false)
    }

    @Test(
        "a senseless `closed` or `additional` of an object is reported at its place",
        arguments: [
            ("{ closed: true, additional: int, fields: { id: int } }", "T0105: closed"),
            ("{ closed: true, type: int }", "T0105: closed"),
            ("{ enum: [a], additional: int }", "T0105: additional"),
            ("{ additional: true, fields: { id: int } }", "T0102: true"),
            ("{ additional: int?, fields: { id: int } }", "T0310: ?"),
            ("{ additional: { type: int, default: 1 }, fields: { id: int } }", "T0311: default"),
            ("{ additional: int, fields: { additional: int } }", "T0701: additional"),
            ("{ id: int, closed: true }", "T0112: closed"),
            ("{ additionalProperties: true, fields: { id: int } }", "T0101: additionalProperties"),
        ])
    func refusal(form: String, mark: String) {
        let analysis = user(form)
        #expect(analysis.marks == [mark], "\(analysis)")
    }
}
