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

    @Test("files cannot be unique")
    func files() {
        let analysis = Analysis(
            users: """
                methods:
                  send:
                    post: send
                    multipart: { files: { type: "[file]", unique: true } }
                """)
        #expect(analysis.marks == ["T0401: unique"])
    }

    @Test(
        "compared models are hashable, and others are not",
        arguments: [
            ("{ type: [Place], unique: true }", ["Place", "Shop"]),
            ("{ type: [[Place]], unique: true }", ["Place", "Shop"]),
            ("{ type: [Place], unique-by: shop }", ["Shop"]),
            ("{ type: [Place], unique-by: lat }", []),
            ("{ type: [json], unique: true }", []),
        ])
    func unique(type: String, hashable: [String]) {
        let analysis = models(
            "User: { places: \(type), place: Place }\nPlace: { lat: double?, shop: Shop }\n"
                + "Shop: { name: string }")
        #expect(analysis.rendered.isEmpty)
        let conforming = ["User", "Place", "Shop"].filter {
            analysis.model($0)?.conformances == [.hashable]
        }
        #expect(conforming == hashable)
    }

    @Test("a model that is an identity is hashable")
    func identityModel() throws {
        let analysis = models(
            "User: { conforms: [Identifiable], fields: { id: Key } }\nKey: { a: int }")
        #expect(analysis.rendered.isEmpty)
        #expect(try #require(analysis.model("Key")).conformances == [.hashable])
    }

    @Test("a codable model is read and written, and the models in it need no conformance")
    func codable() throws {
        let analysis = models(
            """
            User: { place: Place }
            Place: { conforms: [Codable], fields: { shop: Shop } }
            Shop: { lat: double }
            """)
        #expect(analysis.rendered.isEmpty)
        #expect(try #require(analysis.model("User")).isWritten == false)
        #expect(try #require(analysis.model("Place")).conformances == [.codable])
        let shop = try #require(analysis.model("Shop"))
        #expect(shop.isWritten && shop.conformances.isEmpty)
    }
}
