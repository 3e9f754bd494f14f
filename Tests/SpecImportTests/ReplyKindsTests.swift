import Testing

@Suite("Replies of imported operations")
struct ReplyKindsTests {
    /// Imports `GET /boats` with these responses in braces.
    private func imported(_ responses: String, _ schemas: String = "{}") -> Imported {
        Imported([
            "boats.yaml": """
            openapi: 3.1.0
            info: { title: Harbour, version: "1" }
            servers: [{ url: https://harbour.example }]
            paths:
              /boats: { get: { operationId: listBoats, responses: \(responses) } }
            components: { schemas: \(schemas) }
            """
        ])
    }

    private let boat = "{ Boat: { type: object, properties: { name: { type: string } } } }"

    private func method(_ imported: Imported) -> String {
        #expect(imported.errors == "")
        #expect(imported.diagnostics == "")
        return imported.file("boats.yaml")
    }

    // MARK: Media types

    @Test("replies are plain JSON before JSON with parameters, and each other content is a loss")
    func contents() {
        let imported = imported(
            """
            { "200": { description: ok, content: {
              "application/json; mode=watch": { schema: { type: integer } },
              application/vnd.boat+json: { schema: { type: boolean } },
              application/json: { schema: { type: string } },
              text/csv: { schema: { type: string } } } } }
            """)
        #expect(method(imported).contains("returns: string"))
        #expect(imported.losses == ["further content types": 3])
        let details = imported.result.report.losses.map(\.detail)
        #expect(details.contains("application/json; mode=watch"))
    }

    @Test("operations ask for a lone media type with its parameters, unless these are the charset")
    func parameters() {
        let versioned = imported(
            """
            { "200": { description: ok, content: {
              "application/json; version=2": { schema: { type: string } } } } }
            """)
        #expect(
            method(versioned).contains(
                "headers: { Accept: { const: application/json; version=2 } }"))
        let plain = imported(
            """
            { "200": { description: ok, content: {
              "application/json; charset=utf-8": { schema: { type: string } } } } }
            """)
        #expect(!method(plain).contains("Accept"))
        #expect(versioned.losses == [:] && plain.losses == [:])
    }

    @Test(
        "replies are JSON for any media type with an object, and else a loss",
        arguments: [
            ("application/*", "{ type: array, items: { type: string } }", "[string]", 0),
            ("application/*", "{ type: string }", "bytes", 0),
            (
                "application/xml", "{ type: object, properties: { a: { type: string } } }", "bytes",
                1
            ),
            ("text/csv", "{ type: array, items: { type: string } }", "text", 1),
            ("application/pdf", "{ type: string }", "bytes", 0),
            ("text/plain", "{ type: string }", "text", 0),
        ])
    func others(type: String, schema: String, returns: String, losses: Int) {
        let imported = imported(
            "{ \"200\": { description: ok, content: { \(type): { schema: \(schema) } } } }")
        #expect(method(imported).contains("returns: \(returns) }"))
        #expect(imported.losses["reply with a schema that is no JSON", default: 0] == losses)
    }

    // MARK: Statuses

    private let text = "content: { application/json: { schema: { type: string } } }"

    @Test("replies keep their exact statuses beside a range, which stands for the usual ones left")
    func ranges() {
        let imported = imported(
            """
            { "202": { description: later }, 2xx: { description: ok, \(text) },
              default: { description: bad } }
            """)
        #expect(method(imported).contains("returns: { 200: string, 201: string, 202: nothing }"))
        #expect(imported.losses == ["further replies": 1])
        #expect(imported.result.report.losses[0].detail == "status 2XX other than 200, 201")
    }

    @Test("replies of a range alone, or of a range and statuses with its type, are one type")
    func sameTypes() {
        for other in ["", "\"200\": { description: ok, \(text) }, "] {
            let imported = imported("{ \(other)2XX: { description: ok, \(text) } }")
            #expect(method(imported).contains("returns: string }"))
            #expect(imported.losses == [:])
        }
    }

    @Test("replies of imported operations with a status that is none are losses")
    func unknownStatuses() {
        let imported = imported(
            "{ \"200\": { description: ok }, ok: { description: ok }, \"302\": { description: go } }"
        )
        #expect(method(imported).contains("boats.list: { get: boats }"))
        #expect(imported.losses == ["further replies": 2])
    }

    // MARK: Header fields

    private func headers(_ fields: String) -> Imported {
        imported(
            "{ \"200\": { description: ok, headers: { \(fields) }, \(text) } }",
            "{ Sizes: { type: integer, enum: [1, 2] }, At: { type: string, format: date-time } }")
    }

    @Test(
        "replies leave header fields that are more than texts in the head",
        arguments: [
            "{ type: object, properties: { a: { type: string } } }",
            "{ type: object, additionalProperties: { type: string } }",
            "{ type: array, items: { type: object } }",
            "{ type: array, items: { type: array, items: { type: string } } }",
            "{ type: integer, enum: [1, 2] }", "{ $ref: \"#/components/schemas/Sizes\" }",
            "{ type: array, items: { $ref: \"#/components/schemas/Sizes\" } }",
        ])
    func structuredHeaders(schema: String) {
        let imported = headers(
            "X-Sizes: { schema: \(schema) }, X-Total: { schema: { type: integer } }")
        #expect(method(imported).contains("{ total: { type: int?, key: X-Total } }"))
        #expect(imported.losses["header field of a reply"] == 1)
    }

    @Test("replies of imported operations leave a header field with JSON in the head")
    func jsonHeader() {
        let imported = headers(
            "X-Place: { content: { application/json: { schema: { type: object } } } }")
        #expect(!method(imported).contains("reply-headers"))
        #expect(imported.losses == ["header field of a reply": 1])
    }

    @Test("replies of imported operations tell header fields with one Swift name apart")
    func headerNames() {
        let imported = headers(
            """
            Boat-Id: { schema: { type: string } }, X-Boat-Id: { schema: { type: string } },
            boat_id: { schema: { type: string } }
            """)
        let text = method(imported)
        #expect(text.contains("boatID: { type: string?, key: Boat-Id }"))
        #expect(text.contains("xBoatID: { type: string?, key: X-Boat-Id }"))
        #expect(text.contains("boatID2: { type: string?, key: boat_id }"))
    }

    @Test("replies read dates of header fields in the described form, and standard ones as HTTP")
    func headerDates() {
        let text = method(
            headers(
                """
                X-Seen: { schema: { $ref: "#/components/schemas/At" } },
                X-All: { schema: { type: array, items: { type: string, format: date-time } } },
                Last-Modified: { schema: { type: string, format: date-time } }
                """))
        #expect(text.contains("seen: { type: Date?, as: date-time, key: X-Seen }"))
        #expect(text.contains("all: { type: [{ type: Date, as: date-time }], optional: true"))
        #expect(text.contains("lastModified: { type: Date?, key: Last-Modified }"))
    }

    @Test("replies of imported operations leave out header fields that only browsers use")
    func browserHeaders() {
        let imported = headers(
            """
            Access-Control-Allow-Origin: { schema: { type: string } },
            Content-Security-Policy: { schema: { type: string } },
            Set-Cookie: { schema: { type: string } }
            """)
        #expect(method(imported).contains("reply-headers: { setCookie:"))
        #expect(imported.losses == ["header field for browsers": 2])
    }

    @Test("replies have the header fields of all statuses, those that one lacks as optional ones")
    func headersByStatus() {
        let imported = imported(
            """
            { "200": { description: ok, \(text), headers: {
                X-Both: { required: true, schema: { type: string } } } },
              "201": { description: made, headers: {
                X-Both: { required: true, schema: { type: string } },
                X-One: { required: true, schema: { type: string } } } },
              "404": { description: none, headers: { X-Why: { schema: { type: string } } } } }
            """)
        #expect(
            method(imported).contains(
                "{ both: { type: string, key: X-Both }, one: { type: string?, key: X-One } }"))
        #expect(imported.losses == ["header field of a reply": 1])
    }

    @Test("replies of imported operations of `head` have their header fields")
    func head() {
        let imported = Imported([
            "boats.yaml": """
            openapi: 3.0.3
            info: { title: Harbour, version: "1" }
            servers: [{ url: https://harbour.example }]
            paths:
              /boats:
                head:
                  operationId: countBoats
                  responses:
                    "200":
                      description: ok
                      headers: { X-Total: { required: true, schema: { type: integer } } }
            """
        ])
        #expect(method(imported).contains("reply-headers: { total: { type: int, key: X-Total } }"))
    }

    // MARK: Errors

    private func errors(_ replies: String, _ schemas: String) -> Imported {
        imported(
            "{ \"200\": { description: ok }, \(replies) }",
            """
            { Fault: { type: object, required: [message], properties: {
              message: { type: string } } }, \(schemas) }
            """)
    }

    private func json(_ schema: String) -> String {
        "{ description: bad, content: { application/json: { schema: \(schema) } } }"
    }

    @Test(
        "replies have a model for errors that are aliases or compositions",
        arguments: [
            "{ $ref: \"#/components/schemas/Fault\" }",
            "{ allOf: [{ $ref: \"#/components/schemas/Fault\" }], description: A fault. }",
            """
            { allOf: [{ $ref: "#/components/schemas/Fault" }, { type: object, properties: {
              more: { type: string } } }] }
            """,
        ])
    func composedErrors(schema: String) {
        for use in ["{ $ref: \"#/components/schemas/Other\" }", schema] {
            let imported = errors("\"400\": \(json(use))", "Other: \(schema)")
            #expect(imported.errors == "")
            #expect(imported.diagnostics == "")
            #expect(imported.file("api.yaml").contains("errors:\n  message: message\n  model: "))
        }
    }

    @Test("replies of imported operations report the model of a range, and errors without a model")
    func errorLosses() {
        let fault = "{ $ref: \"#/components/schemas/Fault\" }"
        let range = errors(
            "\"400\": \(json(fault)), \"404\": \(json(fault)), "
                + "5XX: \(json("{ $ref: \"#/components/schemas/Crash\" }"))",
            "Crash: { type: object, properties: { trace: { type: string } } }")
        #expect(range.diagnostics == "")
        #expect(range.losses == ["error of another shape": 1])
        #expect(range.result.report.losses[0].detail == "status 5XX")
        let inline = errors("\"400\": \(json("{ type: string }"))", "")
        #expect(inline.losses == ["error of another shape": 1])
    }

    @Test("replies of imported operations take `default` beside a redirection as an error")
    func redirected() {
        let imported = errors(
            "\"400\": \(json("{ $ref: \"#/components/schemas/Fault\" }"))", "")
        #expect(imported.file("api.yaml").contains("model: Fault"))
        let only = self.imported(
            """
            { "302": { description: away }, default: {
              description: bad, content: { application/json: { schema: {
                $ref: "#/components/schemas/Boat" } } } } }
            """, boat)
        #expect(method(only).contains("boats.list: { get: boats }"))
        #expect(only.file("api.yaml").contains("model: Boat"))
    }
}
