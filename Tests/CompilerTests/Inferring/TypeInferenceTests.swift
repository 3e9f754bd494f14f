import SpecDiagnostics
import SpecSemantics
import SpecTemplateRules
import TelexCompiler
import TestSupport
import Testing

@Suite("Types derived from replies")
struct TypeInferenceTests {
    /// Returns the types of a template, or of replies.
    private func types(
        _ texts: [String], areReplies: Bool = false,
        _ compatibility: TemplateCompatibility = .documented,
        proposes: Bool = false
    ) throws -> TypeInference.Types {
        let nodes = try texts.map { try TemplateParser.parse(Array($0.utf8)) }
        let reading =
            areReplies
            ? TemplateReading(replies: nodes)
            : TemplateReading(nodes[0], compatibility: compatibility)
        return TypeInference.types(of: reading.shape, named: "things.get", proposes: proposes)
    }

    private func spec(_ types: TypeInference.Types) -> String {
        "methods:\n  things.get:\n    get: things\n    returns: \(types.reply)\n"
            + (types.models.isEmpty ? "" : "models:\n" + types.models)
    }

    private func diagnostics(_ types: TypeInference.Types) -> String {
        let api = "telex: 1\napi: Things\nservers: { main: https://a.example/ }\n"
        let files = [("api.yaml", api), ("things.yaml", spec(types))].map {
            SpecFolder.File(relativePath: $0.0, shownPath: $0.0, bytes: Array($0.1.utf8))
        }
        let result = TelexCompiler.check(SpecFolder(shownPath: "specs", files: files))
        return LineRenderer().render(result.diagnostics, in: result.sources)
    }

    @Test(
        "types derived from replies compile without a diagnostic for any template and any reply",
        arguments: [true, false])
    func anyJSON(hostile: Bool) throws {
        var random = SeededGenerator(hostile ? 5 : 6)
        var count = 0
        for _ in 0..<200 {
            let template = GeneratedTemplate.random(depth: 4, hostile: hostile, using: &random)
            for areReplies in [true, false] {
                let text = template.template
                let node = try TemplateParser.parse(Array(text.utf8))
                guard areReplies || TemplateReading(node).isValid else { continue }
                let types = try types([text], areReplies: areReplies)
                let found = diagnostics(types)
                #expect(found == "", "\(text.prefix(1000))\n\(spec(types).prefix(4000))")
                count += 1
            }
        }
        #expect(count > 350)
    }

    @Test("types have names of keys, of list elements in the singular, and the template's rules")
    func rules() throws {
        let types = try types([
            #"""
            { "count": 2, "items": [
                { "id": 1, "id-Rules": { "minimum": 0.5 }, "nick": null, "address": { "city": "x" },
                  "code": "4321", "code-Rules": { "equalInLength": true, "isOptional": true } },
                { "id": 2, "nick": "a", "tags": ["x", 1, null], "address": { "city": "y" } } ],
              "items-Rules": { "elementsMustBeEqualOrMoreThan": 1 },
              "kind": "list", "kind-Rules": { "mustMatch": true },
              "zone": "Asia", "zone-Rules": { "matchWithOneOf": ["Asia", "Europe"] },
              "class": 1.5, "next-page": null, "options": {}, "rest": [] }
            """#
        ])
        #expect(types.reply == "ThingsGetReply")
        #expect(
            types.models == """
                  ThingsGetReply:
                    fields:
                      count: int
                      items: { type: "[Item]", min-items: 1 }
                      kind: { const: "list" }
                      zone: { type: string, in: ["Asia", "Europe"] }
                      class: double
                      nextPage: { type: json, key: "next-page" }
                      options: "{string: json}"
                      rest: [json]
                  Item:
                    fields:
                      id: { type: int, min: 1 }
                      nick: string | null
                      address: Address
                      code: { type: "string?", length: 4 }
                      tags: "[Tag | null]?"
                  Address:
                    fields:
                      city: string
                  Tag:
                    closed: true
                    one-of:
                      string: string
                      int: int

                """)
        #expect(diagnostics(types) == "")
    }

    @Test("derived types describe several replies together; keys ending in `-Rules` are ordinary")
    func replies() throws {
        let replies = [
            #"{"id": 1, "id-Rules": {"isOptional": true}}"#, #"{"id": 2.5, "more": null}"#,
            #"{"id": null, "more": true}"#,
        ]
        let types = try types(replies, areReplies: true)
        #expect(
            types.models == """
                  ThingsGetReply:
                    fields:
                      id: double | null
                      idRules: { type: "IDRules?", key: "id-Rules" }
                      more: bool? | null
                  IDRules:
                    fields:
                      isOptional: bool

                """)
    }

    @Test("derived types have the original meaning of rules where the template has it")
    func original() throws {
        let types = try types(
            [
                #"""
                { "a": "NSObject", "a-Rules": { "hasSuffix": "NS", "matchWithOneOf": ["nsobject"],
                  "lengthMustBeEqualOrGreaterThan": 3, "lengthMustBeEqualOrLessThan": 20 },
                  "b": 1, "c": [1] }
                """#
            ], .original)
        #expect(
            types.models.hasPrefix(
                """
                  ThingsGetReply:
                    fields:
                      a: { type: string, prefix: "NS", in: { value: ["nsobject"], case-insensitive: true }, min-length: 4, max-length: 19 }
                      b: B
                      c: [json]
                """))
    }

    @Test(
        "types derived from replies compile for the deepest replies",
        arguments: [("[", "]"), (#"{"a":"#, "}"), (#"[{"a":"#, "}]"), (#"["x", "#, "]")])
    func deep(start: String, end: String) throws {
        let count = TemplateParser.depthLimit / (start.count { "[{".contains($0) })
        let text =
            String(repeating: start, count: count) + "1" + String(repeating: end, count: count)
        #expect(try diagnostics(types([text])) == "")
    }

    @Test("types derived from replies have names that the spec has not")
    func taken() throws {
        let reading = TemplateReading(
            try TemplateParser.parse(Array(#"{"user": {"user": {"name": {"a": 1}}}}"#.utf8)))
        let types = TypeInference.types(
            of: reading.shape, named: "users.get", taken: ["User", "UsersGetReplyUser"])
        let names = types.models.matches(of: #/(?m)^  (\w+):/#).map { String($0.output.1) }
        #expect(names == ["UsersGetReply", "User2", "User2User", "Name"])
    }

    @Test("types propose formats, choices and counts in comments, and only from enough samples")
    func proposals() throws {
        let element = { (state: String, count: Int) in
            #"{"state": "\#(state)", "seen": "2026-01-31T12:00:00Z", "count": \#(count)}"#
        }
        let five = zip(["on", "off", "on", "on", "off"], 0...).map(element)
        let many = try types(["[\(five.joined(separator: ","))]"], areReplies: true, proposes: true)
        #expect(
            many.models == """
                  ThingsGetReply:
                    fields:
                      # perhaps enum: ["off", "on"]
                      state: string
                      # perhaps format: date-time
                      seen: string
                      # perhaps min: 0
                      count: int

                """)
        #expect(diagnostics(many) == "")
        let few = try types(["[\(five[0])]"], areReplies: true, proposes: true)
        #expect(few.models.matches(of: #/perhaps/#).count == 1)
    }

    @Test(
        "types derived from replies have the word for every format that is proposed",
        arguments: [
            ("2026-01-31", "date"), ("6ba7b810-9dad-11d1-80b4-00c04fd430c8", "uuid"),
            ("https://a.example/x?y=1", "uri"), ("a.b+c@mail.example.org", "email"),
        ])
    func formats(sample: String, format: String) throws {
        let types = try types([#"{"a": "\#(sample)"}"#], proposes: true)
        #expect(types.models.contains("# perhaps format: \(format)\n"))
        var used = types
        used.models.replace("a: string", with: "a: { type: string, format: \(format) }")
        #expect(diagnostics(used) == "")
    }
}
