import SpecSemantics
import SpecTemplateRules
import TelexTemplates
import TestSupport
import Testing

@Suite("Templates made of replies")
struct TemplateDraftTests {
    private func draft(_ replies: [String], keeping old: String? = nil) throws -> TemplateDraft {
        TemplateDraft(
            of: try replies.map { try TemplateParser.parse(Array($0.utf8)) },
            keepingRulesOf: try old.map { try TemplateParser.parse(Array($0.utf8)) })
    }

    @Test(
        "templates of replies accept each of their replies, and are made again of themselves",
        arguments: [true, false])
    func acceptance(hostile: Bool) throws {
        var random = SeededGenerator(hostile ? 7 : 8)
        for _ in 0..<150 {
            let origin = GeneratedTemplate.random(depth: 4, hostile: hostile, using: &random)
            let replies = (0..<3).map { _ in origin.reply(using: &random) }
            // No reader has a number for these.
            if replies.contains(where: { $0.contains("1e999") || $0.contains("1e400") }) {
                continue
            }
            let text = try draft(replies).text
            let template = try Template(parsing: Array(text.utf8))
            for reply in replies {
                let found = template.validate(Array(reply.utf8)).violations
                #expect(found == [], "\(reply.prefix(1000))\n\(text.prefix(2000))")
            }
            let sample = try TemplateParser.parse(Array(text.utf8))
            let again = TemplateDraft(
                of: [TemplateReading(sample).sample], keepingRulesOf: sample)
            #expect(again.text == text)
        }
    }

    @Test("templates of replies fit the type if those do, accept them, and stay when made again")
    func types() throws {
        var random = SeededGenerator(45)
        var unions = 0
        for number in 0..<200 {
            var names = 0
            let type = GeneratedType.random(depth: 4, &names, &random)
            let replies = (0..<Int.random(in: 1...3, using: &random)).map { _ in
                type.reply(&random)
            }
            var models: [String] = []
            let returns = type.text(&models)
            let spec =
                "methods:\n  get: { get: a, returns: \(returns) }\n"
                + (models.isEmpty ? "" : "models:\n" + models.joined())
            let files = ["api.yaml": Analysis.smallAPI, "users.yaml": spec]
            let plain = Analysis(files)
            let method = try #require(plain.method("users.get"), "\(plain) \(spec)")
            unions += models.count { $0.contains("one-of") }
            var old: String?
            for _ in 0..<2 {
                let draft = TemplateDraft(
                    of: try replies.map(node), for: method, in: plain.api,
                    keepingRulesOf: try old.map(node))
                let found = Analysis(
                    files.merging(["templates/users.get.json": draft.text]) { first, _ in first })
                let shown = "\(number)\n\(spec)\n\(replies)\n\(draft.text)"
                try #require(found.rendered == "", "\(shown)")
                let template = try Template(parsing: Array(draft.text.utf8))
                for reply in replies {
                    try #require(template.validate(Array(reply.utf8)).violations == [], "\(shown)")
                }
                #expect(old == nil || old == draft.text, "\(shown)")
                #expect(draft.rulesLeftOut == [], "\(shown)")
                old = draft.text
            }
        }
        #expect(unions > 100)
    }

    private func node(_ text: String) throws -> TemplateNode {
        try TemplateParser.parse(Array(text.utf8))
    }

    @Test(
        "templates made of replies declare types that fit, for a method that has none",
        arguments: [true, false])
    func untyped(hostile: Bool) throws {
        var random = SeededGenerator(hostile ? 9 : 10)
        for _ in 0..<150 {
            let origin = GeneratedTemplate.random(depth: 4, hostile: hostile, using: &random)
            let replies = (0..<2).map { _ in origin.reply(using: &random) }
            if replies.contains(where: { $0.contains("1e999") || $0.contains("1e400") }) {
                continue
            }
            let text = try draft(replies).text
            let found = Analysis([
                "api.yaml": Analysis.smallAPI, "users.yaml": "methods:\n  get: { get: a }\n",
                "templates/users.get.json": text,
            ])
            try #require(found.rendered == "", "\(text.prefix(2000))")
        }
    }

    @Test("templates of replies show each alternative of a union in a list as its own element")
    func alternatives() throws {
        let plain = Analysis([
            "api.yaml": Analysis.smallAPI,
            "users.yaml": """
            methods: { get: { get: a, returns: [Part] } }
            models:
              Part: { one-of: { picture: Picture, text: Text }, tag: type }
              Picture: { url: url, width: int? }
              Text: { text: string }

            """,
        ])
        let reply = """
            [{"type": "picture", "url": "a:b", "width": 3}, {"type": "text", "text": "x"},
             {"type": "picture", "url": "a:c"}]
            """
        let draft = TemplateDraft(
            of: [try node(reply)], for: plain.method("users.get"), in: plain.api)
        #expect(
            draft.text == """
                [
                  {
                    "type": "picture",
                    "url": "a:b",
                    "width": 3,
                    "width-Rules": {"isOptional": true}
                  },
                  {"type": "text", "text": "x"}
                ]

                """)
    }

    @Test("templates keep rules beside a value that they fit, and name those that fit none")
    func rules() throws {
        let old = #"{"a": 1, "a-Rules": {"minimum": 1}, "b": "x", "b-Rules": {"hasSuffix": "x"}}"#
        let draft = try draft([#"{"a": null, "b": "yx"}"#], keeping: old)
        #expect(
            draft.text == """
                {"a": null, "b": "yx", "b-Rules": {"hasSuffix": "x"}}

                """)
        #expect(draft.rulesLeftOut == ["a"])
        let list = #"[{"a": 1, "a-Rules": {"minimum": 1}}, {"a": "x"}]"#
        #expect(try self.draft([#"[{"a": "x"}, {"a": 5}]"#], keeping: list).rulesLeftOut == [])
    }

    @Test("templates have null where a value is of several kinds, and several elements in a list")
    func kinds() throws {
        let text = try draft([#"{"a": 1, "b": [1, null, "x", 2]}"#, #"{"a": "x", "b": []}"#]).text
        #expect(
            text == """
                {"a": null, "b": ["x", 1, null]}

                """)
    }

    @Test("templates made of replies leave out keys that a template reads as rules")
    func rulesKeys() throws {
        let draft = try draft([#"{"a": 1, "a-Rules": {"minimum": 5}, "b-Rules": 2}"#])
        #expect(draft.keysLeftOut == ["a-Rules"])
        #expect(draft.text == "{\"a\": 1, \"b-Rules\": 2}\n")
    }
}
