import SpecDiagnostics
import SpecIR
import SpecSemantics
import Testing

@Suite("Templates in a spec folder")
struct TemplateSpecTests {
    /// Analyses a method that returns `type`, with a template of its reply.
    private func analysis(
        _ json: String, returns type: String, models: String = "", api: String = ""
    ) -> Analysis {
        Analysis([
            "api.yaml": Analysis.smallAPI + api, "templates/users.get.json": json,
            "users.yaml": "methods:\n  get: { get: a, returns: \(type) }\n\(models)",
        ])
    }

    private func template(_ analysis: Analysis) throws -> ReplyTemplate {
        try #require(analysis.method("users.get")?.template, "\(analysis)")
    }

    // MARK: Which template a method has

    private func folder(_ methods: String, _ templates: [String]) -> Analysis {
        let files = templates.map { ("templates/\($0)", "{}\n") }
        return Analysis(
            Dictionary(uniqueKeysWithValues: files).merging([
                "api.yaml": Analysis.smallAPI, "users.yaml": "methods:\n\(methods)",
            ]) { first, _ in first })
    }

    @Test("a method's template is called like it, or is the one it names; methods may share one")
    func found() {
        let methods = """
              get: { get: a, returns: json }
              find: { get: a, returns: json, template: users.get.json }
              none: { get: a, returns: json }

            """
        let analysis = folder(methods, ["users.get.json"])
        #expect(analysis.rendered.isEmpty)
        let names = analysis.group?.methods.filter { $0.template != nil }.map(\.apiName)
        #expect(names == ["users.get", "users.find"])
        #expect(analysis.api?.templates == .documented)
        #expect(folder(methods.replacing(", template: users.get.json", with: ""), []).api != nil)
    }

    @Test(
        "the template of a method must exist, be in the folder itself, and be the only one",
        arguments: [
            ("users.gat.json", "T0904: users.gat.json", "did you mean `users.get.json`?"),
            ("users.get", "T0904: users.get", "did you mean `users.get.json`?"),
            ("other", "T0904: other", "write the reply to `templates/other`"),
            ("../users.get.json", "T0904: ../users.get.json", "files in the folder `templates`"),
            ("templates/a.json", "T0904: templates/a.json", "files in the folder `templates`"),
            (".a.json", "T0904: .a.json", "files in the folder `templates`"),
            ("a.json", "T0905: a.json", "remove one of them"),
        ])
    func mistakes(name: String, mark: String, help: String) {
        let analysis = folder(
            "  get: { get: a, returns: json, template: \(name) }\n", ["users.get.json", "a.json"])
        #expect(analysis.marks.contains(mark), "\(analysis)")
        #expect(analysis.rendered.contains(help), "\(analysis)")
    }

    @Test("templates in a spec folder of no method is a warning that suggests the method")
    func unused() {
        let analysis = folder("  get: { get: a, returns: json }\n", ["users.gett.json", "x.json"])
        #expect(analysis.codes == ["T0906", "T0906"])
        #expect(analysis.rendered.contains("did you mean `users.get.json`?"))
        #expect(analysis.api != nil)
    }

    @Test("a template in a folder inside of the template folder is a warning, whatever it holds")
    func misplaced() {
        let files = [
            "api.yaml": Analysis.smallAPI, "templates/users/get.json": "{",
            "users.yaml": "methods: { users/get: { get: a, returns: json } }\n",
        ]
        let analysis = Analysis(files)
        #expect(analysis.codes == ["T0906"])
        #expect(analysis.rendered.contains("move it to `templates` itself"))
        #expect(analysis.api?.templates == nil)
    }

    @Test("templates in a spec folder may have no other key and no other meaning of rules")
    func settings() {
        let used = analysis(
            "{}", returns: "json", api: "templates: { compatibility: original }\n")
        #expect(used.rendered.isEmpty)
        #expect(used.api?.templates == .original)
        for (text, mark) in [
            ("{ compatibility: old }", "T0105: old"),
            ("{ compatable: original }", "T0101: compatable"),
            ("original", "T0103: original"),
        ] {
            let analysis = analysis("{}", returns: "json", api: "templates: \(text)\n")
            #expect(
                analysis.marks.contains { $0.hasSuffix(String(mark.dropFirst(5))) }, "\(analysis)")
            #expect(analysis.api == nil)
        }
    }

    @Test(
        "templates in a spec folder needs a reply that is one JSON value",
        arguments: [
            "nothing", "text", "bytes", "{ 200: json, 204: nothing }", "json, stream: sse",
            "file, kind: download", "nothing, kind: download",
        ])
    func inapplicable(type: String) {
        let analysis = analysis("{}", returns: type)
        #expect(analysis.codes == ["T0907"], "\(analysis)")
    }

    // MARK: Mistakes in a template

    @Test(
        "A mistake is reported in the JSON file",
        arguments: [
            ("{ \"a\": 1,, }", "T0901: ,"), ("", "T0901: "), ("{ \"a\": 1 ", "T0901: "),
            ("[1] []", "T0901: ["), ("{ \"ä\": 1, \"ä\": 2 }", "T0901: \"ä\""),
            ("{ \"a\": 1, \"a-Rules\": { \"minimun\": 1 } }", "T0901: \"minimun\""),
            ("{ \"a\": 1, \"b-Rules\": { \"minimum\": 1 } }", "T0901: \"b-Rules\""),
        ])
    func syntax(json: String, mark: String) {
        #expect(analysis(json, returns: "json").marks == [mark])
    }

    @Test("A misspelt rule has a suggestion, and other meanings are warnings")
    func rules() {
        let misspelt = analysis(
            "{ \"a\": 1, \"a-Rules\": { \"minimun\": 1 } }", returns: "json")
        #expect(misspelt.rendered.contains("did you mean `minimum`?"))
        let json = "{ \"a\": \"NSObject\", \"a-Rules\": { \"hasSuffix\": \"NS\" } }"
        #expect(analysis(json, returns: "json").codes == ["T0903"])
        let original = analysis(
            json, returns: "json", api: "templates: { compatibility: original }\n")
        #expect(original.codes == ["T0903"])
        #expect(original.rendered.contains("its name says something else"))
    }

    // MARK: Template and types

    private static let models = """
        models:
          Kind: { enum: { first: A, second: B } }
          Shape: { one-of: { circle: Circle, square: Square }, tag: kind }
          Circle: { r: int }
          Square: { side: int }
          Open: { fields: { id: int }, additional: json }
          User:
            fields:
              id: int
              secret: { type: string?, only: request }
              name: { type: string?, max-length: 5 }
              kind: Kind?
              shape: Shape?
              open: Open?
              digits: { type: int?, from: string }
              either: { type: string?, from: either }
              flag: bool01?
              day: { type: Date?, as: date }
              shown: { type: Date?, as: dd.MM.yyyy }
              local: { type: Date?, as: local-date-time }
              stamp: { type: Date?, as: unix }
              rate: double?
              names: "[string]?"
              counts: "{string: int}?"
              city: { at: place.city, type: string? }
              any: json?
              never: string?

        """

    private func user(_ members: String) -> Analysis {
        analysis("{ \"id\": 1, \(members) }", returns: "User", models: Self.models)
    }

    @Test(
        "A good reply has values as the server sends them; null fits every type",
        arguments: [
            #""kind": "A""#, #""shape": { "kind": "square", "side": 2 }"#, #""digits": "5""#,
            #""either": 5"#, #""either": "5""#, #""flag": 1"#, #""day": "2020-01-31""#,
            #""local": "2020-01-31T12:00:00.123456""#, #""local": "2020-01-31T12:00:00+01:00""#,
            #""shown": "31.01.2020""#, #""stamp": 5"#, #""rate": 1.5"#, #""names": ["null", "5"]"#,
            #""counts": { "a": 1 }"#, #""place": { "city": "X" }"#, #""any": { "a": [1] }"#,
            #""open": { "id": 1, "more": [] }"#, #""kind": null"#, #""names": [null]"#,
            #""shape": null"#, #""flag": null"#,
        ])
    func fits(members: String) {
        #expect(user(members).rendered.isEmpty)
    }

    @Test(
        "A value of another kind, a missing key and an unknown key are mistakes",
        arguments: [
            (#""name": 5"#, "5"), (#""rate": "1.5""#, #""1.5""#), (#""digits": 5"#, "5"),
            (#""digits": "x""#, #""x""#), (#""flag": true"#, "true"), (#""flag": 2"#, "2"),
            (#""stamp": "5""#, #""5""#), (#""day": "31.1.2020""#, #""31.1.2020""#),
            (#""local": "2020-01-31T24:00:00""#, #""2020-01-31T24:00:00""#),
            (#""kind": "C""#, #""C""#), (#""kind": 1"#, "1"), (#""names": {}"#, "{}"),
            (#""names": [1]"#, "1"), (#""counts": []"#, "[]"),
            (#""counts": { "a": "1" }"#, #""1""#),
            (#""shape": { "kind": "other" }"#, #"{ "kind": "other" }"#),
            (#""shape": { "kind": "square" }"#, #"{ "kind": "square" }"#),
            (#""nome": "a""#, #""nome""#), (#""secret": "a""#, #""secret""#),
            (#""open": {}"#, "{}"), (#""name": "abcdef""#, #""abcdef""#),
            (#""place": { "city": 1 }"#, "1"),
        ])
    func mismatch(members: String, mark: String) {
        let analysis = user(members)
        #expect(analysis.marks == ["T0902: \(mark)"], "\(analysis)")
        #expect(analysis.rendered.contains("the declaration is here"))
    }

    @Test("A mismatch shows both places, and suggests the key")
    func places() throws {
        let mistake = try #require(user(#""name": 5"#).bag.all.first)
        #expect(mistake.message == "expected a string, found an integer")
        let analysis = user(#""name": 5"#)
        let note = try #require(analysis.bag.all.first?.notes.first?.span)
        #expect(analysis.sources[note.file].text(of: note) == "name")
        #expect(user(#""nome": "a""#).rendered.contains("did you mean `name`?"))
    }

    @Test("A template is a whole reply, and `unwrap` leads to the value")
    func envelope() throws {
        let json = #"{ "response": [{ "id": 1 }], "more": 0 }"#
        let models = "models: { User: { id: int } }\n"
        let whole = analysis(json, returns: "[User]", models: models, api: "unwrap: response\n")
        #expect(whole.rendered.isEmpty)
        #expect(try template(whole).asksForMore)
        let bare = analysis(
            #"{ "response": [{ "id": 1 }] }"#, returns: "[User]", models: models,
            api: "unwrap: response\n")
        #expect(try template(bare).asksForMore == false)
        let first = analysis(
            #"{ "a": [{ "id": 1 }] }"#, returns: "User", models: models, api: "unwrap: a[0]\n")
        #expect(first.rendered.isEmpty)
        let missing = analysis(
            #"[{ "id": 1 }]"#, returns: "[User]", models: models, api: "unwrap: response\n")
        #expect(missing.codes == ["T0902"])
        #expect(missing.rendered.contains("`unwrap` leads there"))
    }

    @Test(
        "A rule that leaves no value that the type allows is a mistake in both places",
        arguments: [
            ("int, max: 3", "3", #""minimum": 5"#), ("int, min: 3", "3", #""maximum": 2"#),
            ("int, below: 5", "4", #""minimum": 5"#), ("int, above: 5", "6", #""maximum": 5.0"#),
            ("string, max-length: 3", "\"abc\"", #""lengthMustBeEqualOrGreaterThan": 4"#),
            ("string, min-length: 3", "\"abc\"", #""lengthMustBeEqualOrLessThan": 2"#),
            ("string, length: 3", "\"abc\"", #""lengthMustBeEqualOrLessThan": 2"#),
            ("\"[int]\", max-items: 1", "[1]", #""elementsMustBeEqualOrMoreThan": 2"#),
            ("Kind", "\"A\"", #""matchWithOneOf": ["A", "C"]"#),
            ("string, in: [a, b]", "\"a\"", #""matchWithOneOf": ["a", "c"]"#),
            ("string, max-length: 3", "\"abc\"", #""matchWithOneOf": ["abc", "abcd"]"#),
        ])
    func contradiction(type: String, value: String, rule: String) {
        let analysis = analysis(
            "{ \"a\": \(value), \"a-Rules\": { \(rule) } }", returns: "User",
            models: "models: { Kind: { enum: [A, B] }, User: { a: { type: \(type) } } }\n")
        #expect(analysis.marks.contains("T0902: \(rule)"), "\(analysis)")
        #expect(analysis.rendered.contains("the declaration is here"))
    }

    @Test(
        "A template that asks for no more than the types needs no check of its own",
        arguments: [
            ("int", "1", ""), ("double", "1.5", ""), ("double?", "1.5", #""isOptional": true"#),
            ("int, min: 3", "5", #""minimum": 3"#), ("int, min: 4", "5", #""minimum": 3"#),
            ("string, length: 3", "\"abc\"", #""lengthMustBeEqualOrLessThan": 3"#),
            ("string, length: 3", "\"abc\"", #""equalInLength": true"#),
            ("\"[int]\", min-items: 1", "[1]", #""elementsMustBeEqualOrMoreThan": 1"#),
            ("\"[int]\"", "[]", ""), ("json", "null", ""), ("\"int | null\"", "null", ""),
            ("string, suffix: c", "\"abc\"", #""hasSuffix": "c""#),
            ("string, in: [a, b]", "\"a\"", #""matchWithOneOf": ["a", "b"]"#),
            ("string, const: a", "\"a\"", #""mustMatch": true"#), ("\"{string: int}\"", "{}", ""),
            ("B", #"{ "b": 1 }"#, ""), ("Kind", "\"A\"", ""),
        ])
    func asksForNoMore(type: String, value: String, rules: String) throws {
        #expect(try asksForMore(type, value, rules) == false)
    }

    @Test(
        "a template that asks for more than the types, or may do so, needs a check of its own",
        arguments: [
            ("int?", "1", ""), ("int, min: 2", "5", #""minimum": 3"#),
            ("int, max: 2", "1", #""minimum": 1"#), ("int, default: 1", "1", ""),
            ("int, min: { value: 3, severity: warning }", "5", #""minimum": 3"#),
            ("int, min: { value: 3, on: send }", "5", #""minimum": 3"#),
            ("string", "\"abc\"", #""equalInLength": true"#),
            ("Kind", "\"A\"", #""mustMatch": true"#),
            ("string", "\"abc\"", #""hasSuffix": "c""#), ("\"int | null\"", "1", ""),
            ("Kind", "\"A\"", #""matchWithOneOf": ["A"]"#),
            ("string, in: [a, b, c]", "\"a\"", #""matchWithOneOf": ["a", "b"]"#), ("json", "1", ""),
            ("string, from: either", "\"a\"", ""), ("string | int", "1", ""),
            ("\"{string: int}\"", #"{ "a": 1 }"#, ""), ("Open", #"{ "id": 1, "x": 2 }"#, ""),
            ("\"[B]\", invalid: skip", #"[{ "b": 1 }]"#, ""),
        ])
    func asksForMore(type: String, value: String, rules: String) throws {
        #expect(try asksForMore(type, value, rules))
    }

    private func asksForMore(_ type: String, _ value: String, _ rules: String) throws -> Bool {
        let analysis = analysis(
            "{ \"a\": \(value), \"a-Rules\": { \(rules) } }", returns: "User",
            models: """
                models:
                  Kind: { enum: [A, B] }
                  B: { b: int }
                  Open: { fields: { id: int }, additional: json }
                  User: { a: { type: \(type) } }

                """)
        return try template(analysis).asksForMore
    }

    // MARK: Types of templates

    private func untyped(_ json: String, methods: String, api: String = "") -> Analysis {
        Analysis([
            "api.yaml": Analysis.smallAPI + api, "templates/users.get.json": json,
            "users.yaml": "methods:\n  get: { get: a }\n\(methods)",
        ])
    }

    @Test("A template declares the types of a method without `returns`")
    func declared() throws {
        let json = """
            {
                "response": [
                    { "id": 1, "name": "a", "name-Rules": { "lengthMustBeEqualOrLessThan": 5 } },
                    { "id": 2 }
                ]
            }

            """
        let analysis = untyped(json, methods: "", api: "unwrap: response\n")
        #expect(analysis.rendered.isEmpty)
        guard case .value(let value)? = analysis.method("users.get")?.output,
            case .list(let element) = value.type, case .object(let name) = element.type
        else {
            Issue.record("\(String(describing: analysis.method("users.get")?.output))")
            return
        }
        #expect(analysis.field(name, "id")?.isOptional == false)
        #expect(analysis.field(name, "name")?.isOptional == true)
        #expect(analysis.field(name, "name")?.value.rules == [Rule(.maxLength, .count(5))])
        #expect(try template(analysis).isExample)
        #expect(try !template(analysis).asksForMore)
    }

    @Test("Methods that share a template share its types, if they unwrap the same part")
    func sharedTypes() {
        let methods = """
              find: { get: b, template: users.get.json }
              part: { get: c, template: users.get.json, unwrap: user }
            models:
              User: { id: int }

            """
        let analysis = untyped(#"{ "user": { "id": 1 } }"#, methods: methods)
        #expect(analysis.codes == ["T0205"], "\(analysis)")
        let methodsOfGroup = analysis.group?.methods ?? []
        #expect(methodsOfGroup.map(\.output)[0] == methodsOfGroup.map(\.output)[1])
        #expect(methodsOfGroup.map(\.output)[0] != methodsOfGroup.map(\.output)[2])
    }

    @Test("A broken template declares nothing, and is reported once")
    func brokenTypes() {
        #expect(untyped(#"{ "a" }"#, methods: "").codes == ["T0901"])
        #expect(
            untyped(#"{ "a": 1, "a-Rules": { "minimun": 2 } }"#, methods: "").codes == ["T0901"])
    }

    @Test("An integer that stands for all numbers is a warning")
    func integers() throws {
        let analysis = user(#""rate": 1"#)
        #expect(analysis.marks == ["T0903: 1"])
        #expect(try template(analysis).asksForMore)
    }

    @Test("A template is an example, unless it has null where the type has not")
    func example() throws {
        #expect(try template(user(#""name": "a""#)).isExample)
        #expect(try !template(user(#""name": null"#)).isExample)
        #expect(try template(user(#""any": null"#)).isExample)
        #expect(try !template(user(#""shape": { "kind": "circle", "r": null }"#)).isExample)
        let nullable = analysis(#"{ "a": null }"#, returns: "{ a: int | null }")
        #expect(try template(nullable).isExample)
    }

    @Test("`telex explain` names the template")
    func explained() {
        let analysis = analysis("{}", returns: "json")
        let values = SpecAnalyzer.explain("users.get", in: analysis.spec)?.values
        #expect(values?.first { $0.name == "template" }?.value == "users.get.json")
    }
}
