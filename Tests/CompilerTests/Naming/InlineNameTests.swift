import SpecIR
import Testing

@Suite("Inline types have derived or explicit names")
struct InlineNameTests {
    private func user(_ fields: String) -> Analysis {
        Analysis(
            users: """
                methods: { get: { get: users.get, returns: User } }
                models: { User: \(fields) }
                """)
    }

    @Test(
        "a reserved name gets the model's name as a prefix",
        arguments: [("type", "UserType"), ("date", "UserDate"), ("errors", "UserError")])
    func reserved(key: String, name: String) throws {
        let type = key == "errors" ? "[{ x: int }]" : "{ enum: [a, b] }"
        let analysis = user("{ fields: { \(key): \(type) } }")
        let model = try #require(analysis.model("User.\(name)"), "\(analysis)")
        #expect(model.name == name)
        #expect(analysis.rendered.isEmpty)
    }

    @Test(
        "a name that only the code of calls uses stays as it is inside a model",
        arguments: [("result", "Result"), ("server", "Server"), ("properties", "Properties")])
    func short(key: String, name: String) {
        let analysis = user("{ fields: { \(key): { enum: [a, b] } } }")
        #expect(analysis.model("User.\(name)") != nil)
        #expect(analysis.rendered.isEmpty)
    }

    @Test("two types of one name in one model are one type if they are equal")
    func equal() {
        let photo = "{ fields: { url: string } }"
        let analysis = user("{ photo: \(photo), photos: [\(photo)] }")
        #expect(analysis.rendered.isEmpty)
        #expect(analysis.model("User")?.nested.map(\.name) == ["Photo"])
        let unequal = user("{ photo: \(photo), photos: [{ fields: { url: int } }] }")
        #expect(unequal.codes == ["T0701"])
    }

    @Test("the prefix of an inline type's name is the name of the nearest model")
    func nested() {
        let analysis = user("{ place: { fields: { type: { enum: [a] } } } }")
        #expect(analysis.model("User.Place.PlaceType") != nil)
    }

    @Test("an explicit type name does not change the property's name")
    func given() throws {
        let analysis = user("{ a: { enum: [b], swift: { type: Kind, name: kind } } }")
        #expect(analysis.rendered.isEmpty)
        let field = try #require(analysis.field("User", "kind"))
        #expect(field.value.type == .enumeration("User.Kind", isInteger: false))
    }

    @Test(
        "an explicit name without a declaration is an error",
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
