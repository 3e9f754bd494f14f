import TelexJSON
import TelexTemplates
import Testing

@Suite("The text of templates")
struct TemplateParserTests {
    private func mistake(_ bytes: [UInt8]) -> String? {
        do throws(TemplateError) {
            _ = try Template(parsing: bytes)
            return nil
        } catch {
            return error.mistakes.first?.description
        }
    }

    @Test("Comments, trailing commas and a byte order mark are allowed")
    func comments() throws {
        let text = "\u{FEFF}// a user\n{ /* the\n key */ \"a\": [1, 2,], }\n// the end"
        let template = try Template(parsing: Array(text.utf8))
        #expect(template.sample == ["a": [1, 2]])
    }

    @Test("Escapes are those of JSON, with pairs of surrogates")
    func escapes() throws {
        let template = try Template(parsing: Array(#"["\"\\\/\b\f\n\r\t\u00e9\uD83D\ude00"]"#.utf8))
        #expect(template.sample == ["\"\\/\u{8}\u{C}\n\r\té😀"])
    }

    @Test(
        "What is no JSON is an error with line and column",
        arguments: [
            ("", "1:1: the template is empty; write a reply"),
            ("  ", "1:1: the template is empty; write a reply"),
            ("{\n  \"a\" 1}", "2:7: expected `:`, found `1`"),
            ("[1 2]", "1:4: expected `,` or `]`, found `2`"),
            ("[,]", "1:2: expected a value, found `,`"),
            ("{\"a\": 01}", "1:8: expected a number without leading zeros, found `1`"),
            ("[1.]", "1:4: expected a digit, found `]`"),
            ("[nul]", "1:2: expected a value, found `n`"),
            ("[\"a\nb\"]", "1:4: expected an escape such as `\\n`, found a control character"),
            ("[\"\\x\"]", "1:3: expected an escape such as `\\n`, found `\\`"),
            ("[\"abc", "1:6: expected `\"`, found the end of the template"),
            ("[1] 2", "1:5: expected the end of the template, found `2`"),
            ("[1] /* x", "1:5: the comment has no end; end it with `*/`"),
            ("{a: 1}", "1:2: expected a key in quotes, found `a`"),
            ("{\"a\": 1, \"a\": 2}", "1:10: the key `a` is here twice; remove one of the two"),
            ("[é]", "1:2: expected a value, found `é`"),
        ])
    func syntax(text: String, message: String) {
        #expect(mistake(Array(text.utf8)) == message)
    }

    @Test("A lone surrogate and bytes that are no UTF-8 are errors")
    func encoding() {
        #expect(mistake(Array(#"["\ud83d"]"#.utf8))?.hasPrefix("1:3: expected an escape") == true)
        #expect(mistake([0x5B, 0x22, 0xFF, 0x22, 0x5D])?.contains("no valid UTF-8") == true)
    }

    @Test("A template that is too deep or too large is refused")
    func limits() {
        let deep = [UInt8](repeating: UInt8(ascii: "["), count: 100_000)
        #expect(mistake(deep)?.contains("nested deeper than 128 levels") == true)
        let large = [UInt8](repeating: 0x20, count: 9 << 20)
        #expect(mistake(large)?.contains("at most 8 MiB, this one has 9") == true)
    }
}
