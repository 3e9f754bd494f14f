import Testing

@Suite("Streams of imported operations")
struct StreamKindsTests {
    private func imported(_ paths: String, version: String = "3.1.0") -> Imported {
        let imported = Imported([
            "choir.yaml": """
            openapi: \(version)
            info: { title: Choir, version: "1" }
            servers: [{ url: https://choir.example }]
            paths:
            \(paths)
            components:
              schemas:
                Song: { type: object, properties: { title: { type: string } } }
                Note: { type: object, properties: { pitch: { type: integer } } }
                Ask:
                  type: object
                  required: [words]
                  properties: { words: { type: string }, stream: { type: boolean, default: true } }
                MaybeAsk: { type: object, properties: { stream: { type: [boolean, "null"] } } }
                Whole: { type: object, properties: { stream: { const: false } } }
                Parts: { type: object, required: [stream], properties: { stream: { const: true } } }
              mediaTypes: { Songs: { schema: { $ref: "#/components/schemas/Song" } } }
            """
        ])
        #expect(imported.errors == "")
        #expect(imported.diagnostics == "")
        return imported
    }

    /// The replies of a song as JSON or as notes.
    private let both = """
        { "200": { description: ok, content: {
          application/json: { schema: { $ref: "#/components/schemas/Song" } },
          text/event-stream: { schema: { $ref: "#/components/schemas/Note" } } } } }
        """

    private func asking(_ schema: String, type: String = "application/json") -> Imported {
        imported(
            """
              /songs:
                post:
                  tags: [songs]
                  operationId: createSong
                  summary: Sings.
                  requestBody: { required: true, content: { \(type): { schema: \(schema) } } }
                  responses: \(both)
            """)
    }

    // MARK: Two methods

    @Test(
        "streams of imported operations beside JSON are a second method; the body says which",
        arguments: ["Ask", "MaybeAsk"])
    func models(model: String) {
        let songs = asking("{ $ref: \"#/components/schemas/\(model)\" }").file("songs.yaml")
        #expect(songs.contains("  songs.create:\n"))
        #expect(
            songs.contains("body: { with: \(model), stream: { const: false } }\n    returns: Song"))
        #expect(songs.contains("  songs.createStream:\n"))
        #expect(songs.contains("Sings.\n\n      The reply arrives as a stream.\n    stream: sse\n"))
        #expect(
            songs.contains("body: { with: \(model), stream: { const: true } }\n    returns: Note"))
    }

    @Test(
        "streams of imported operations take the flag out of forms and inline bodies",
        arguments: ["application/json", "multipart/form-data", "application/x-www-form-urlencoded"])
    func inline(type: String) {
        let songs = asking(
            "{ type: object, properties: { key: { type: string }, stream: { type: boolean } } }",
            type: type
        ).file("songs.yaml")
        #expect(songs.contains("{ key: string?, stream: { const: false } }"))
        #expect(songs.contains("{ key: string?, stream: { const: true } }"))
    }

    @Test("streams of imported operations take the alternative of a body whose flag fits")
    func alternatives() {
        let songs = asking(
            """
            { oneOf: [{ $ref: "#/components/schemas/Whole" }, { $ref: "#/components/schemas/Parts" }] }
            """
        ).file("songs.yaml")
        #expect(songs.contains("body: { with: Whole, stream: { const: false } }"))
        #expect(songs.contains("body: { with: Parts, stream: { const: true } }"))
    }

    @Test("streams of imported operations leave a text that is called like the flag alone")
    func text() {
        let songs = asking("{ type: object, properties: { stream: { type: string } } }")
            .file("songs.yaml")
        #expect(songs.contains("songs.createStream:"))
        #expect(!songs.contains("const:"))
    }

    @Test("streams of operations take the flag of the query, and a name that no other method has")
    func query() {
        let imported = imported(
            """
              /songs:
                get:
                  tags: [songs]
                  operationId: sing
                  parameters: [{ name: stream, in: query, schema: { type: boolean } }]
                  responses: \(both)
              /other:
                get:
                  tags: [songs]
                  operationId: singStream
                  responses: { "204": { description: ok } }
            """)
        let songs = imported.file("songs.yaml")
        #expect(songs.contains("query: { stream: { const: false } }, returns: Song"))
        #expect(songs.contains("songs.singStream2:"))
        #expect(songs.contains("songs.singStream: { get: other }"))
        #expect(
            songs.contains("stream: sse\n    query: { stream: { const: true } }\n    returns: Note")
        )
    }

    @Test("streams of imported operations end with the mark that the description names")
    func end() {
        let imported = imported(
            """
              /songs:
                get:
                  tags: [songs]
                  operationId: sing
                  description: "The last event is `data: [DONE]`."
                  responses:
                    "200":
                      description: ok
                      content: { text/event-stream: { schema: { $ref: "#/components/schemas/Note" } } }
            """)
        #expect(imported.file("songs.yaml").contains("stream: { form: sse, end: \"[DONE]\" }"))
    }

    // MARK: OpenAPI 3.2

    private func items(_ schema: String, type: String = "text/event-stream") -> Imported {
        imported(
            """
              /notes:
                get:
                  tags: [notes]
                  operationId: listen
                  responses:
                    "200": { description: ok, content: { \(type): { itemSchema: \(schema) } } }
            """, version: "3.2.0")
    }

    @Test(
        "streams have elements of `itemSchema`, and those of events of the schema in their data",
        arguments: [
            ("text/event-stream", "{ properties: { data: { contentSchema: NOTE } } }"),
            ("text/event-stream", "{ allOf: [{ properties: { data: { contentSchema: NOTE } } }] }"),
            ("text/event-stream", "{ properties: { event: { type: string }, data: NOTE } }"),
            ("text/event-stream", "NOTE"), ("application/jsonl", "NOTE"),
        ])
    func elements(type: String, schema: String) {
        let note = "{ $ref: \"#/components/schemas/Note\" }"
        let imported = items(schema.replacing("NOTE", with: note), type: type)
        #expect(imported.file("notes.yaml").contains("returns: Note"))
        #expect(imported.losses == [:])
    }

    @Test("streams have the kinds of events whose data is JSON, and the others are a loss")
    func kinds() {
        let imported = items(
            """
            { properties: { event: { type: string }, data: { type: string } }, oneOf: [
              { properties: { event: { const: pause } } },
              { properties: { event: { const: note }, data: { contentMediaType: application/json,
                contentSchema: { $ref: "#/components/schemas/Note" } } } } ] }
            """)
        let notes = imported.file("notes.yaml")
        #expect(notes.contains("stream: { form: sse, events: [note] }"))
        #expect(notes.contains("returns: Note"))
        #expect(imported.losses == ["events whose data is no JSON": 1])
    }

    @Test("streams of imported operations whose data is text are a loss")
    func texts() {
        let imported = items("{ properties: { data: { type: string } } }")
        #expect(imported.file("notes.yaml").contains("returns: json"))
        #expect(imported.losses == ["events whose data is no JSON": 1])
    }

    @Test("streams of imported operations stand beside other verbs and media types of OpenAPI 3.2")
    func verbs() {
        let imported = imported(
            """
              /songs:
                query:
                  operationId: find
                  requestBody: { required: true, content: { application/json: { schema: { $ref: "#/components/schemas/Ask" } } } }
                  responses: { "200": { description: ok, content: { application/json: { $ref: "#/components/mediaTypes/Songs" } } } }
                additionalOperations:
                  COPY: { operationId: copy, responses: { "204": { description: ok } } }
                  Copy: { operationId: other, responses: { "204": { description: ok } } }
            """, version: "3.2.0")
        let songs = imported.file("songs.yaml")
        #expect(songs.contains("{ method: QUERY songs, body: Ask, returns: Song }"))
        #expect(songs.contains("{ method: COPY songs }"))
        #expect(imported.losses["HTTP method that cannot be sent"] == 1)
    }
}
