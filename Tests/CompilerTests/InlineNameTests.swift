import SpecIR
import Testing

@Suite("Inline types get a name, or are given one")
struct InlineNameTests {
    private func user(_ fields: String) -> Analysis {
        Analysis(
            users: """
                methods: { get: { get: users.get, returns: User } }
                models: { User: \(fields) }
                """)
    }

    @Test(
        "a name that Swift needs gets the model's in front",
        arguments: [("type", "UserType"), ("date", "UserDate"), ("errors", "UserError")])
    func reserved(key: String, name: String) throws {
        let type = key == "errors" ? "[{ x: int }]" : "{ enum: [a, b] }"
        let analysis = user("{ fields: { \(key): \(type) } }")
        let model = try #require(analysis.model("User.\(name)"), "\(analysis)")
        #expect(model.name == name)
        #expect(analysis.rendered.isEmpty)
    }

    @Test("the name in front is that of the nearest model")
    func nested() {
        let analysis = user("{ place: { fields: { type: { enum: [a] } } } }")
        #expect(analysis.model("User.Place.PlaceType") != nil)
    }

    @Test("a name given by hand is the type's, and does not change the property's")
    func given() throws {
        let analysis = user("{ a: { enum: [b], swift: { type: Kind, name: kind } } }")
        #expect(analysis.rendered.isEmpty)
        let field = try #require(analysis.field("User", "kind"))
        #expect(field.value.type == .enumeration("User.Kind", isInteger: false))
    }

    @Test(
        "a name for what has none is a mistake",
        arguments: [
            ("{ a: { type: int, swift: { type: Kind } } }", "Kind"),
            ("{ a: [{ enum: [b], swift: { name: kind } }] }", "kind"),
            ("{ fields: { a: int }, swift: { type: Person } }", "Person"),
        ])
    func nothing(fields: String, mark: String) {
        #expect(user(fields).marks == ["T0311: \(mark)"])
    }

    @Test("a reply and a method have no name of the other kind")
    func methods() {
        let analysis = Analysis(
            users: """
                methods:
                  a: { get: a, returns: { fields: { x: int }, swift: { name: b } } }
                  c: { get: c, swift: { type: D } }
                """)
        #expect(analysis.marks == ["T0311: b", "T0101: type"])
    }
}
