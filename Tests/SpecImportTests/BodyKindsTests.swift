import Testing

@Suite("The body of a request")
struct BodyKindsTests {
    private static let schemas = """
        { Box: { type: object, required: [w], properties: { w: { type: integer } } },
          Bag: { type: object, required: [l], properties: { l: { type: number } } },
          Stamp: { type: string, readOnly: true } }
        """

    private func imported(_ content: String, version: String = "3.0.3") -> Imported {
        let imported = Imported(sending: content, Self.schemas, version: version)
        #expect(imported.errors == "")
        #expect(imported.diagnostics == "")
        return imported
    }

    // MARK: Parts

    @Test("a body in parts has objects, lists of them, unions and parts of JSON as JSON")
    func jsonParts() {
        let imported = imported(
            """
            { multipart/form-data: { schema: { type: object, required: [box], properties: {
              box: { $ref: "#/components/schemas/Box" },
              boxes: { type: array, items: { $ref: "#/components/schemas/Box" } },
              either: { oneOf: [{ $ref: "#/components/schemas/Box" }, { $ref: "#/components/schemas/Bag" }] },
              names: { type: array, items: { type: string } }, tags: { type: array, items: { type: string } },
              made: { allOf: [{ $ref: "#/components/schemas/Stamp" }] } } },
              encoding: { names: { contentType: application/json } } } }
            """)
        #expect(imported.has("box: { type: Box, style: json }"))
        #expect(imported.has("boxes: { type: \"[Box]?\", style: json }"))
        #expect(imported.has("either: { type: Box | Bag?, style: json }"))
        #expect(imported.has("names: { type: \"[string]?\", style: json }"))
        #expect(imported.has("tags: \"[string]?\""))
        #expect(!imported.has("made"))
        #expect(imported.losses == [:])
    }

    @Test(
        "the body of a request is JSON where the only file is a field of replies",
        arguments: [true, false])
    func fileOfReplies(isReadOnly: Bool) {
        let schema = """
            { schema: { type: object, properties: { title: { type: string },
              cover: { type: string, format: binary, readOnly: \(isReadOnly) } } } }
            """
        let imported = imported(
            "{ application/json: \(schema), multipart/form-data: \(schema) }")
        #expect(imported.has("json: { title: string? }") == isReadOnly)
        #expect(imported.has("multipart: { title: string?, cover: file? }") == !isReadOnly)
    }

    @Test("a body in parts has the types of its files; other types and header fields are losses")
    func encodings() {
        let imported = imported(
            """
            { multipart/form-data: { schema: { type: object, properties: {
              face: { type: string, format: binary }, pages: { type: array, items: { type: string, format: binary } },
              raw: { type: string }, table: { type: string }, count: { type: integer }, title: { type: string },
              any: {} } },
              encoding: {
                face: { contentType: "image/png, image/*", headers: { X-Sum: { schema: { type: string } }, Content-Type: {} } },
                pages: { contentType: application/pdf }, raw: { contentType: audio/ogg },
                table: { contentType: text/csv }, count: { contentType: application/json },
                title: { contentType: application/json } } } }
            """)
        #expect(imported.has("face: { type: file?, mime: [image/png, image/*] }"))
        #expect(imported.has("pages: { type: \"[file]?\", items: { mime: application/pdf } }"))
        #expect(imported.has("raw: { type: file?, mime: audio/ogg }"))
        #expect(imported.has("table: string? count: int? title: string?"))
        #expect(imported.details("header field of a part") == ["face: X-Sum"])
        #expect(
            imported.details("media type of a parameter or a part")
                == ["text/csv", "application/json"])
        #expect(imported.details("JSON text of a single value") == ["application/json"])
        #expect(imported.details("value of any type outside JSON") == ["in multipart"])
    }

    @Test("the body of a request of OpenAPI 3.1 has a file for each media type that is no text")
    func contentMediaTypes() {
        let imported = imported(
            """
            { multipart/form-data: { schema: { type: object, properties: {
              scan: { contentMediaType: image/png }, data: { type: string, contentMediaType: application/octet-stream },
              all: { type: array, minItems: 2, items: { type: string, contentMediaType: application/pdf } },
              none: { anyOf: [{ type: string, contentMediaType: image/png }, { type: "null" }] },
              inline: { type: string, contentMediaType: image/png, contentEncoding: base64 },
              note: { type: string, contentMediaType: text/plain } } } } }
            """, version: "3.1.0")
        #expect(imported.has("scan: { type: file?, mime: image/png }"))
        #expect(imported.has("data: file?"))
        #expect(
            imported.has(
                "all: { type: \"[file]?\", items: { mime: application/pdf }, min-items: 2 }"))
        #expect(imported.has("none: { type: file?, mime: image/png }"))
        #expect(imported.has("inline: bytes? note: string?"))
        #expect(imported.details("media type of a parameter or a part") == ["image/png"])
        let whole = Imported(
            sending: "{ \"*/*\": { schema: { type: string, contentMediaType: image/png } } }",
            version: "3.1.0")
        #expect(whole.has("body: file"))
    }

    @Test("a body in parts has one file or several where one of the alternatives is a list")
    func alternatives() {
        let imported = imported(
            """
            { multipart/form-data: { schema: { type: object, properties: {
              some: { anyOf: [{ type: string, format: binary }, { type: array, maxItems: 4, items: { type: string, format: binary } }] },
              one: { anyOf: [{ type: string, format: binary }, { type: string }] } } } } }
            """)
        #expect(imported.has("some: { type: \"[file]?\", max-items: 4 }, one: file?"))
        #expect(
            imported.details("object, union or list of lists outside JSON")
                == ["one file or several", "a file or a text"])
    }

    // MARK: Forms

    @Test("the body of a request that is a form has the styles of its lists and objects")
    func forms() {
        let imported = imported(
            """
            { application/x-www-form-urlencoded: { schema: { type: object, properties: {
              a: { type: array, items: { type: string } }, b: { type: array, items: { type: string } },
              c: { type: array, items: { type: string } }, d: { type: array, items: { type: string } },
              e: { $ref: "#/components/schemas/Box" }, f: { $ref: "#/components/schemas/Bag" }, any: {} } },
              encoding: { a: { explode: false }, b: { style: pipeDelimited }, c: { style: deepObject },
                d: { style: form }, e: { style: form, explode: true } } } }
            """)
        #expect(
            imported.has(
                """
                form: a: { type: "[string]?", join: "," } b: { type: "[string]?", join: "|" } c: { \
                type: "[string]?", style: indexed } d: "[string]?" w: int? f: { type: Bag?, style: \
                json } any: { type: json?, style: deep }
                """))
        #expect(imported.losses == [:])
    }

    @Test("the body of a request that is a form without deep fields has any value as JSON text")
    func untyped() {
        let imported = imported(
            """
            { application/x-www-form-urlencoded: { schema: { type: object, properties: { any: {},
              list: { type: array, items: {} }, boxes: { type: array, items: { $ref: "#/components/schemas/Box" } } } } } }
            """)
        #expect(imported.has("any: { type: json?, style: json }"))
        #expect(imported.has("list: \"[string]?\" boxes: { type: \"[Box]?\", style: json }"))
        #expect(imported.details("value of any type outside JSON") == ["in query"])
        #expect(imported.details("object, union or list of lists outside JSON") == ["list in form"])
    }

    @Test(
        "the body of a request that is a form of several objects has the fields of all",
        arguments: ["application/x-www-form-urlencoded", "multipart/form-data"])
    func unions(_ type: String) {
        let grants = """
            { Base: { type: object, required: [client], properties: { client: { type: string } } },
              Key: { type: object, required: [kind, key], properties: { kind: { type: string, enum: [key] }, key: { type: string } } },
              Code: { type: object, required: [kind, code], properties: { kind: { type: string, enum: [code] }, code: { type: integer } } } }
            """
        let imported = Imported(
            sending: """
                { \(type): { schema: { allOf: [{ $ref: "#/components/schemas/Base" },
                  { oneOf: [{ $ref: "#/components/schemas/Key" }, { $ref: "#/components/schemas/Code" }] }] } } }
                """, grants)
        #expect(
            imported.has("client: string kind: { enum: [key, code] } key: string? code: int?")
                || imported.has(
                    "{ client: string, kind: { enum: [key, code] }, key: string?, code: int? }")
        )
        #expect(imported.details("form of several objects") == ["Key, Code"])
        #expect(imported.losses.count == 1)
        #expect(imported.diagnostics == "")
    }

    @Test("the body of a request that is a form without fields is given as a whole")
    func shapeless() {
        let form = imported(
            """
            { application/x-www-form-urlencoded: { schema: { type: object, additionalProperties: { type: string } } } }
            """)
        #expect(
            form.has("content-type: application/x-www-form-urlencoded body: bytes")
                || form.has("content-type: application/x-www-form-urlencoded, body: bytes }"))
        #expect(form.losses == ["form without fields": 1])
        #expect(imported("{ multipart/form-data: {} }").has("kind: upload, body: file }"))
    }

    // MARK: Media types

    @Test(
        "the body of a request keeps its media type",
        arguments: [
            ("application/merge-patch+json", "application/merge-patch+json"),
            ("application/json-patch+json; charset=utf-8", "application/json-patch+json"),
            ("application/vnd.shop.v2+json; version=2", "application/vnd.shop.v2+json; version=2"),
            ("text/json", "text/json"),
        ])
    func jsonTypes(_ written: String, _ sent: String) {
        let imported = imported(
            "{ \"\(written)\": { schema: { $ref: \"#/components/schemas/Box\" } } }")
        #expect(imported.has("content-type: \(sent), body: Box }"))
        #expect(imported.losses == [:])
    }

    @Test("the body of a request that is no JSON is bytes of its media type; its schema is a loss")
    func bytes() {
        let text = imported("{ application/xml: { schema: { type: string } } }")
        #expect(text.has("content-type: application/xml, body: bytes }"))
        #expect(text.losses == ["schema of a body that is no JSON": 1])
        let other = imported("{ text/plain; charset=utf-16: { schema: { type: string } } }")
        #expect(other.has("body: bytes }"))
        let png = imported("{ image/png: { schema: { type: string, format: binary } } }")
        #expect(png.has("content-type: image/png, body: bytes }"))
        #expect(png.losses == [:])
        #expect(imported("{ \"image/*\": {} }").has("post: x, body: file }"))
        let odd = imported("{ nonsense: { schema: { type: string, format: binary } } }")
        #expect(odd.has("post: x, body: bytes }"))
        #expect(odd.details("media type of the body") == ["nonsense"])
    }

    @Test("the body of a request that is a text keeps its rules")
    func text() {
        let plain = imported("{ text/plain: { schema: { type: string } } }")
        #expect(plain.has("post: x, body: text }") && plain.losses == [:], "\(plain.losses)")
        let table = imported("{ text/csv: { schema: { type: string, maxLength: 9 } } }")
        #expect(table.has("content-type: text/csv") && table.has("type: text"))
        #expect(table.has("max-length: 9") && table.losses == [:])
    }

    @Test("the body of a request is JSON where its media type is open and its schema an object")
    func wildcard() {
        let imported = imported(
            "{ \"application/*\": { schema: { $ref: \"#/components/schemas/Box\" } } }")
        #expect(imported.has("post: x, body: Box }"))
    }

    @Test("a body of several types is the JSON without parameters; each other one is a loss")
    func choice() {
        let imported = imported(
            """
            { "application/json; v=1": { schema: { $ref: "#/components/schemas/Bag" } },
              application/xml: {}, application/merge-patch+json: {},
              application/json: { schema: { $ref: "#/components/schemas/Box" } } }
            """)
        #expect(imported.has("post: x, body: Box }"))
        #expect(
            imported.details("further content types")
                == ["application/json; v=1", "application/xml", "application/merge-patch+json"])
    }

    @Test("a body of OpenAPI 2.0 has the type that fits, and each other one is a loss")
    func consumes() {
        let imported = Imported(
            paths2: """
                  /x:
                    patch:
                      operationId: change
                      consumes: [application/xml, application/merge-patch+json]
                      parameters: [{ name: b, in: body, required: true, schema: { $ref: "#/definitions/Box" } }]
                      responses: { "204": { description: ok } }
                """, Self.schemas)
        #expect(imported.has("content-type: application/merge-patch+json, body: Box }"))
        #expect(imported.details("further content types") == ["application/xml"])
        #expect(imported.diagnostics == "")
    }
}
