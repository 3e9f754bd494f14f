import Foundation
import SpecImport
import TestSupport
import Testing

@Suite("Names of an import say what things are, and do not depend on their order")
struct ImportNamingTests {
    /// A description with operations as lines of YAML.
    private func imported(_ paths: String, schemas: String = "{}") -> Imported {
        Imported([
            "api.yaml": """
            openapi: 3.1.0
            info: { title: Zoo, version: "1" }
            servers: [{ url: https://zoo.example }]
            paths:
            \(paths)
            components: { schemas: \(schemas) }
            """
        ])
    }

    /// `/path: verb tag id reply` as an operation.
    private func operations(_ lines: String...) -> String {
        var paths: [String: [String]] = [:]
        var order: [String] = []
        for line in lines {
            let words = line.split(separator: " ", maxSplits: 4).map(String.init)
            let tag = words[2] == "-" ? "" : "tags: [\(words[2])], "
            let id = words[3] == "-" ? "" : "operationId: \(words[3]), "
            let names = words[0].matches(of: #/\{(.*?)\}/#).map {
                "{ name: \($0.1), in: path, required: true, schema: { type: integer } }"
            }
            let parameters = "parameters: [\(names.joined(separator: ", "))], "
            let schema = words.count > 4 ? words[4] : "{ $ref: \"#/components/schemas/Cat\" }"
            let reply =
                "responses: { \"200\": { description: ok, content: { application/json: "
                + "{ schema: \(schema) } } } }"
            if paths[words[0]] == nil { order.append(words[0]) }
            paths[words[0], default: []].append(
                "    \(words[1]): { \(tag)\(id)\(parameters)\(reply) }")
        }
        return order.map { "  \($0):\n" + (paths[$0] ?? []).joined(separator: "\n") }
            .joined(separator: "\n")
    }

    private let cat =
        "{ Cat: { type: object, properties: { id: { type: integer }, tags: { type: array, items: { type: string } } } } }"
    private let list = "{ type: array, items: { $ref: \"#/components/schemas/Cat\" } }"

    // MARK: Methods

    @Test("a method that returns a list is named `list`, and one that returns one by its id `get`")
    func meaning() {
        let page =
            "{ type: object, properties: { items: \(list), total: { type: integer }, next_cursor: { type: string } } }"
        let pairs = [
            ("getCats", "getCat"), ("getCats", "getCatById"), ("findCats", "retrieveCat"),
            ("CatsController_findAll", "CatsController_findOne"), ("fetchAllCats", "readCat"),
            ("cats_index", "cats_show"), ("-", "-"),
        ]
        for (many, one) in pairs {
            for reply in [list, page, "{ type: object, properties: { cats: \(list) } }"] {
                let lines = [
                    operations("/cats get cats \(many) \(reply)", "/cats/{id} get cats \(one)"),
                    operations("/cats/{id} get cats \(one)", "/cats get cats \(many) \(reply)"),
                ]
                for paths in lines {
                    let spec = imported(paths, schemas: cat)
                    #expect(spec.diagnostics == "", "\(many) \(one)")
                    let file = spec.file("cats.yaml").split(whereSeparator: \.isWhitespace)
                        .joined(separator: " ").replacing("{ ", with: "")
                    #expect(file.contains("cats.list: get: cats"), "\(many)")
                    #expect(file.contains("cats.get: get: \"cats/{id}\""), "\(one)")
                }
            }
        }
    }

    @Test("an identifier that says more keeps its words")
    func words() {
        let file = imported(
            operations(
                "/cats get cats searchCats \(list)", "/cats/{id} get cats getFatCat",
                "/cats/naps get cats getCatNaps \(list)", "/cats/current get cats getCurrentCat",
                "/cats.get get cats cats.get \(list)",
                "/cats/stats get cats listStats { type: object }"),
            schemas: cat
        ).file("cats.yaml")
        for name in ["search", "getFat", "getNaps", "getCurrent", "get", "listStats"] {
            #expect(file.contains("  cats.\(name):"), "\(name)")
        }
    }

    @Test("the shorter path of two lists has the claim; equal ones keep their own words")
    func claims() {
        let nested = imported(
            operations(
                "/keepers/{id}/cats get cats findCats \(list)", "/cats get cats listCats \(list)"),
            schemas: cat
        ).file("cats.yaml")
        #expect(nested.contains("cats.list: { get: cats,"))
        #expect(nested.contains("cats.find: { get: \"keepers/{id}/cats\""))
        let equal = imported(
            operations("/big get cats findCats \(list)", "/small get cats fetchCats \(list)"),
            schemas: cat
        ).file("cats.yaml")
        #expect(equal.contains("cats.find: { get: big"))
        #expect(equal.contains("cats.fetch: { get: small"))
    }

    @Test("paths alone tell many from one, and whole paths what is still alike")
    func described() {
        let file = imported(
            operations(
                "/cats/{id}/toys get - - \(list)", "/cats/{id}/toys/{toy} get - -",
                "/cats/{id}/toys/{toy} delete - -", "/cats/{id}/toys delete - -"),
            schemas: cat
        ).file("cats.yaml")
        for name in ["listToys", "getToy", "deleteToy", "deleteToys"] {
            #expect(file.contains("  cats.\(name):"), "\(name)")
        }
    }

    @Test("the path and the verb at the end of an identifier go, and what all begin with")
    func noise() {
        let file = imported(
            operations(
                "/cats/{cat_id} delete cats wash_cat_cats__cat_id__delete",
                "/cats post cats feed_cats_cats_post", "/cats/{cat_id} put cats zooV1_cats_brush",
                "/dogs put dogs zooV1_dogs_walk"),
            schemas: cat)
        #expect(file.file("cats.yaml").contains("  cats.wash:"))
        #expect(file.file("cats.yaml").contains("  cats.feed:"))
        let common = imported(
            operations(
                "/a post cats zoo_v1_cats_brush", "/b post cats zoo_v1_cats_wash",
                "/c post dogs zoo_v1_dogs_walk", "/d post dogs zoo_v1_callAll"),
            schemas: cat)
        #expect(common.file("cats.yaml").contains("  cats.brush:"))
        #expect(common.file("dogs.yaml").contains("  dogs.callAll:"))
    }

    // MARK: Models

    @Test("the beginning that all names have goes, unless one would have no name left")
    func beginning() {
        func models(_ names: String...) -> String {
            let schemas = names.map {
                "\"\($0)\": { type: object, properties: { a: { type: string } } }"
            }
            let fields = names.enumerated().map {
                "f\($0): { $ref: \"#/components/schemas/\($1)\" }"
            }
            return imported(
                operations(
                    "/x get x getX { type: object, properties: { \(fields.joined(separator: ", ")) } }"
                ),
                schemas: "{ \(schemas.joined(separator: ", ")) }"
            ).spec
        }
        let dotted = models(
            "org.zoo.core.v1.Cat", "org.zoo.core.v1.Event", "org.zoo.log.v1.Event", "org.zoo.Dog")
        for name in ["Cat", "Dog", "CoreV1Event", "LogV1Event"] {
            #expect(dotted.contains("  \(name): { a: string? }"), "\(name)")
        }
        let common = models("ZooApiCat", "ZooApiDog", "ZooApiCow", "ZooApiHorse")
        #expect(common.contains("  Cat: { a: string? }"))
        #expect(common.contains("  Horse: { a: string? }"))
        #expect(models("Cat", "CatDog", "CatCow", "CatHorse").contains("  CatDog: { a: string? }"))
        #expect(models("XCat", "XDog", "XCow").contains("  XDog: { a: string? }"))
    }

    @Test("models without names that ask for the same name get their methods in front, all of them")
    func invented() {
        let one = "{ type: object, properties: { action: { type: string } } }"
        let two = "{ type: object, properties: { action: { type: integer } } }"
        let lines = [
            "/cats/a post cats feed \(one)", "/cats/b post cats wash \(one)",
            "/dogs/a post dogs feed \(two)", "/dogs/b post dogs wash \(two)",
        ]
        for order in [[0, 1, 2, 3], [3, 2, 1, 0]] {
            let spec = imported(order.map { operations(lines[$0]) }.joined(separator: "\n"))
            #expect(spec.diagnostics == "")
            #expect(spec.file("cats.yaml").contains("  CatActionReply: { action: string? }"))
            #expect(spec.file("dogs.yaml").contains("  DogActionReply: { action: int? }"))
        }
        let alone = imported(lines.prefix(2).map { operations($0) }.joined(separator: "\n"))
        #expect(alone.file("cats.yaml").contains("  ActionReply: { action: string? }"))
    }

    // MARK: Order

    /// The names of methods, and those of models, with their files.
    private func names(_ imported: Imported) -> (methods: Set<String>, models: Set<String>) {
        var (methods, models): (Set<String>, Set<String>) = ([], [])
        for (name, text) in imported.result.files {
            for line in text.split(separator: "\n") {
                guard line.hasPrefix("  "), !line.hasPrefix("   "),
                    let key = line.dropFirst(2).split(separator: ":").first
                else { continue }
                if key.contains(".") { methods.insert("\(key)") }
                if key.first?.isUppercase == true { models.insert("\(name) \(key)") }
            }
        }
        return (methods, models)
    }

    @Test("an operation before, or another order, changes no other name")
    func inserted() {
        let reply =
            "{ type: object, properties: { label: { type: string }, n: { type: integer } } }"
        let lines = [
            "/cats get cats getCats \(list)", "/cats/{id} get cats getCat",
            "/cats/{id}/labels get cats listLabels \(reply)",
            "/dogs/{id}/labels get dogs listLabels \(reply)", "/dogs get dogs getDogs \(list)",
        ]
        let plain = names(
            imported(lines.map { operations($0) }.joined(separator: "\n"), schemas: cat))
        #expect(plain.methods.contains("cats.list"))
        #expect(plain.models.contains("models.yaml LabelReply"))
        let new = operations("/ants/{id} get ants getAnt")
        let all = ([new] + lines.reversed().map { operations($0) }).joined(separator: "\n")
        let other = names(imported(all, schemas: cat))
        #expect(other.methods == plain.methods.union(["ants.get"]))
        #expect(other.models == plain.models)
    }

    private static let folder = URL(fileURLWithPath: #filePath)
        .deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()
        .deletingLastPathComponent().appendingPathComponent("shared/data/openapi")

    /// A description in JSON with some of its paths, in any order.
    private func text(_ root: [String: Any], _ paths: [String]) throws -> [UInt8] {
        func json(_ value: Any) throws -> String {
            let options: JSONSerialization.WritingOptions = [.sortedKeys, .fragmentsAllowed]
            return String(
                decoding: try JSONSerialization.data(withJSONObject: value, options: options),
                as: UTF8.self)
        }
        let all = root["paths"] as? [String: Any] ?? [:]
        let entries = try paths.map { "\(try json($0)): \(try json(all[$0] ?? [:]))" }
        var rest = root
        rest["paths"] = nil
        let head = try json(rest).dropLast()
        return Array("\(head), \"paths\": {\(entries.joined(separator: ", "))}}".utf8)
    }

    /// The descriptions are megabytes of their owners' text, so they are not part of the package.
    @Test(
        "public descriptions keep all names in any order, and those that stay without a path",
        .enabled(
            if: FileManager.default.fileExists(atPath: folder.path),
            "the descriptions are not beside the package"),
        arguments: ["discord-3.1.json", "slack-2.0.json"])
    func real(name: String) throws {
        let data = try Data(contentsOf: Self.folder.appendingPathComponent(name))
        let root = try #require(JSONSerialization.jsonObject(with: data) as? [String: Any])
        let paths = try #require(root["paths"] as? [String: Any]).keys.sorted()
        let whole = names(Imported([(path: name, bytes: try text(root, paths))]))
        var generator = SeededGenerator(11)
        for _ in 0..<3 {
            let shuffled = paths.shuffled(using: &generator)
            let other = names(Imported([(path: name, bytes: try text(root, shuffled))]))
            #expect(other.methods == whole.methods)
            #expect(other.models == whole.models)
        }
        for _ in 0..<6 {
            let gone = paths.randomElement(using: &generator) ?? ""
            let rest = paths.filter { $0 != gone }
            let less = names(Imported([(path: name, bytes: try text(root, rest))]))
            #expect(less.methods.isSubset(of: whole.methods), "\(gone)")
            // A model may move to the only group that still uses it.
            let models = { (names: Set<String>) in Set(names.map { $0.split(separator: " ")[1] }) }
            #expect(models(less.models).isSubset(of: models(whole.models)), "\(gone)")
        }
    }
}
