import SpecDiagnostics
import SpecImport
import TelexCompiler
import Testing

@Suite("An overlay over an import")
struct OverlayTests {
    private static let description = """
        openapi: 3.1.0
        info: { title: Shop, version: "1" }
        servers: [{ url: https://shop.example }]
        paths:
          /pets:
            get:
              tags: [pets]
              operationId: listPets
              parameters:
                - { name: limit, in: query, schema: { type: integer, maximum: 9 } }
                - { name: sort, in: query, schema: { type: string } }
              responses:
                "200":
                  description: ok
                  content: { application/json: { schema: { type: array, items: { $ref: "#/components/schemas/Pet" } } } }
            post:
              tags: [pets]
              operationId: addPet
              requestBody: { content: { application/json: { schema: { $ref: "#/components/schemas/Dog" } } } }
              responses: { "204": { description: ok } }
        components:
          schemas:
            Pet: { type: object, required: [id], properties: { id: { type: integer }, name: { type: string } } }
            Dog: { allOf: [{ $ref: "#/components/schemas/Pet" }, { type: object, required: [breed], properties: { breed: { type: string } } }] }

        """

    /// The import with an overlay: its files, and its errors.
    private static func overlaid(_ text: String) -> (files: [String: String], errors: String) {
        var sources = SourceMap()
        let file = sources.add(path: "api.yaml", text: description)
        let overlay = sources.add(path: "over.yaml", text: text)
        var result = DescriptionImport(openAPI: [file])
        result.apply(overlay, in: sources)
        let files = Dictionary(
            result.files.map { ($0.name, $0.text) }, uniquingKeysWith: { $1 })
        return (files, LineRenderer().render(result.diagnostics, in: sources))
    }

    @Test(
        "an overlay over an import is refused where an entry meets nothing",
        arguments: [
            (
                "methods: { pets.lst: { retry: none } }",
                "1:12: error: `methods` has no `pets.lst` [T1007]\n"
                    + "over.yaml:1:12: note: help: did you mean `pets.list`?"
            ),
            ("methods: { pets.lst: null }", "1:12: error: `methods` has no `pets.lst`"),
            ("models: { Bet: { fields: { } } }", ""),
            (
                "models: { Bird: { doc: A bird. } }",
                "1:11: error: `models` has no `Bird` [T1007]\n"
                    + "over.yaml:1:11: note: help: what is new has to be whole: a method with its "
                    + "verb, a model, field or parameter with its type"
            ),
            (
                "models:\n  Pet:\n    nme: { doc: Its name. }\n",
                "3:5: error: `Pet` has no `nme` [T1007]\n"
                    + "over.yaml:3:5: note: help: did you mean `name`?"
            ),
            (
                "methods: { pets.list: { query: { limt: { max: 5 } } } }",
                "1:34: error: `pets.list.query` has no `limt` [T1007]"
            ),
            (
                "methods: { pets.list: { doc: null } }",
                "1:25: error: `pets.list` has no `doc` [T1007]\nover.yaml:1:25: note: help: remove the line"
            ),
            ("timeout: ~", "1:1: error: `api.yaml` has no `timeout` [T1007]"),
            ("[a]", "1:1: error: an overlay is a mapping [T1007]"),
            ("methods: [", "1:11: error:"),
        ])
    func refused(text: String, errors: String) {
        let found = Self.overlaid(text).errors
        if errors.isEmpty {
            #expect(found == "")
        } else {
            #expect(found.hasPrefix("over.yaml:" + errors), "\(found)")
        }
    }

    @Test("an overlay changes, adds and removes settings, methods, models, fields and parameters")
    func whole() {
        let result = Self.overlaid(
            """
            timeout: 30s
            servers: { staging: "https://staging.example/" }
            methods:
              pets.list:
                retry: none
                query:
                  sort: null
                  limit: { default: 5, doc: How many. }   # a long line, which would not fit braces
              pets.find:
                get: pets/find
                # on trial
                returns: [Pet]
              users.me: { get: me, returns: User }
            models:
              Dog: { doc: A dog. }
              Pet: { name: { min-length: 1 }, born: Date?, id: uuid }
              User: { id: int }
            """)
        #expect(result.errors == "")
        #expect(
            result.files == [
                "api.yaml": """
                telex: 1
                api: Shop

                servers:
                  production: https://shop.example/
                  staging: https://staging.example/
                timeout: "30s"

                """,
                "pets.yaml": """
                methods:
                  pets.list:
                    get: pets
                    query: { limit: { type: int?, max: 9, default: 5, doc: How many. } }
                    returns: [Pet]
                    retry: none

                  pets.find:
                    get: pets/find
                    # on trial
                    returns: [Pet]

                  pets.add: { post: pets, body: Dog? }

                models:
                  Pet: { id: uuid, name: { type: string?, min-length: 1 }, born: Date? }
                  Dog: { with: Pet, fields: { breed: string }, doc: A dog. }

                """,
                "users.yaml": "methods:\n  users.me: { get: me, returns: User }\n",
                "models.yaml": "models:\n  User: { id: int }\n",
            ])
    }

    @Test("an overlay over an import replaces a type, and removes a method with its file")
    func replacing() {
        let result = Self.overlaid(
            """
            methods:
              pets.list: { returns: [string], query: { sort: { enum: [up, down] } } }
              pets.add: null
            models: { Dog: ~, Pet: }
            """)
        #expect(result.errors == "")
        #expect(
            result.files["pets.yaml"] == """
                methods:
                  pets.list:
                    get: pets
                    query: { limit: { type: int?, max: 9 }, sort: { enum: [up, down] } }
                    returns: [string]

                """)
    }

    @Test("an overlay over an import without entries that match, leaves the import as it is")
    func unchanged() {
        let result = Self.overlaid("methods: { pets.list: { get: pets } }")
        #expect(result.errors == "")
        var sources = SourceMap()
        let plain = DescriptionImport(
            openAPI: [sources.add(path: "api.yaml", text: Self.description)])
        #expect(result.files.count == plain.files.count)
        for file in plain.files { #expect(result.files[file.name] == file.text) }
    }
}
