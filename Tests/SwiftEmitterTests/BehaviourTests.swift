import Testing

/// Checks generated code for calls whose absence would still compile.
@Suite("Behaviour of generated code")
struct BehaviourTests {
    @Test(
        "Enumerations are checked when they are sent, at any depth",
        arguments: [
            "Kind", "\"[Kind]\"", "\"[Kind | null]\"", "\"[[Kind]]\"",
            "\"{string: Kind}\"", "\"{string: [Kind]}\"",
            "\"[[[Kind]]]\"", "\"[{string: Kind}]\"", "\"{int: [[Kind]]}\"",
        ])
    func known(type: String) throws {
        let text = try group("put: x\n    json: { a: { type: \(type) } }")
        #expect(text.matches(of: /\.known\(/).count == 1)
    }

    @Test("A required null is written, and an optional null differs from an absent value")
    func null() throws {
        let text = try group("put: x\n    json: { a: int | null, b: \"int? | null\", c: int? }")
        #expect(text.contains("json.field(\"a\", Nullable(a))"))
        #expect(text.contains("json.field(\"b\", b)"))
        #expect(text.contains("b: Nullable<Int>? = nil, c: Int? = nil"))
    }

    @Test("A required null is also required in properties")
    func nullByProperties() throws {
        let text = try group("put: x\n    json: { a: int | null, b: \"[Date] | null\", c: int? }")
        #expect(text.contains("let a: Int? = reader.requiredNullable(\"a\")"))
        #expect(text.contains("let b: [Date]? = reader.requiredNullable(\"b\") { json in"))
        #expect(text.contains("let c: Int? = reader.optional(\"c\")"))
    }

    @Test("A default replaces an absent value, not null")
    func nullableDefault() throws {
        let text = try group(
            """
            put: x
                json: { a: { type: int | null, default: 5 }, b: { type: int | null, default: null } }
                returns: { c: { type: int | null, default: 7 } }
            """)
        #expect(text.contains("let a: Int? = reader.nullable(\"a\", default: 5)"))
        #expect(text.contains("let b: Int? = reader.nullable(\"b\", default: nil)"))
        #expect(text.contains("public init(c: Int? = 7)"))
        #expect(text.contains("var c: Int? = 7"))
        #expect(text.contains(/if json\.isNull\(\) \{\s+c = nil/))
    }

    @Test(
        "A member without an argument is the credential's",
        arguments: [
            ("int", "Int?", #"orCredential: "me", isNumber: true)"#),
            ("string", "String?", #"orCredential: "me")"#),
            ("\"int | null\"", "Nullable<Int>?", #"orCredential: "me", isNumber: true)"#),
            ("int, from: string", "Int?", #"orCredential: "me")"#),
            ("string, from: int", "String?", #"orCredential: "me", isNumber: true)"#),
            ("string, sensitive: true", "String?", #"orCredential: "me", sensitive: true)"#),
        ])
    func credential(type: String, swift: String, call: String) throws {
        let text = try group(
            "put: x\n    json: { a: { type: \(type), default: $token.me } }",
            api: "auth: { a: { token: bearer } }\n")
        #expect(text.contains("get(a: \(swift) = nil"))
        #expect(text.contains("if a == nil {\n            request.member(\"a\", \(call)"))
    }

    @Test(
        "An empty value is replaced by the default",
        arguments: [
            ("string, default: b", "String = \"b\"", "a.isEmpty ? \"b\" : a"),
            ("'[int]', default: [1]", "[Int] = [1]", "a.isEmpty ? [1] as [Int] : a"),
            ("'[int]', default: [$token.me]", "[Int]? = nil", "SentValue.unlessEmpty(a)"),
        ])
    func emptyDefault(type: String, argument: String, sent: String) throws {
        let text = try group(
            "get: x\n    query: { a: { type: \(type), empty: default } }",
            api: "auth: { a: { token: bearer } }\n")
        #expect(text.contains("get(a: \(argument)") && text.contains("let a = \(sent)\n"))
        #expect(text.contains("An empty value is sent as the default."))
    }

    @Test("A method of the module alone has no public function, and its fake answers")
    func internalMethod() throws {
        let text = try group("get: x\n    visibility: internal")
        #expect(text.contains("    func get(options: CallOptions? = nil)"))
        #expect(text.contains("    static func get()"))
        #expect(!text.contains("public func get") && text.contains("public let onGet:"))
    }

    @Test(
        "The default of a duration is emitted exactly",
        arguments: [
            ("3.3", ".milliseconds(3300)"), ("-0.05", ".milliseconds(-50)"), ("90", ".seconds(90)"),
            ("1.5s", ".milliseconds(1500)"), ("2m", ".seconds(120)"), ("2.0", ".seconds(2)"),
            ("0.0001", #".init(literal: "0.0001")"#), ("1e-3", #".init(literal: "1e-3")"#),
        ])
    func duration(text: String, swift: String) throws {
        let type = "{ type: Duration, default: \(text) }"
        let group = try group("put: x\n    json: { a: \(type) }")
        #expect(group.contains("a: Duration = \(swift)"))
    }

    @Test(
        "The rule, the items and the argument of pages are emitted",
        arguments: [
            (
                "offset: o, total: t", ".offset(from: o ?? 0, total: { $0.t }), items: { $0.a }",
                "o: position.asOffset ?? o"
            ),
            (
                "page: p, last: t", ".page(from: p, last: { $0.t }), items: { $0.a }",
                "p: position.asPage ?? p"
            ),
            (
                "send: s, take: c.next", ".token({ $0.c?.next }), items: { $0.a }",
                "s: position.asToken ?? s"
            ),
            (
                "send: o, take: t", ".number({ $0.t }), items: { $0.a }",
                "o: position.asNumber ?? o"
            ),
            (
                "send: s, take: t", ".token({ $0.t.description }), items: { $0.a }",
                "s: position.asToken ?? s"
            ),
            (
                "send: o, take: { header: X-Next }",
                ".header(\"X-Next\", isNumber: true), items: { $0.a }",
                "o: position.asNumber ?? o"
            ),
            (
                "send: s, take: { last: id }, more: c.more",
                ".token({ $0.l.last?.id }), more: { $0.c?.more }, items: { $0.l }",
                "s: position.asToken ?? s"
            ),
            (
                "send: j, take: m", ".json({ $0.m }), items: { $0.a }",
                "j: position.asJSON() ?? j"
            ),
            (
                "next: c.url", ".address({ $0.c?.url?.absoluteString }), items: { $0.a }",
                "options: CallOptions(options, at: position)"
            ),
            (
                "next: { link: more }", ".link(\"more\"), items: { $0.a }",
                "options: CallOptions(options, at: position)"
            ),
            (
                "merge: m", ".merging({ $0.m }), items: { $0.a }",
                "options: CallOptions(options, at: position)"
            ),
        ])
    func pages(form: String, rule: String, argument: String) throws {
        let text = try group(
            """
            get: x
                query:
                  o: int?
                  p: { type: int, default: 0 }
                  s: string?
                  j: { type: "{string: string}?", style: json }
                returns:
                  a: [int]
                  l: [{ id: string }]
                  t: int
                  c: { fields: { next: string?, url: url?, more: bool? }, optional: true }
                  m: "{string: string}"
                pages: { items: \(form.contains("last: id") ? "l" : "a"), \(form) }
            """)
        #expect(text.contains("Pages(\(rule)) { position in"))
        #expect(text.contains(argument))
    }

    @Test("The items of pages are the values of a map, or nothing where a step is missing")
    func pageItems() throws {
        for (items, expression) in [
            ("c.a", "items: { $0.c?.a ?? [] }"), ("b", "values: { $0.b ?? [:] }"),
        ] {
            let text = try group(
                """
                get: x
                    query: { o: int? }
                    returns: { c: { fields: { a: "[int]" }, optional: true }, b: "{int: string}?" }
                    pages: { items: \(items), offset: o }
                """)
            #expect(text.contains(expression))
        }
    }

    @Test("Rules of elements are checked in a query, too")
    func elements() throws {
        let text = try group("get: x\n    query: { a: { type: [string], items: { length: 3 } } }")
        #expect(text.contains("json.length(item, 3)"))
    }

    @Test(
        "Sensitive values are marked wherever they are sent", arguments: ["form", "json", "query"])
    func sensitive(section: String) throws {
        let verb = section == "query" ? "get" : "post"
        let text = try group("\(verb): x\n    \(section): { a: { type: string, sensitive: true } }")
        #expect(text.contains("(\"a\", a, sensitive: true)"))
    }

    @Test(
        "A body that is sensitive as a whole is marked, too",
        arguments: [
            ("string", ".json(sensitive: true) { json in"),
            ("bytes", ".bytes(body, sensitive: true)"),
            ("file", ".file(body, sensitive: true)"),
        ])
    func sensitiveBody(type: String, call: String) throws {
        let text = try group("post: x\n    body: { type: \(type), sensitive: true }")
        #expect(text.contains(call))
        #expect(try !group("post: x\n    body: \(type)").contains("sensitive"))
    }

    @Test("An optional body is written only if it is present, also if it is null")
    func optionalBody() throws {
        let text = try group("post: x\n    body: int? | null")
        #expect(text.contains("body: Nullable<Int>? = nil"))
        #expect(text.contains("if let body {\n            request.json { json in"))
        #expect(text.contains("guard let body = body.optional else { return json.null() }"))
        #expect(try !group("post: x\n    body: int | null").contains("if let body"))
    }

    @Test("An optional field is not declared as T?, which would be nil before it is assigned")
    func optionalFields() throws {
        let text = try group(
            "get: x\n    returns: Node", models: "Node: { id: int, name: string? }")
        #expect(text.contains("public var name: Optional<String>\n"))
        #expect(text.contains("init(id: Int, name: String? = nil)"))
    }

    @Test("A boxed field has an accessor, and no mirror is written for it")
    func boxes() throws {
        let recursive = try group(
            "get: x\n    returns: Node", models: "Node: { id: int, next: Node? }")
        #expect(recursive.contains("get { _next?.value }"))
        #expect(recursive.contains("set { _next = newValue.map(Indirect.init) }"))
        #expect(recursive.contains("private var _next: Optional<Indirect<Node>>"))
        #expect(!recursive.contains("customMirror"))
        let texts = (0..<17).map { "t\($0): string" }.joined(separator: ", ")
        let large = try group(
            "get: x\n    returns: Node", models: "Node: { one: { \(texts) }, two: [Node] }")
        #expect(large.contains("get { _one.value }"))
        #expect(large.contains("set { _one = Indirect(newValue) }"))
        #expect(large.contains("private var _one: Indirect<Node.One>"))
        #expect(large.contains("self._one = Indirect(one)"))
    }

    @Test(
        "The placement of the token is emitted",
        arguments: [
            ("bearer", ".bearer"), ("{ in: query, name: t }", #".query("t")"#),
            ("{ in: header, name: X }", #".header("X", prefix: "")"#),
            ("{ in: cookie, name: t }", #".cookie("t")"#),
            ("{ in: body, name: t }", #".body("t")"#),
        ])
    func token(token: String, placement: String) throws {
        let spec = TestSpec(files: [
            "api.yaml": """
            telex: 1
            api: Test
            servers: { a: https://example.com/ }
            auth: { a: { token: \(token) } }

            """,
            "things.yaml": "methods: { do: { post: x } }\n",
        ])
        let text = try #require(try spec.emitted()["API.swift"])
        #expect(text.contains("token: \(placement)"))
    }

    @Test("A fake is given the arguments in the order of the call")
    func fake() throws {
        let text = try group("get: x\n    query: { b: int?, a: string, c: bool }")
        #expect(text.contains("let onGet: Stub<(a: String, c: Bool, b: Int?), Void>"))
        #expect(text.contains("(a: a, c: c, b: b)\n        }"))
    }

    @Test("Without `generate`, a call builds its request, and there is no other code")
    func plain() throws {
        let spec = TestSpec(files: [
            "api.yaml": "telex: 1\napi: Test\nservers: { a: https://example.com/ }\n",
            "things.yaml": "methods: { get: { get: x, query: { a: int }, returns: { n: int } } }\n",
        ])
        let files = try spec.emitted()
        let text = try #require(files["Things.swift"])
        #expect(text.contains("request.query(\"a\", a)\n        return self.operation("))
        #expect(text.matches(of: /\ba: Int\b/).count == 1)
        #expect(!text.contains("Fake") && !text.contains("ThingsRequests"))
        #expect(files["API+Methods.swift"]?.split(separator: "\n").count == 1)
    }

    @Test(
        "Parameters are sent in spec order, required or not",
        arguments: ["multipart", "form", "json", "query"])
    func order(section: String) throws {
        let verb = section == "query" ? "get" : "post"
        let text = try group(
            """
            \(verb): x
                \(section): { a: string?, b: { const: c }, d: { type: int, default: 1 }, e: int }
            """)
        let places = ["a", "b", "d", "e"].map { text.firstRange(of: "(\"\($0)\", ")?.lowerBound }
        #expect(places == places.compactMap(\.self).sorted())
        #expect(text.contains("get(e: Int, a: String?, d: Int"))
    }

    @Test(
        "A list in a header is one field, unless its style is `repeat`",
        arguments: [
            ("", ")"), ("style: repeat", ", list: .repeated)"), ("join: \", \"", ")"),
            ("join: \"|\"", ", list: .joined(\"|\"))"), ("style: json", ", list: .json)"),
        ])
    func headerLists(attribute: String, options: String) throws {
        let text = try group("get: x\n    headers: { X-A: { type: [int], \(attribute) } }")
        #expect(text.contains("request.header(\"X-A\", xA\(options)"))
    }

    @Test(
        "An object in a query or a form is sent in its style",
        arguments: [
            ("query: { a: { type: Kind, style: deep } }", "request.query(\"a\", a, list: .deep)"),
            (
                "form: { a: { type: \"[Kind]?\", style: dots } }",
                "request.form(\"a\", a, list: .dots)"
            ),
        ])
    func objects(section: String, call: String) throws {
        let text = try group("post: x\n    \(section)", models: "Kind: { id: int }")
        #expect(text.contains(call))
    }

    @Test(
        "What is sent in place of an argument is also what its rules check",
        arguments: [
            ("string?, empty: omit", "SentValue.unlessEmpty(a)"),
            ("int, min: 1, max: 5, clamp: true", "SentValue.clamped(a, min: 1, max: 5)"),
            ("double?, max: 1.5, clamp: true", "SentValue.clamped(a, max: 1.5)"),
            (
                "decimal, min: 1, clamp: true",
                "SentValue.clamped(a, min: Decimal(literal: \"1\"))"
            ),
            ("Small, min: 2, clamp: true", "SentValue.clamped(a, min: 2, max: 9)"),
        ])
    func replaced(type: String, call: String) throws {
        let text = try group(
            "post: x\n    form: { a: { type: \(type) } }",
            models: "Small: { type: int, min: 0, max: 9 }")
        #expect(text.contains("let a = \(call)\n        request.form(\"a\", a"))
    }

    @Test("Another HTTP method is sent by its name")
    func otherVerb() throws {
        let text = try group("method: PROPFIND files/{+path}")
        #expect(text.contains(".other(\"PROPFIND\"), \"files/{+path}\""))
        #expect(text.contains("/// Builds `PROPFIND files/{+path}`."))
    }

    @Test("The default of the server is documented, and not sent")
    func serverDefault() throws {
        let text = try group(
            "get: x\n    query: { a: { type: int?, max: 9, clamp: true, server-default: 7 } }")
        #expect(text.contains("a: Int? = nil"))
        let words = text.split { $0.isWhitespace || $0 == "/" }.joined(separator: " ")
        #expect(
            words.contains(
                "Not sent when `nil`. A number outside the bounds is sent as the bound. "
                    + "The server's default is `7`."))
    }

    @Test(
        "A constant number keeps its notation in text",
        arguments: [
            ("query", "double", "2.0", "\"2.0\""), ("form", "decimal", "0.30", "\"0.30\""),
            ("headers", "decimal", "+1.50", "\"+1.50\""),
            ("multipart", "double", "1e3", "\"1e3\""), ("query", "double", "0x10", "16"),
            ("query", "int", "0o17", "15"), ("json", "double", "2.0", "2.0"),
        ])
    func constants(section: String, type: String, constant: String, text: String) throws {
        let verb = ["query", "headers"].contains(section) ? "get" : "post"
        let output = try group(
            "\(verb): x\n    \(section): { a: { type: \(type), const: \(constant) } }")
        #expect(output.contains("(\"a\", \(text))"))
    }

    @Test("Base parameters are sent in spec order, too")
    func baseOrder() throws {
        let spec = TestSpec(files: [
            "api.yaml": """
            telex: 1
            api: Test
            servers: { a: https://example.com/ }
            parameters: { a: { type: string? }, b: { type: string } }

            """,
            "things.yaml": "methods: { do: { post: x } }\n",
        ])
        let text = try #require(try spec.emitted()["API.swift"])
        #expect(text.contains("public init(b: String, a: String? = nil)"))
        let first = try #require(text.firstRange(of: "query(\"a\""))
        #expect(text[first.upperBound...].contains("query(\"b\""))
    }

    @Test("Members stand in their wrapper, by name or by position, and the id beside it")
    func wrapped() throws {
        let named = try group(
            "params: { a: int, b: string? }", api: "rpc: json-rpc-2.0\n")
        #expect(
            named.contains(
                /json\.key\("params"\)\s+json\.beginObject\(\)\s+json\.field\("a", a\)\s+json\.field\("b", b\)\s+json\.endObject\(\)\s+\}\s+request\.callID\("id", in: \.json\)/
            ))
        #expect(named.contains("get(a: Int, b: String? = nil"))
        #expect(named.contains("reply: .jsonRPC"))
        let listed = try group("params: [{ a: int }]", api: "rpc: json-rpc-2.0\n")
        #expect(listed.contains(/beginPositions\(\)\s+json\.field\("a", a\)\s+json\.endArray/))
    }

    @Test("A part may be JSON, a path may have an empty piece, and a reply a limit of its own")
    func options() throws {
        let text = try group(
            """
            post: 'x/{a}/y'
                path: { a: { type: string, empty: send } }
                multipart: { b: Kind, c: { type: json, style: json } }
                limits: { response: 5MB }
            """, models: "Kind: { type: string }")
        #expect(text.contains(#"request.path("a", a, allowsEmpty: true)"#))
        #expect(text.contains(#"request.part("c", c, list: .json)"#))
        #expect(text.contains("OperationRules(replyBytes: 5_000_000)"))
    }

    @Test("A duration of milliseconds is read and written as such everywhere")
    func milliseconds() throws {
        let type = "{ type: Duration, as: ms }"
        let list = "{ type: '[Duration]', items: { as: ms } }"
        let text = try group(
            """
            post: x
                query: { a: \(type), b: \(list) }
                json: { c: { type: Duration, as: ms, default: 1.5s }, d: \(list) }
                returns: { e: \(type), f: \(list) }
            """)
        #expect(text.contains(#"request.query("a", ParameterText.duration(a, .milliseconds))"#))
        #expect(text.contains("c: Duration = .milliseconds(1500)"))
        #expect(text.ranges(of: "in: .milliseconds)").count >= 6)
        #expect(!text.contains("json.field(\"c\", c)\n"))
    }

    @Test("The media type of a body is a constant header field; `json` may name a type")
    func contentType() throws {
        let text = try group(
            "patch: x\n    json: Kind\n    content-type: application/merge-patch+json")
        #expect(text.contains(#"request.header("Content-Type", "application/merge-patch+json")"#))
        #expect(text.contains("get(body: Kind"))
        let named = try group("post: x\n    body: { type: Kind, swift: { name: kind } }")
        #expect(named.contains("get(kind: Kind"))
    }

    @Test("The id of a call has no argument")
    func callID() throws {
        let text = try group(
            "put: 'x/{a}'\n    path: { a: { const: $call.id } }\n    headers: { B: { type: int, const: $call.id, sensitive: true } }"
        )
        #expect(text.contains("get(options: CallOptions? = nil)"))
        #expect(text.contains(#"request.callID("a", in: .path)"#))
        #expect(
            text.contains(#"request.callID("B", in: .header, isInteger: true, sensitive: true)"#))
    }

    @Test("A rule of the app is asked where a model is received, not where it is sent")
    func ownRule() throws {
        let text = try group(
            "post: x\n    json: { thing: Thing }\n    returns: Thing",
            models: "Thing: { id: { type: int, only: reply }, code: { type: string, rule: a-b } }")
        let question = #"json.own(code, "a-b", by: (any TestReplyChecks).self) { $0.aB($1) }"#
        #expect(text.ranges(of: question).count == 1 && text.ranges(of: ".own(").count == 1)
    }

    @Test("An error code with two names is one known value")
    func nameOfMethod() throws {
        let spec = TestSpec(files: [
            "api.yaml": """
            telex: 1
            api: Test
            servers: { a: https://example.com/ }
            errors: { code: c, cases: { busy: 15 } }

            """,
            "things.yaml": "methods: { get: { get: x, errors: { cases: { full: 15 } } } }\n",
        ])
        let text = try #require(try spec.emitted()["API.swift"])
        #expect(text.contains("var full: ErrorCode { ErrorCode(rawValue: 15) }"))
        #expect(text.contains("var allKnown: [ErrorCode] { [.busy] }"))
    }

    @Test("Fakes answer with templates, and only what asks for more is checked at run time")
    func templates() throws {
        let spec = TestSpec(files: [
            "api.yaml": """
            telex: 1
            api: Test
            servers: { a: https://example.com/ }
            generate: [fakes, requests]
            unwrap: [response, 0]

            """,
            "things.yaml": """
            methods:
              get: { get: x, returns: "int", examples: { one: 5 } }
              many: { get: x, unwrap: a, returns: "[int]", template: more.json }
              part: { get: x, unwrap: b, returns: int, template: part.json }
              none: { get: x, returns: int, template: null.json, examples: { one: 5 } }

            """,
            "templates/things.get.json": #"{ "response": [1] }"#,
            "templates/part.json": #"{ "b": 1 }"#,
            "templates/null.json": #"{ "response": [null] }"#,
            "templates/more.json":
                #"{ "a": [1], "a-Rules": { "elementsMustBeEqualOrMoreThan": 1 } }"#,
        ])
        let files = try spec.emitted()
        let things = try #require(files["Things.swift"])
        #expect(
            things.contains(
                "onGet.answer(template: Test.templates[\"things.get\"], at: [\"response\", 0])"))
        #expect(
            things.contains("onMany.answer(template: Test.templates[\"things.many\"], at: [\"a\"])")
        )
        #expect(things.contains("onNone.answer(json: \"5\")"))
        let table = try #require(files["API+Templates.swift"])
        #expect(table.contains("\"things.many\", \"GET\", \"x\", isChecked: true,"))
        let methods = try #require(files["API+Methods.swift"])
        #expect(methods.contains("template: templates[\"things.many\"]"))
        #expect(!methods.contains("template: templates[\"things.part\"]"))
        #expect(try #require(files["API.swift"]).contains("templates: templates"))
    }

    @Test("Without templates there is no table; one that no method has leaves it empty")
    func noTemplates() throws {
        var spec = TestSpec(files: [
            "api.yaml": "telex: 1\napi: Test\nservers: { a: https://example.com/ }\n"
        ])
        #expect(try spec.emitted()["API+Templates.swift"] == nil)
        spec.files["templates/a.json"] = "{}"
        let table = try #require(try spec.emitted()["API+Templates.swift"])
        #expect(table.contains("public static let templates = APITemplates()"))
    }

    /// The output for a group with one method, and an enumeration.
    private func group(
        _ method: String, models: String = "Kind: { enum: [one, two] }", api: String = ""
    ) throws -> String {
        let spec = TestSpec(files: [
            "api.yaml": "telex: 1\napi: Test\nservers: { a: https://example.com/ }\n"
                + "generate: [fakes, requests]\n" + api,
            "things.yaml":
                "methods:\n  get:\n    \(method)\nmodels:\n  \(models)\n",
        ])
        return try #require(try spec.emitted()["Things.swift"])
    }
}
