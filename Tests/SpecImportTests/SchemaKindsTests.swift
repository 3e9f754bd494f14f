import SpecImport
import Testing

@Suite("Schemas say the same in a spec")
struct SchemaKindsTests {
    private func spec(_ schema: String, _ schemas: String = "{}") -> Imported {
        let imported = Imported(replying: schema, schemas)
        #expect(imported.errors == "")
        #expect(imported.diagnostics == "")
        return imported
    }

    // MARK: allOf

    @Test("a property that is described again keeps its type, and has the rules of both places")
    func described() {
        let imported = spec(
            """
            { allOf: [{ $ref: "#/components/schemas/Base" }, { properties: {
              size: { minimum: 1 }, name: { description: Again. }, ids: { minItems: 2 },
              state: { enum: [open] }, owner: { required: [name] } } }] }
            """,
            """
            { Base: { type: object, required: [size], properties: {
              size: { type: integer, maximum: 9, minimum: 0 }, name: { type: string, maxLength: 4 },
              ids: { type: array, items: { type: integer } },
              state: { type: string, enum: [open, closed] },
              owner: { type: object, properties: { name: { type: string } } } } } }
            """)
        let file = imported.file("x.yaml")
        #expect(file.contains("size: { type: int, max: 9, min: 1 }"))
        #expect(file.contains("name: { type: string?, max-length: 4, doc: Again. }"))
        #expect(file.contains("ids: { type: \"[int]?\", min-items: 2 }"))
        #expect(file.contains("const: open"))
        #expect(file.contains("owner: { optional: true, fields: { name: string } }"))
        #expect(imported.losses.isEmpty)
    }

    @Test("the type beside allOf holds, and contradictions are losses")
    func beside() {
        let imported = spec(
            """
            { type: object, properties: {
              id: { type: integer, allOf: [{ maximum: 5 }] },
              odd: { allOf: [{ type: string }, { type: integer }] },
              one: { allOf: [{ enum: [a, b] }, { enum: [b, c] }] },
              none: { allOf: [{ enum: [a] }, { enum: [b] }] } } }
            """)
        #expect(imported.file("x.yaml").contains("id: { type: int?, max: 5 }"))
        #expect(imported.file("x.yaml").contains("one: { const: b, optional: true }"))
        #expect(imported.losses["`allOf` with alternatives or contradictions"] == 2)
    }

    @Test("null passes through allOf, and not where one of its members excludes it")
    func null() {
        let imported = spec(
            """
            { type: object, required: [a, b, c, d], properties: {
              a: { allOf: [{ $ref: "#/components/schemas/N" }, { description: An N. }] },
              b: { allOf: [{ type: object, properties: { x: { type: integer } } }, { nullable: true }] },
              c: { allOf: [{ type: string, nullable: true }, { type: string, maxLength: 3 }] },
              d: { anyOf: [{ $ref: "#/components/schemas/N" }, { type: integer }] } } }
            """, "{ N: { type: string, nullable: true } }")
        let file = imported.file("x.yaml")
        #expect(file.contains("a: { type: N | null, doc: An N. }"))
        #expect(file.contains("nullable: true"))
        #expect(file.contains("c: { type: string, max-length: 3 }"))
        #expect(file.contains("d: N | int | null") || file.contains("nullable: true }"))
    }

    @Test("a base that requires what its children declare lends no field that it lacks")
    func undeclared() {
        let imported = spec(
            """
            { type: object, required: [pets, base], properties: {
              pets: { $ref: "#/components/schemas/Pets" }, base: { $ref: "#/components/schemas/Page" } } }
            """,
            """
            { Page: { type: object, required: [total, items], properties: { total: { type: integer } } },
              Pets: { allOf: [{ $ref: "#/components/schemas/Page" },
                { properties: { items: { type: array, items: { type: string } } } }] } }
            """)
        #expect(
            imported.file("x.yaml").contains("Pets: { fields: { total: int, items: [string] } }"))
        #expect(imported.file("x.yaml").contains("Page: { fields: { total: int, items: json } }"))
    }

    @Test("a schema that is another one by allOf lends the fields of that one")
    func alias() {
        let imported = spec(
            "{ $ref: \"#/components/schemas/Reply\" }",
            """
            { Tool: { type: object, properties: { name: { type: string } } },
              Same: { type: object, allOf: [{ $ref: "#/components/schemas/Tool" }, { type: object }] },
              Reply: { allOf: [{ $ref: "#/components/schemas/Same" },
                { properties: { notes: { type: array, items: { type: string } } } }] } }
            """)
        #expect(imported.file("x.yaml").contains("Reply: { with: Tool, notes: \"[string]?\" }"))
    }

    // MARK: Families

    private static let family = """
        { Event: { type: object, required: [kind], discriminator: { propertyName: kind%@ },
            properties: { kind: { type: string }, at: { type: integer } } },
          Opened: { allOf: [{ $ref: "#/components/schemas/Event" }, { properties: { by: { type: string } } }] },
          Closed: { allOf: [{ $ref: "#/components/schemas/Event" }, { properties: { why: { type: string } } }] } }
        """

    @Test(
        "a base with a discriminator is a union of what extends it, by mapping or by name",
        arguments: [
            ("", ["Opened", "Closed"]),
            (
                ", mapping: { open: Opened, shut: \"#/components/schemas/Closed\" }",
                ["open", "shut"]
            ),
        ])
    func families(mapping: String, tags: [String]) {
        let imported = spec(
            "{ type: array, items: { $ref: \"#/components/schemas/Event\" } }",
            Self.family.replacing("%@", with: mapping))
        let file = imported.file("x.yaml")
        #expect(file.contains("tag: kind"))
        #expect(file.contains("\(tags[0]): Opened, \(tags[1]): Closed"))
        #expect(file.contains("EventBase: { fields: { kind: string, at: int? } }"))
        #expect(file.contains("Opened: { with: EventBase, by: string? }"))
        #expect(imported.losses.isEmpty)
    }

    @Test("what extends a base stays an object where it is named itself")
    func leaf() {
        let imported = spec(
            "{ $ref: \"#/components/schemas/Opened\" }", Self.family.replacing("%@", with: ""))
        #expect(imported.file("x.yaml").contains("Opened: { with: EventBase, by: string? }"))
        #expect(!imported.file("x.yaml").contains("Closed"))
    }

    // MARK: Tags

    @Test("a mapping wins over an enumeration in which all alternatives have all tags")
    func mapping() {
        let imported = spec(
            """
            { oneOf: [{ $ref: "#/components/schemas/A" }, { $ref: "#/components/schemas/B" }],
              discriminator: { propertyName: t, mapping: { a: A, b: B } } }
            """,
            """
            { Base: { type: object, required: [t], properties: { t: { type: string, enum: [a, b] } } },
              A: { allOf: [{ $ref: "#/components/schemas/Base" }, { required: [x], properties: { x: { type: string } } }] },
              B: { allOf: [{ $ref: "#/components/schemas/Base" }, { required: [x], properties: { x: { type: integer } } }] } }
            """)
        #expect(imported.spec.contains("one-of: { a: A, b: B }"))
        #expect(imported.losses.isEmpty)
    }

    @Test("a tag that may be missing becomes required, which is a loss")
    func optionalTag() {
        let imported = spec(
            """
            { oneOf: [{ $ref: "#/components/schemas/A" }, { $ref: "#/components/schemas/B" }],
              discriminator: { propertyName: t } }
            """,
            """
            { A: { type: object, properties: { t: { type: string }, x: { type: integer } } },
              B: { type: object, properties: { t: { type: string, nullable: true }, z: { type: integer } } } }
            """)
        #expect(imported.spec.contains("A: { t: string, x: int? }"))
        #expect(imported.spec.contains("B: { t: string, z: int? }"))
        #expect(imported.losses["tag of alternatives that may be missing"] == 2)
    }

    @Test("properties beside oneOf, and beside it in allOf, belong to each alternative")
    func distributed() {
        let schemas = """
            { A: { type: object, required: [t], properties: { t: { type: string, enum: [a] }, x: { type: integer } } },
              B: { type: object, required: [t], properties: { t: { type: string, enum: [b] }, y: { type: integer } } },
              E: { oneOf: [{ $ref: "#/components/schemas/A" }, { $ref: "#/components/schemas/B" }] } }
            """
        for schema in [
            "{ type: object, properties: { id: { type: string } }, "
                + "oneOf: [{ $ref: \"#/components/schemas/A\" }, { $ref: \"#/components/schemas/B\" }] }",
            "{ allOf: [{ properties: { id: { type: string } } }, { $ref: \"#/components/schemas/E\" }] }",
        ] {
            let imported = spec(schema, schemas)
            let text = imported.spec.replacing(" ", with: "")
            #expect(text.contains("id:string?"), "\(imported.spec)")
            #expect(text.contains("with:A") && text.contains("with:B"), "\(imported.spec)")
            #expect(imported.losses["`allOf` with alternatives or contradictions"] == nil)
        }
    }

    // MARK: Directions

    @Test("readOnly and writeOnly hold behind references and in members of allOf")
    func directions() {
        let imported = spec(
            """
            { type: object, required: [id, key], properties: {
              id: { $ref: "#/components/schemas/Id" }, key: { $ref: "#/components/schemas/Key" },
              at: { allOf: [{ type: string }, { readOnly: true }] } } }
            """, "{ Id: { type: string, readOnly: true }, Key: { type: string, writeOnly: true } }")
        let file = imported.file("x.yaml")
        #expect(file.contains("id: { type: Id, only: reply }"))
        #expect(file.contains("key: { type: Key, only: request }"))
        #expect(file.contains("at: { type: string?, only: reply }"))
    }

    @Test("an object with nothing to send is left out of requests, which is a loss")
    func unsent() {
        let imported = Imported([
            "api.yaml": """
            openapi: 3.0.3
            info: { title: A, version: "1" }
            servers: [{ url: "https://a.example" }]
            paths:
              /a:
                post:
                  requestBody: { required: true, content: { application/json: { schema: { $ref: "#/components/schemas/A" } } } }
                  responses: { "200": { description: ok, content: { application/json: { schema: { $ref: "#/components/schemas/A" } } } } }
            components:
              schemas:
                Inner: { type: object, properties: { seen: { type: boolean, readOnly: true } } }
                Outer: { type: object, required: [inner], properties: { inner: { $ref: "#/components/schemas/Inner" } } }
                A: { type: object, required: [outer, name], properties: { name: { type: string }, outer: { $ref: "#/components/schemas/Outer" } } }
            """
        ])
        #expect(imported.errors == "")
        #expect(imported.diagnostics == "")
        #expect(imported.spec.contains("outer: { type: Outer, only: reply }"))
        #expect(imported.losses["object with nothing to send in a request"] == 2)
    }

    // MARK: Scalars

    @Test("a number with the format of an integer is one, and base64url is no base64")
    func formats() {
        let imported = spec(
            """
            { type: object, required: [a, b, c], properties: {
              a: { type: number, format: int64 }, b: { type: number, format: long, minimum: 1 },
              c: { type: string, contentEncoding: base64url } } }
            """)
        let file = imported.file("x.yaml")
        #expect(file.contains("a: int, b: { type: int, min: 1 }, c: string"))
        #expect(imported.losses["unknown format"] == 1)
    }

    @Test("flags of a pattern that change what it matches make it a loss")
    func flags() {
        let imported = spec(
            """
            { type: object, properties: {
              a: { type: string, pattern: "/^[a-f]+$/i" }, b: { type: string, pattern: "/^[0-9]+$/i" },
              c: { type: string, pattern: "/^a$/m" }, d: { type: string, pattern: "/^a$/u" } } }
            """)
        let file = imported.file("x.yaml")
        #expect(file.contains("a: string?"))
        #expect(file.contains("b: { type: string?, pattern: '^[0-9]+$' }"))
        #expect(file.contains("c: string?"))
        #expect(file.contains("d: { type: string?, pattern: '^a$' }"))
        #expect(imported.losses["pattern outside the dialect"] == 2)
    }

    @Test("a text or a number is read as a text, and a union where a request sends it")
    func textOrNumber() {
        let imported = Imported([
            "api.yaml": """
            openapi: 3.0.3
            info: { title: A, version: "1" }
            servers: [{ url: "https://a.example" }]
            paths:
              /a:
                post:
                  requestBody: { required: true, content: { application/json: { schema: { $ref: "#/components/schemas/Sent" } } } }
                  responses: { "200": { description: ok, content: { application/json: { schema: { $ref: "#/components/schemas/Got" } } } } }
            components:
              schemas:
                Sent: { type: object, required: [port, other], properties: { port: { oneOf: [{ type: integer }, { type: string }] }, other: { type: string, format: int-or-string } } }
                Got: { type: object, required: [port], properties: { port: { anyOf: [{ type: string }, { type: number }] } } }
            """
        ])
        #expect(imported.diagnostics == "")
        #expect(imported.spec.contains("Sent: { port: string | int, other: int | string }"))
        #expect(imported.spec.contains("Got: { port: { type: string, from: either } }"))
    }

    @Test("further keys that an object allows are a loss, or are kept on request")
    func open() {
        let schema =
            "{ type: object, properties: { a: { type: string } }, additionalProperties: true }"
        #expect(spec(schema).losses["further keys of an object"] == 1)
        var options = DescriptionImport.Options()
        options.isOpen = true
        let kept = Imported(replying: schema, "{}", options)
        #expect(kept.spec.contains("additional: json"))
        #expect(kept.losses.isEmpty)
    }

    @Test("keys beside a reference restrict it since 3.1, and are losses before")
    func siblings() {
        let text = """
            openapi: %@
            info: { title: A, version: "1" }
            servers: [{ url: "https://a.example" }]
            paths:
              /a:
                get:
                  tags: [x]
                  responses: { "200": { description: ok, content: { application/json: { schema: { $ref: "#/components/schemas/More", required: [b], properties: { b: { type: integer } } } } } } }
            components: { schemas: { More: { type: object, properties: { a: { type: string } } } } }
            """
        let new = Imported(["api.yaml": text.replacing("%@", with: "3.1.0")])
        #expect(new.spec.contains("with: More") && new.spec.contains("b: int"), "\(new.spec)")
        let old = Imported(["api.yaml": text.replacing("%@", with: "3.0.3")])
        #expect(old.losses["keys beside `$ref`"] == 2)
    }

    // MARK: Files

    @Test("merge keys of YAML 1.1, repeated keys and flow style are read")
    func yaml() {
        let imported = Imported([
            "api.yaml": """
            openapi: 3.0.3
            info: { title: A, version: "1" }
            servers: [{ url: "https://a.example" }]
            x-common: &common { type: object, required: [id], properties: { id: { type: string } } }
            x-more: &more { type: string, description: Less. }
            paths:
              /a:
                get:
                  summary: Kept.
                  summary: Dropped.
                  responses: { "200": { description: ok, content: { application/json: { schema: {
                    <<: [*common, *more], description: Own. } } } } }
                post: { $ref: "part.yaml#/add" }
            """,
            "part.yaml": "{ add: { responses: { '204': { description: ok } } } }",
        ])
        #expect(imported.errors == "")
        #expect(imported.diagnostics == "")
        #expect(imported.spec.contains("Kept."))
        #expect(imported.spec.contains("id: string"))
        #expect(imported.losses["mistake in a file of the description"] == 1)
    }
}
