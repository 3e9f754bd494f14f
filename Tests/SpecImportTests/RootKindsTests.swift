import SpecDiagnostics
import SpecImport
import Testing

@Suite("References and several descriptions")
struct RootKindsTests {
    private let head = """
        openapi: 3.1.0
        info: { title: Kites, version: "1" }
        servers: [{ url: https://kites.example }]

        """

    // MARK: References

    @Test("an operation and a path item behind `$ref` are those of their own files")
    func operations() {
        let imported = Imported([
            "kites.yaml": head + """
                paths:
                  /one/{id}: { get: { $ref: "#/x-ops/one", deprecated: true } }
                  /two: { $ref: "parts/more.yaml#/two" }
                  /three: { get: { $ref: "parts/three.yaml" } }
                  /four/{id}:
                    $ref: "#/components/pathItems/Four"
                    parameters: [{ name: wind, in: query, schema: { type: integer } }]
                x-ops:
                  one:
                    operationId: one
                    parameters: [{ name: id, in: path, required: true, schema: { type: integer } }]
                    responses: { "204": { description: ok } }
                components:
                  pathItems:
                    Four:
                      parameters: [{ name: id, in: path, required: true, schema: { type: integer } }]
                      get: { operationId: four, responses: { "204": { description: ok } } }
                """,
            "parts/more.yaml": """
            two:
              get:
                operationId: two
                parameters: [{ $ref: "#/limit" }]
                responses: { $ref: "#/replies" }
            limit: { name: limit, in: query, schema: { type: integer } }
            replies:
              "200": { description: ok, content: { application/json: { schema: { $ref: "#/Kite" } } } }
            Kite: { type: object, properties: { line: { type: integer } } }
            """,
            "parts/three.yaml": """
            operationId: three
            responses:
              "200": { description: ok, content: { application/json: { schema: { $ref: "more.yaml#/Kite" } } } }
            """,
        ])
        #expect(imported.errors == "")
        #expect(imported.diagnostics == "")
        #expect(imported.losses == ["key `x-…`": 1])
        let spec = imported.spec
        #expect(spec.contains("one/{id}\", deprecated: true, path: { id: int } }"))
        #expect(spec.contains("{ get: two, query: { limit: int? }, returns: Kite }"))
        #expect(spec.contains("{ get: three, returns: Kite }"))
        #expect(spec.contains("four/{id}\", path: { id: int }, query: { wind: int? } }"))
    }

    @Test("a reference of an operation that leads in a circle ends")
    func circle() {
        let imported = Imported([
            "kites.yaml": head + """
                paths:
                  /a: { $ref: "#/paths/~1b" }
                  /b: { $ref: "#/paths/~1a" }
                  /c: { get: { responses: { "204": { description: ok } } } }
                """
        ])
        #expect(imported.result.methodCount == 1)
    }

    @Test("keys beside the `$ref` of a reply are losses, as is an unknown key of a path")
    func siblings() {
        let imported = Imported([
            "kites.yaml": head + """
                paths:
                  /a:
                    GET: { responses: { "204": { description: ok } } }
                    get: { responses: { "204": { $ref: "#/components/responses/Done", description: no } } }
                components: { responses: { Done: { description: ok } } }
                """
        ])
        #expect(
            imported.losses == ["keys beside `$ref`": 1, "key that OpenAPI does not have": 1])
    }

    @Test("operations of `x-ms-paths`, and of paths without a slash, are methods")
    func outside() {
        let imported = Imported([
            "kites.yaml": head + """
                x-ms-paths:
                  "/kites?kind=box": { get: { operationId: boxes, responses: { "204": { description: ok } } } }
                paths:
                  strings: { get: { operationId: strings, responses: { "204": { description: ok } } } }
                  https://kites.example/x: { get: { responses: { "204": { description: ok } } } }
                """
        ])
        #expect(imported.diagnostics == "")
        #expect(imported.spec.contains("get: kites, query: { kind: { const: box } } }"))
        #expect(imported.spec.contains("get: strings }"))
        #expect(imported.losses == ["path that is a whole address": 1])
    }

    // MARK: Several descriptions

    private func root(
        _ path: String, servers: String = "[]", security: String = "[]", schemes: String = "{}"
    ) -> String {
        """
        openapi: 3.0.3
        info: { title: Kites, version: "1" }
        servers: \(servers)
        security: \(security)
        paths: { "\(path)": { get: { tags: [kites], operationId: get, responses: { "204": { description: ok } } } } }
        components: { securitySchemes: \(schemes) }
        """
    }

    @Test("servers and security of each description belong to its operations")
    func joined() {
        let imported = Imported([
            "a.yaml": root(
                "/a", servers: "[{ url: https://a.example }]", security: "[{ key: [] }]",
                schemes: "{ key: { type: apiKey, in: header, name: X-A } }"),
            "b.yaml": root(
                "/b", servers: "[{ url: https://b.example }]", security: "[{ key: [] }]",
                schemes: "{ key: { type: apiKey, in: query, name: b } }"),
            "c.yaml": root("/c"),
        ])
        #expect(imported.errors == "")
        #expect(imported.diagnostics == "")
        let api = imported.file("api.yaml")
        #expect(api.contains("production: https://a.example/\n  server: https://b.example/\n"))
        #expect(
            api.contains("# The description names no server.\n  server2: https://api.example.com/"))
        #expect(api.contains("key: { token: { in: header, name: X-A } }"))
        #expect(api.contains("key2: { token: { in: query, name: b } }"))
        let kites = imported.file("kites.yaml")
        #expect(kites.contains("{ get: a }"))
        #expect(kites.contains("{ get: b, server: server, auth: key2 }"))
        #expect(kites.contains("{ get: c, server: server2, auth: none }"))
    }

    @Test("a description without operations lends its schemes, and no server")
    func lender() {
        let imported = Imported([
            "a.yaml": root(
                "/a", servers: "[{ url: https://a.example }]", security: "[{ key: [] }]"),
            "b.yaml": """
            openapi: 3.0.3
            info: { title: Parts, version: "1" }
            servers: [{ url: https://b.example }]
            paths: {}
            components: { securitySchemes: { key: { type: http, scheme: bearer } } }
            """,
        ])
        #expect(imported.diagnostics == "")
        #expect(imported.file("api.yaml").contains("key: { token: bearer }"))
        #expect(!imported.spec.contains("b.example"))
    }

    @Test("one request in two descriptions is an error that names both")
    func conflict() {
        let servers = "[{ url: https://a.example/ }]"
        let imported = Imported([
            "a.yaml": root("/kites/{id}", servers: servers),
            "b.yaml": root("/kites/{name}", servers: "[{ url: https://a.example }]"),
        ])
        #expect(imported.errors.contains("`a.yaml` and `b.yaml` [T1002]"))
        #expect(imported.errors.contains("import them into two folders"))
        #expect(imported.result.files.isEmpty)
        let apart = Imported([
            "a.yaml": root("/kites", servers: servers),
            "b.yaml": root("/kites", servers: "[{ url: https://b.example }]"),
        ])
        #expect(apart.errors == "")
        #expect(apart.result.methodCount == 2)
    }

    @Test("one path item that two descriptions refer to is one method")
    func sharedItem() {
        func root(_ path: String) -> String {
            head + "paths: { /x: { $ref: \"parts.yaml#/x\" }, \(path): { get: { responses: {} } } }"
        }
        let imported = Imported([
            "a.yaml": root("/a"), "b.yaml": root("/b"),
            "parts.yaml":
                "x: { get: { operationId: getX, responses: { \"204\": { description: ok } } } }",
        ])
        #expect(imported.errors == "")
        #expect(imported.result.methodCount == 3)
    }

    @Test("a whole description that another one refers to lends only what is referred to")
    func referred() {
        var sources = SourceMap()
        let first = sources.add(
            path: "a.yaml",
            text: head + """
                paths:
                  /a: { get: { operationId: getA, responses: { "200": { $ref: "b.yaml#/x-replies/Ok" } } } }
                """)
        let second = sources.add(
            path: "b.yaml",
            text: root("/b") + "\nx-replies: { Ok: { description: ok } }")
        let result = DescriptionImport(openAPI: [first]) { $0 == "b.yaml" ? second : nil }
        #expect(!result.diagnostics.hasErrors)
        #expect(result.methodCount == 1)
    }
}
