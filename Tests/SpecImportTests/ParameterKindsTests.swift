import Testing

@Suite("The parameters of a description")
struct ParameterKindsTests {
    @Test("parameters that are `deepObject` lists have an index for each element")
    func deepLists() {
        let imported = Imported(
            parameters: """
                [{ name: tags, in: query, style: deepObject, explode: true,
                   schema: { type: array, maxItems: 3, items: { type: string } } },
                 { name: sizes, in: query, style: deepObject, schema: { $ref: "#/components/schemas/Sizes" } },
                 { name: mixed, in: query, style: deepObject,
                   schema: { anyOf: [{ type: string }, { type: array, items: { type: string } }] } },
                 { name: any, in: query, style: deepObject, schema: {} }]
                """,
            "{ Sizes: { type: array, items: { type: object, properties: { w: { type: integer } } } } }"
        )
        #expect(imported.has("tags: { type: \"[string]?\", max-items: 3, style: indexed }"))
        #expect(imported.has("sizes: { type: Sizes?, style: deep }"))
        #expect(imported.has("mixed: { type: \"[string] | string?\", style: deep }"))
        #expect(imported.has("any: { type: json?, style: deep }"))
        #expect(imported.losses == [:])
        #expect(imported.diagnostics == "")
    }

    @Test("parameters that are properties of objects stand once in the query; the first one stays")
    func repeated() {
        let imported = Imported(
            parameters: """
                [{ name: page, in: query, schema: { $ref: "#/components/schemas/Page" } },
                 { name: sort, in: query, schema: { type: string } },
                 { name: more, in: query, schema: { allOf: [{ $ref: "#/components/schemas/Page" },
                   { type: object, properties: { next: { type: string }, made: { type: string, readOnly: true } } }] } },
                 { name: X-One, in: header, schema: { type: string } },
                 { name: x-one, in: header, schema: { type: string } }]
                """,
            """
            { Page: { type: object, properties: { size: { type: integer },
              sort: { type: array, items: { type: string } } } } }
            """)
        #expect(imported.has("query: { size: int?, sort: \"[string]?\", next: string? }"))
        #expect(imported.has("headers: { X-One: string? }"))
        #expect(
            imported.details("parameter that is sent twice") == ["sort", "size, sort", "x-one"])
        #expect(imported.diagnostics == "")
    }

    @Test("the parameters of a description that are maps of a query have entries of free names")
    func entries() {
        let imported = Imported(
            parameters: """
                [{ name: filters, in: query,
                   schema: { type: object, additionalProperties: { type: string } } },
                 { name: page, in: query, schema: { type: integer } }]
                """)
        #expect(imported.has("filters: { type: \"{string: string}?\", style: entries }"))
        #expect(imported.losses == [:])
        #expect(imported.diagnostics == "")
    }

    @Test("the parameters of a description that are one of several objects have the fields of all")
    func union() {
        let imported = Imported(
            parameters: """
                [{ name: filter, in: query, required: true, schema: { oneOf: [
                   { type: object, required: [by, id],
                     properties: { by: { type: string }, id: { type: integer } } },
                   { type: object, required: [by],
                     properties: { by: { type: string }, name: { type: string } } }] } }]
                """)
        #expect(imported.has("query: { by: string, id: int?, name: string? }"))
        #expect(imported.details("form of several objects") == ["object, object"])
    }

    @Test("parameters with JSON lists and objects have `style: json`; single texts lose quotes")
    func json() {
        let imported = Imported(
            parameters: """
                [{ name: ids, in: query, content: { application/json: { schema: { type: array, items: { type: integer } } } } },
                 { name: count, in: query, content: { application/json: { schema: { type: integer } } } },
                 { name: name, in: query, content: { application/json: { schema: { type: string } } } },
                 { name: day, in: header, content: { application/vnd.day+json: { schema: { type: string, format: date } } } },
                 { name: any, in: query, content: { application/json: {} } }]
                """)
        #expect(imported.has("ids: { type: \"[int]?\", style: json }"))
        #expect(imported.has("count: int? name: string?"))
        #expect(imported.has("any: { type: json?, style: json }"))
        #expect(imported.has("headers: { day: { type: Date?, as: date } }"))
        #expect(
            imported.details("JSON text of a single value") == [
                "in query", "in header", "in query",
            ])
        #expect(imported.diagnostics == "")
    }

    @Test("parameters in other media types are plain texts, with a loss for what these cannot be")
    func mediaTypes() {
        let imported = Imported(
            parameters: """
                [{ name: plain, in: query, content: { text/plain: { schema: { type: string } } } },
                 { name: rows, in: query, content: { text/csv: { schema: { type: array, items: { type: integer } } } } },
                 { name: tree, in: query, content: { application/xml: { schema: { type: object, properties: { a: { type: string } } } } } }]
                """)
        #expect(imported.has("plain: string? rows: { type: \"[int]?\", join: \",\" }"))
        #expect(
            imported.details("media type of a parameter or a part") == [
                "text/csv", "application/xml",
            ])
        #expect(
            imported.details("object, union or list of lists outside JSON") == ["object in query"])
        #expect(imported.diagnostics == "")
    }

    @Test("parameters lose styles of other places, names that are none, and types that are any")
    func odd() {
        let imported = Imported(
            parameters: """
                [{ name: list, in: query, style: matrix, schema: { type: array, items: { type: string } } },
                 { name: spaced, in: query, style: spaceDelimited, schema: { type: object, properties: { a: { type: string } } } },
                 { name: "", in: query, schema: { type: string } },
                 { name: lost, schema: { type: string } },
                 { name: body, in: body, schema: { type: string } },
                 { name: any, in: query, schema: {} },
                 { name: sid, in: cookie, schema: { type: string } }]
                """)
        #expect(imported.details("style that a parameter cannot have") == ["matrix"])
        #expect(
            imported.details("object, union or list of lists outside JSON") == ["object in query"])
        #expect(imported.losses["parameter without a name"] == 1)
        #expect(
            imported.details("parameter in a place that requests do not have") == [
                "lost in ", "body in body",
            ])
        #expect(imported.details("value of any type outside JSON") == ["in query"])
        #expect(imported.details("cookie parameter") == ["sid"])
        #expect(imported.diagnostics == "")
    }

    @Test("OpenAPI 2.0 parameters have separators in queries, header fields, forms and parts")
    func separators() {
        let list = "type: array, items: { type: integer }"
        let imported = Imported(
            paths2: """
                  /x:
                    post:
                      operationId: send
                      consumes: [multipart/form-data]
                      parameters:
                        - { name: X-Ids, in: header, \(list), collectionFormat: pipes }
                        - { name: X-All, in: header, \(list) }
                        - { name: q, in: query, \(list), collectionFormat: tsv }
                        - { name: usual, in: formData, \(list) }
                        - { name: piped, in: formData, \(list), collectionFormat: pipes }
                        - { name: many, in: formData, \(list), collectionFormat: multi }
                        - { name: many, in: formData, type: string }
                      responses: { "204": { description: ok } }
                """)
        #expect(imported.has("X-Ids: { type: \"[int]?\", join: \"|\" }, X-All: \"[int]?\""))
        #expect(imported.has("usual: { type: \"[int]?\", join: \",\" }"))
        #expect(imported.has("piped: { type: \"[int]?\", join: \"|\" } many: \"[int]?\""))
        #expect(imported.has("q: { type: \"[int]?\", join: \"\\U00000009\" }"))
        #expect(imported.details("parameter that is sent twice") == ["many"])
        #expect(imported.diagnostics == "")
    }
}
