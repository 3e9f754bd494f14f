import SpecDiagnostics
import TestSupport
import Testing

@Suite("An `x-telex` that was changed")
struct BadExtensionTests {
    private static let spec = [
        "api.yaml": """
        telex: 1
        api: Shop
        servers: { production: https://shop.example/ }
        unwrap: data

        """,
        "orders.yaml": """
        methods:
          orders.list: { get: orders, query: { state: { type: State?, key: s } }, returns: Orders }
          orders.lock: { method: LOCK orders }
          orders.add: { post: orders, json: { id: int }, returns: { 201: Order, 204: nothing } }
        models:
          Order: { id: int, born: { type: Date, as: unix-ms } }
          State: { enum: [open, closed] }
          Page<Item>: { items: [Item], next: Page<Item>? }
          Orders: { all: Page<Order> }

        """,
    ]

    private static func text() throws -> String {
        try Exported(spec).export.yaml
    }

    @Test(
        "an `x-telex` that was changed is an error that names the place",
        arguments: [
            ("x-telex: { name: state, key: s }", "x-telex: { name: [state], key: s }", "a text"),
            ("x-telex: { type: Date, as: unix-ms }", "x-telex: unix-ms", "keys with values"),
            ("replies: [201, 204]", "replies: 201", "a list"),
            ("models:", "models: 5\n      others:", "a list"),
            ("methods:", "methods: orders.list\n      others:", "a list"),
            ("[Order, ", "[Orders2, ", "no schema is called `Orders2`"),
            ("[orders.list, ", "[orders.find, ", "no operation is called `orders.find`"),
            ("models:", "file: ../orders.yaml\n      models:", "cannot be a file of a spec"),
            ("models:", "file: /tmp/orders.yaml\n      models:", "cannot be a file of a spec"),
            ("models:", "file: a/.b/orders.yaml\n      models:", "cannot be a file of a spec"),
            ("models:", "file: api.yaml\n      models:", "cannot be a file of a spec"),
            ("models:", "file: orders.swift\n      models:", "cannot be a file of a spec"),
            ("telex: 1", "telex: 1\n  files: [a]", "keys with values"),
            (
                "telex: 1", "telex: 1\n  files: { ../a.json: text }",
                "is no template"
            ),
            (
                "telex: 1", "telex: 1\n  files: { templates/a.json: { b: c } }",
                "is no template"
            ),
            (
                "telex: 1", "telex: 1\n  files: { templates/../a.json: text }",
                "is no template"
            ),
            (
                "  - name: orders\n", "  - name: orders\n  - name: orders\n",
                "`orders.yaml` is written twice"
            ),
        ])
    func wrong(part: String, other: String, message: String) throws {
        let text = try Self.text()
        try #require(text.contains(part), "\(text)")
        let changed = text.replacing(part, with: other, maxReplacements: 1)
        let restored = Exported.Restored(changed, named: "openapi.yaml")
        #expect(restored.errors.contains(message), "\(restored.errors)")
        #expect(restored.errors.contains("[T1008]"))
        #expect(restored.errors.hasPrefix("openapi.yaml:"))
        #expect(restored.result.files.isEmpty)
    }

    @Test("an `x-telex` that was changed of a spec in wrong words is an error of the spec")
    func words() throws {
        let text = try Self.text().replacing("unwrap: data", with: "unwrap: { a: b }")
        let restored = Exported.Restored(text, named: "openapi.yaml")
        #expect(restored.errors == "")
        #expect(restored.compilation.api == nil)
        #expect(!restored.compilation.diagnostics.isEmpty)
    }

    @Test("a changed `x-telex` never ends the import otherwise than with files or errors")
    func random() throws {
        let lines = try Self.text().split(separator: "\n", omittingEmptySubsequences: false)
        var random = SeededGenerator(33)
        var (failed, read) = (0, 0)
        for _ in 0..<400 {
            var changed = lines
            for _ in 0..<Int.random(in: 1...3, using: &random) {
                let (from, to) = (
                    Int.random(in: 0..<changed.count, using: &random),
                    Int.random(in: 0..<changed.count, using: &random)
                )
                switch Int.random(in: 0..<3, using: &random) {
                case 0: changed.remove(at: from)
                case 1: changed.insert(changed[from], at: to)
                default: changed.swapAt(from, to)
                }
            }
            let restored = Exported.Restored(
                changed.joined(separator: "\n"), named: "openapi.yaml")
            #expect(restored.result.files.isEmpty == restored.result.diagnostics.hasErrors)
            if restored.result.files.isEmpty { failed += 1 } else { read += 1 }
            _ = restored.compilation
        }
        #expect(failed > 20 && read > 20, "\(failed) failed, \(read) were read")
    }

    @Test("an `x-telex` that was removed from the root leaves a description like any other")
    func plain() throws {
        let export = try Exported(Self.spec, hasExtensions: false).export
        #expect(!export.yaml.contains("x-telex"))
        let restored = Exported.Restored(export.yaml, named: "openapi.yaml")
        #expect(restored.errors == "")
        #expect(restored.compilation.api != nil)
    }

    @Test("an `x-telex` that was changed does not hide what was added in the words of OpenAPI")
    func added() throws {
        let text = try Self.text().replacing(
            "paths:\n",
            with: """
                paths:
                  "/goods":
                    get:
                      operationId: goods.list
                      tags: [goods]
                      responses:
                        "200":
                          description: ok
                          content:
                            application/json: { schema: { $ref: "#/components/schemas/Good" } }

                """
        ).replacing(
            "  schemas:\n",
            with: """
                  schemas:
                    Good: { type: object, required: [weight], properties: { weight: { type: integer } } }

                """)
        let restored = Exported.Restored(text, named: "openapi.yaml")
        #expect(restored.errors == "")
        #expect(restored.file("goods.yaml").contains("returns: Good"))
        #expect(restored.file("models.yaml").contains("Good: { weight: int }"))
        #expect(restored.compilation.api != nil)
    }
}
