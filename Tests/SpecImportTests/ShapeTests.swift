import SpecImport
import Testing

@Suite("An import is as short as a person would write it")
struct ShapeTests {
    /// A description with one `get` for each path, whose reply has a schema.
    private func imported(
        _ replies: [(path: String, schema: String)], _ schemas: String = "{}", tag: Bool = true
    ) -> Imported {
        let paths = replies.map { path, schema in
            let group = path.split(separator: "/").first ?? ""
            let names = path.matches(of: #/\{(.*?)\}/#).map(\.1)
            let parameters = names.map {
                "{ name: \($0), in: path, required: true, description: \"The \($0) of \(path).\", schema: { type: integer } }"
            }
            return """
                  \(path):
                    get:
                      tags: [\(group)]
                      parameters: [\(parameters.joined(separator: ", "))]
                      responses: { "200": { description: ok, content: { application/json: { schema: \(schema) } } } }
                """
        }
        return Imported([
            "api.yaml": """
            openapi: 3.1.0
            info: { title: Zoo, version: "1" }
            servers: [{ url: https://zoo.example }]
            paths:
            \(paths.joined(separator: "\n"))
            components: { schemas: \(schemas) }
            """
        ])
    }

    private func object(_ fields: [(String, String)]) -> String {
        let names = fields.map(\.0).joined(separator: ", ")
        let properties = fields.map { "\($0): \($1)" }.joined(separator: ", ")
        return "{ type: object, required: [\(names)], properties: { \(properties) } }"
    }

    private func reference(_ name: String) -> String {
        "{ $ref: \"#/components/schemas/\(name)\" }"
    }
    private let text = "{ type: string }"
    private let number = "{ type: integer }"

    // MARK: Generic models

    @Test("names that begin and end with the same word become one generic model")
    func overlap() {
        func model(_ type: String) -> String {
            object([("item", type), ("n", number), ("note", text)])
        }
        let schemas =
            "{ AntBee: \(model(text)), AntFlyBee: \(model(number)), AntBeeBee: \(model("{ type: boolean }")) }"
        let spec = imported(
            [
                ("/a", reference("AntBee")), ("/b", reference("AntFlyBee")),
                ("/c", reference("AntBeeBee")),
            ],
            schemas)
        #expect(spec.errors == "")
        #expect(spec.diagnostics == "")
        #expect(spec.spec.contains("AntFlyBee: Ant"))
        let one =
            "{ Ant: \(model(text)), AntAnt: \(model(number)), AntAntAnt: \(model("{ type: boolean }")) }"
        let same = imported(
            [
                ("/a", reference("Ant")), ("/b", reference("AntAnt")),
                ("/c", reference("AntAntAnt")),
            ], one)
        #expect(same.diagnostics == "")
    }

    @Test("replies that differ in the type of one field become uses of a page")
    func pages() {
        let animals = ["Cat", "Dog", "Cow"]
        let schemas = animals.map {
            "\($0): \(object([("\($0.lowercased())_name", text), ("age", number)]))"
        }
        func page(_ name: String) -> String {
            object([
                ("data", "{ type: array, items: \(reference(name)) }"), ("page", number),
                ("pages", number), ("results", number),
            ])
        }
        let spec = imported(
            animals.map { ("/\($0.lowercased())s", page($0)) } + [("/cats/old", page("Cat"))],
            "{ \(schemas.joined(separator: ", ")) }")
        #expect(spec.diagnostics == "")
        #expect(
            spec.spec.contains(
                "  Page<Item>: { data: [Item], page: int, pages: int, results: int }"))
        #expect(spec.file("dogs.yaml").contains("returns: Page<Dog>"))
        #expect(spec.file("cats.yaml").components(of: "Page<Cat>") == 2)
        let few = imported(
            animals.prefix(2).map { ("/\($0.lowercased())s", page($0)) },
            "{ \(schemas.joined(separator: ", ")) }")
        #expect(!few.spec.contains("Page<"))
    }

    @Test("a page whose names are taken by models gets another name")
    func taken() {
        let schemas = ["Cat", "Dog", "Cow", "PageCat", "Paginated"].map {
            "\($0): \(object([("\($0)_name", text)]))"
        }
        func page(_ name: String) -> String {
            object([
                ("items", "{ type: array, items: \(reference(name)) }"), ("total", number),
                ("next", text),
            ])
        }
        let spec = imported(
            [
                ("/a", page("Cat")), ("/b", page("Dog")), ("/c", page("Cow")),
                ("/d", reference("PageCat")),
                ("/e", reference("Paginated")),
            ],
            "{ \(schemas.joined(separator: ", ")) }")
        #expect(spec.diagnostics == "")
        #expect(spec.spec.contains("ItemsReply<Item>:"))
    }

    // MARK: Unwrapping

    @Test("a key that all replies have alone is unwrapped, for the API or for a group")
    func unwrap() {
        func wrapped(_ type: String) -> String { object([("data", type)]) }
        let schemas =
            "{ Cat: \(object([("id", number), ("name", text)])), CatReply: \(wrapped(reference("Cat"))) }"
        let replies = [
            ("/cats", wrapped("{ type: array, items: \(reference("Cat")) }")),
            ("/cats/{id}", reference("CatReply")),
            ("/names", wrapped("{ type: array, items: \(text) }")),
            ("/sizes", wrapped(object([("least", number), ("most", number)]))),
        ]
        let all = imported(replies, schemas)
        #expect(all.diagnostics == "")
        #expect(all.file("api.yaml").contains("unwrap: data\n"))
        #expect(all.file("cats.yaml").contains("cats.list: { get: cats, returns: [Cat] }"))
        #expect(!all.spec.contains("CatReply"))
        let most = imported(
            replies + [("/health", object([("up", text), ("since", text)]))], schemas)
        #expect(most.diagnostics == "")
        #expect(most.file("health.yaml").contains("unwrap: none"))
        let group = imported(
            replies.map { ("/zoo" + $0, $1) }
                + ["/a", "/b", "/c"].map { ($0, object([("x", text), ("y", number)])) }, schemas)
        #expect(group.diagnostics == "")
        #expect(!group.file("api.yaml").contains("unwrap:"))
        #expect(group.file("zoo.yaml").contains("unwrap: data\n"))
    }

    @Test("a key that only says that all is well, or that may be missing, is not unwrapped")
    func kept() {
        let flags = ["/a", "/b", "/c"].map { ($0, object([("ok", "{ type: boolean }")])) }
        #expect(!imported(flags).spec.contains("unwrap"))
        let optional = ["/a", "/b", "/c"].map {
            ($0, "{ type: object, properties: { data: { type: integer } } }")
        }
        #expect(!imported(optional).spec.contains("unwrap"))
    }

    // MARK: Paths

    @Test("the prefix is the one that most methods use, whatever they say about its parameters")
    func prefix() {
        let spec = imported(
            ["", "/{cat}", "/{cat}/toys", "/{cat}/naps", "/{cat}/naps/{nap}"].map {
                ("/zoo/cats" + $0, text)
            })
        #expect(spec.diagnostics == "")
        #expect(spec.file("zoo.yaml").hasPrefix("prefix: zoo/cats/{cat}\n"))
        #expect(spec.file("zoo.yaml").contains("doc: \"The cat of /zoo/cats/{cat}.\""))
        let plain = imported(["/long/path/a", "/long/path/b", "/long/path/c"].map { ($0, text) })
        #expect(plain.file("long.yaml").hasPrefix("prefix: long/path\n"))
        let short = imported(["/x/a", "/x/b", "/x/c"].map { ($0, text) })
        #expect(!short.spec.contains("prefix:"))
    }

    // MARK: Patterns

    @Test("a pattern in three places gets the name of its most frequent field")
    func patterns() {
        let slug = "{ type: string, pattern: \"^[a-z-]+$\", maxLength: 40 }"
        let other = "{ type: string, pattern: \"^[0-9]+$\" }"
        let spec = imported([
            ("/a", object([("slug", slug), ("zip", other)])),
            ("/b", object([("slug", slug), ("n", number)])),
            ("/c", object([("tags", "{ type: array, items: \(slug) }"), ("zip", other)])),
        ])
        #expect(spec.diagnostics == "")
        #expect(
            spec.file("models.yaml").contains(
                "  Slug: { type: string, pattern: '^[a-z-]+$', max-length: 40 }"))
        #expect(spec.file("a.yaml").contains("slug: Slug"))
        #expect(spec.file("c.yaml").contains("tags: [Slug]"))
        #expect(!spec.spec.contains("Zip"))
    }
}

extension String {
    /// How often a text occurs.
    fileprivate func components(of text: String) -> Int { ranges(of: text).count }
}
