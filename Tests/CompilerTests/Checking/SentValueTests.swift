import SpecIR
import SpecSemantics
import Testing

@Suite("What is sent of a parameter")
struct SentValueTests {
    private func analysis(_ type: String, section: String = "query", api: String = "") -> Analysis {
        let verb = ["query", "headers", "path"].contains(section) ? "get" : "post"
        let path = section == "path" ? "'{a}'" : "x"
        return Analysis(
            users: """
                methods:
                  users.get: { \(verb): \(path), \(section): { a: { type: \(type) } } }
                  users.add: { post: x, body: Thing }
                models:
                  Thing: { id: int }
                  Small: { type: int, min: 0, max: 9 }

                """, api: api)
    }

    private func parameter(_ type: String, section: String = "query") throws -> Parameter {
        let analysis = analysis(type, section: section)
        return try #require(
            analysis.method("users.get")?.parameters.first, "\(analysis.rendered)")
    }

    @Test(
        "what is sent of a parameter is refused where it has no meaning",
        arguments: [
            // Styles of objects.
            ("headers", "'{string: string}', style: entries", "T0311: entries"),
            ("query", "Thing, style: entries", "T0311: entries"),
            ("query", "'{string: Thing}', style: entries", "T0311: entries"),
            ("query", "'{string: [[int]]}', style: entries", "T0311: entries"),
            ("json", "'{string: string}', style: entries", "T0311: entries"),
            ("query", "Thing", "T0303: Thing"), ("query", "int, style: deep", "T0311: deep"),
            ("headers", "Thing, style: deep", "T0311: deep"),
            ("path", "Thing, style: dots", "T0311: dots"),
            ("json", "Thing, style: dots", "T0311: dots"),
            ("multipart", "Thing, style: deep", "T0303: Thing"),
            ("multipart", "Thing", "T0303: Thing"),
            ("multipart", "'[file]', style: json", "T0311: json"),
            ("multipart", "string, style: json", "T0311: json"),
            ("query", "'[int]', style: dots, join: ','", "T0105: ','"),
            ("query", "Thing, style: deeper", "T0107: deeper"),
            // Empty values.
            ("query", "string, empty: omit", "T0311: empty"),
            ("query", "int?, empty: omit", "T0311: empty"),
            ("query", "string, default: b, empty: omit", "T0311: empty"),
            ("query", "string?, empty: default", "T0311: empty"),
            ("query", "string, empty: default", "T0311: empty"),
            ("query", "int, default: 1, empty: default", "T0311: empty"),
            ("query", "{ const: b, empty: default }", "T0311: empty"),
            ("json", "'string? | null', empty: omit", "T0311: empty"),
            ("path", "string, empty: omit", "T0311: empty"),
            ("query", "string?, empty: true", "T0107: true"),
            // Bounds.
            ("query", "int, clamp: true", "T0311: clamp"),
            ("query", "string, max-length: 3, clamp: true", "T0311: clamp"),
            ("query", "int, above: 3, clamp: true", "T0311: clamp"),
            ("query", "int, min: { value: 3, on: receive }, clamp: true", "T0311: clamp"),
            ("query", "'[int]', items: { min: 3 }, clamp: true", "T0311: clamp"),
            ("json", "'int | null', min: 3, clamp: true", "T0311: clamp"),
            ("query", "int, const: 3, min: 3, clamp: true", "T0311: clamp"),
            ("query", "int, min: 3, clamp: yes", "T0102: yes"),
            // Defaults of the server.
            ("query", "int, server-default: 3", "T0311: server-default"),
            ("query", "int, default: 3, server-default: 3", "T0105: server-default"),
            ("query", "int, const: 3, server-default: 3", "T0105: server-default"),
            ("query", "int?, server-default: three", "T0304: three"),
            ("query", "int?, max: 2, server-default: 3", "T0405: 3"),
        ])
    func refused(section: String, type: String, mark: String) {
        let analysis = analysis(type, section: section)
        #expect(analysis.marks.contains(mark), "\(analysis.rendered)")
    }

    @Test(
        "what is sent of a parameter is not a matter of fields and elements",
        arguments: ["empty: omit", "clamp: true", "server-default: 1"])
    func fields(attribute: String) {
        let key = attribute.prefix { $0 != ":" }
        let analysis = Analysis(
            users:
                "models: { A: { public: true, fields: { b: { type: int?, min: 1, \(attribute) } } } }\n"
        )
        #expect(analysis.marks == ["T0311: \(key)"], "\(analysis.rendered)")
    }

    @Test("what is sent of a parameter has a style for objects, maps, lists of lists and any JSON")
    func styles() throws {
        #expect(try parameter("Thing?, style: deep").listStyle == .deep)
        for type in ["'[Thing]'", "'{string: Thing}'", "'[[int]]'", "json"] {
            #expect(try parameter("\(type), style: dots", section: "form").listStyle == .dots)
        }
    }

    @Test("what is sent of a parameter is bounded by the tightest rules, also of an alias")
    func clamp() throws {
        let alias = try parameter("Small, min: 2, clamp: true")
        #expect(alias.clamp == .init(low: .integer("2"), high: .integer("9")))
        let number = try parameter("double?, max: 1.5, clamp: true", section: "form")
        #expect(number.clamp == .init(low: nil, high: .number("1.5")))
        #expect(try parameter("int, min: 1, clamp: false").clamp == nil)
    }

    @Test("a map knows the names that its entries cannot have, and is the only map of its place")
    func entries() throws {
        func analysis(_ other: String) -> Analysis {
            Analysis(
                users: """
                    parameters: { lang: { type: string?, key: l } }
                    methods:
                      users.get:
                        get: x
                        query:
                          a: { type: "{string: [int]}?", style: entries }
                          b: \(other)
                        headers: { c: string? }
                    """,
                api: """
                    parameters: { v: { const: "5" } }
                    auth: { t: { token: { in: query, name: key } } }

                    """)
        }
        let method = try #require(analysis("int?").method("users.get"))
        let entries = method.parameters.first { $0.listStyle == .entries }
        #expect(entries?.takenNames == ["l", "b", "v", "key"])
        let two = analysis("{ type: '{string: int}?', style: entries }")
        #expect(Set(two.marks) == ["T0105: a", "T0105: b"], "\(two.rendered)")
        let base = Analysis(
            users: "methods: { get: { get: a } }\n",
            api: "parameters: { a: { type: '{string: int}?', style: entries } }\n")
        #expect(base.marks == ["T0311: entries"], "\(base.rendered)")
    }

    @Test("what is sent of a parameter is nothing for an empty value, or without a value")
    func absent() throws {
        #expect(try parameter("'[int]?', empty: omit", section: "json").omitsEmpty)
        #expect(try !parameter("string?, empty: send").omitsEmpty)
        #expect(try parameter("int?, server-default: 3").serverDefault == .integer("3"))
    }

    @Test("what is sent of a parameter is explained")
    func explanation() throws {
        let analysis = analysis("'int?', max: 9, clamp: true, server-default: 3")
        let explanation = try #require(SpecAnalyzer.explain("users.get", in: analysis.spec))
        #expect(
            explanation.values.first { $0.name == "query a" }?.value
                == "int?, clamped, default of the server 3, max 9")
    }
}
