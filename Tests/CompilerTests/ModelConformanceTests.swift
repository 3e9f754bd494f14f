import SpecIR
import Testing

@Suite("Models conform to what Swift can derive; otherwise it is an error")
struct ModelConformanceTests {
    private func models(_ models: String, api: String = "") -> Analysis {
        Analysis(
            users: """
                methods:
                  get: { get: users.get, returns: User }
                models:
                \(models.split(separator: "\n").map { "  \($0)\n" }.joined())
                """, api: api)
    }

    @Test("a model whose fields are values has the required conformances")
    func plain() throws {
        let analysis = models(
            """
            User:
              conforms: [Identifiable, Hashable]
              fields:
                id: uuid
                born: Date?
                extra: json | null
                photos: "{string: [url]}"
                sex: { enum: [f, m] }
                price: decimal
                time: Duration
                key: bytes
            """)
        let user = try #require(analysis.model("User"))
        #expect(user.conformances == [.hashable, .identifiable])
    }

    @Test("models inside an equatable model are equatable, wherever they are declared")
    func field() throws {
        let analysis = models(
            """
            User: { conforms: [Equatable], fields: { id: int, homes: "[Place]?" } }
            Place: { lat: double }
            """)
        #expect(analysis.rendered.isEmpty)
        #expect(try #require(analysis.model("Place")).conformances == [.equatable])
    }

    @Test("models inside a hashable model are hashable, even if they require less")
    func implied() throws {
        let analysis = models(
            """
            User: { conforms: [Hashable], fields: { place: Place } }
            Place: { conforms: [Equatable], fields: { lat: double } }
            """)
        #expect(analysis.rendered.isEmpty)
        #expect(try #require(analysis.model("Place")).conformances == [.hashable])
    }

    @Test("an inline type has the conformances of its model, but is not identifiable")
    func inline() throws {
        let analysis = models(
            """
            User:
              conforms: [Hashable, Identifiable]
              fields: { id: int, last_seen: { time: Date, place: { lat: double } } }
            """)
        #expect(try #require(analysis.model("User.LastSeen.Place")).conformances == [.hashable])
    }

    @Test("conformances of all models apply to nested models")
    func all() throws {
        let analysis = models(
            "User: { id: int, place: Place }\nPlace: { lat: double }",
            api: "conforms: [Hashable, Identifiable]")
        #expect(try #require(analysis.model("User")).conformances == [.hashable, .identifiable])
        #expect(try #require(analysis.model("Place")).conformances == [.hashable])
    }

    @Test(
        "only a model with a field `id` of its own has an identity",
        arguments: [
            "User: { conforms: [Identifiable], fields: { name: string } }",
            "User: { conforms: [Identifiable], enum: [a] }",
            "User: { conforms: [Identifiable], fields: { id: Key } }\nKey: { a: int }",
        ])
    func identity(text: String) {
        #expect(models(text).marks == ["T0311: Identifiable"])
    }

    @Test("another field can be the identity by its Swift name")
    func named() {
        let analysis = models(
            "User: { conforms: [Identifiable], fields: { uid: { type: int, swift: { name: id } } } }"
        )
        #expect(analysis.rendered.isEmpty)
    }

    @Test(
        "elements that cannot be compared cannot be unique",
        arguments: [
            ("{ type: [Place], unique: true }", ["T0401: unique"]),
            ("{ type: [[Place]], unique: true }", ["T0401: unique"]),
            ("{ type: [Place], unique-by: shop }", ["T0401: shop"]),
            ("{ type: [Place], unique-by: lat }", []),
            ("{ type: [json], unique: true }", []),
            ("{ type: [double], unique: true }", []),
        ])
    func unique(type: String, marks: [String]) {
        let analysis = models(
            "User: { places: \(type), place: Place }\nPlace: { lat: double?, shop: Shop }\n"
                + "Shop: { name: string }")
        #expect(analysis.marks == marks)
    }

    @Test("elements that are hashable can be unique")
    func hashable() {
        let analysis = models(
            "User: { places: { type: [Place], unique: true } }\n"
                + "Place: { conforms: [Hashable], fields: { lat: double } }")
        #expect(analysis.rendered.isEmpty)
    }
}
