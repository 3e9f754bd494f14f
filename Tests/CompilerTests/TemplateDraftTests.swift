import SpecSemantics
import TelexTemplates
import TemplateRules
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
        "accept each of their replies, and are made again of themselves", arguments: [true, false])
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

    @Test("have null where a value is of several kinds, and several elements in a list")
    func kinds() throws {
        let text = try draft([#"{"a": 1, "b": [1, null, "x", 2]}"#, #"{"a": "x", "b": []}"#]).text
        #expect(
            text == """
                {"a": null, "b": ["x", 1, null]}

                """)
    }

    @Test("leave out keys that a template reads as rules")
    func rulesKeys() throws {
        let draft = try draft([#"{"a": 1, "a-Rules": {"minimum": 5}, "b-Rules": 2}"#])
        #expect(draft.keysLeftOut == ["a-Rules"])
        #expect(draft.text == "{\"a\": 1, \"b-Rules\": 2}\n")
    }
}
