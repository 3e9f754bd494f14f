import SpecDiagnostics
import SpecImport
import TestSupport
import Testing

@Suite("The report of an import")
struct ImportReportTests {
    private static func imported(
        _ files: KeyValuePairs<String, String>, tolerant: Bool = false
    ) -> Imported {
        var options = DescriptionImport.Options()
        options.isTolerant = tolerant
        return Imported(files, options)
    }

    private static func description(example: String, in schema: String) -> String {
        """
        openapi: 3.1.0
        info: { title: Shop, version: "1" }
        servers: [{ url: "https://a.example" }]
        paths:
          /x:
            get:
              responses:
                "200":
                  description: ok
                  content: { application/json: { schema: \(schema), example: \(example) } }

        """
    }

    @Test("an import's report has no path of the machine: the folder tells a file from the others")
    func paths() {
        let part = """
            type: object
            properties: { a: { type: string, pattern: "(?=a)" } }
            """
        let root = Self.description(example: "{}", in: "{ $ref: ../parts/item.yaml }")
        let imported = Self.imported([
            "/home/me/api/shop.yaml": root, "/home/me/parts/item.yaml": part,
        ])
        let page = imported.result.page(imported.sources)
        #expect(page.contains("\n- parts/item.yaml:2:43 `#/properties/a/pattern`: `(?=a)`\n"))
        #expect(!page.contains("/home"))
        let alone = Self.imported([
            "/home/me/shop.yaml": root.replacing("../parts/item.yaml", with: "#")
        ])
        #expect(!alone.result.page(alone.sources).contains("/home"))
    }

    @Test(
        "the report proposes tolerance where an example of a reply surely breaks its schema",
        arguments: [
            ("{ a: one }", "{ type: object, properties: { a: { type: integer } } }", true),
            ("{ }", "{ type: object, required: [a], properties: { a: { type: integer } } }", true),
            (
                "[{ a: null }]",
                "{ type: array, items: { type: object, additionalProperties: { type: string } } }",
                true
            ),
            ("1", "{ type: string }", true),
            ("{ a: 1, b: 2 }", "{ type: object, properties: { a: { type: integer } } }", false),
            (
                "{ a: x }", "{ type: object, properties: { a: { type: string, format: byte } } }",
                false
            ),
            (
                "{ }",
                "{ type: object, required: [a], properties: { a: { type: string, writeOnly: true } } }",
                false
            ),
            ("9", "{ type: [integer, \"null\"], maximum: 5 }", false),
            ("null", "{ }", false),
        ])
    func advice(example: String, schema: String, isGiven: Bool) {
        let text = Self.description(example: example, in: schema)
        let imported = Self.imported(["api.yaml": text])
        #expect((imported.result.report.advice != nil) == isGiven)
        #expect(imported.result.page(imported.sources).contains("`--tolerant`") == isGiven)
        #expect(Self.imported(["api.yaml": text], tolerant: true).result.report.advice == nil)
    }

    /// A spec with the remedies of losses, each where it belongs.
    private static let remedied = [
        "api.yaml": """
        telex: 1
        api: Shop
        servers: { production: "https://api.example.com/" }
        auth: { account: { token: { in: header, name: X-Key } } }
        errors: { code: code, model: Problem }

        """,
        "goods.yaml": """
        methods:
          list:
            get: goods
            headers: { Cookie: string? }
            auth: optional
            returns: { 200: Item, 202: nothing }
            reply-headers: { total: { key: X-Total-Count, type: int } }
          find:
            get: goods/found
            errors: { cases: { gone: { status: 410, model: Gone } } }
            returns: Item
            reply-headers: { left: { key: X-RateLimit-Remaining, type: int? } }
          change: { patch: "goods/{id}", path: { id: int }, body: Item, content-type: application/merge-patch+json }
        models:
          Problem: { code: int }
          Gone: { code: int, reason: string }
          Size: { enum: [small, large] }
          Item:
            closed: true
            fields:
              name: { type: string, pattern: '^[a-z]+$' }
              count: { type: int, default: 5 }
              size: Size
              country: string
              vat: string?
            rules: [{ required-if: { vat: country == "DE" } }]

        """,
    ]

    @Test("the report of an import proposes lines that the language has")
    func remedies() throws {
        #expect(Imported.diagnostics(of: Self.remedied) == "")
        let all = Self.remedied.values.joined()
        var remedies: Set<String> = []
        for (name, bytes) in try GoldenFolder().cases(endingIn: ".description") {
            let report = Imported([(path: name, bytes: bytes)]).result.report
            remedies.formUnion(report.losses.compactMap(\.kind.remedy))
        }
        #expect(remedies.count >= 8)
        for remedy in remedies { #expect(all.contains(remedy), "\(remedy)") }
    }
}
