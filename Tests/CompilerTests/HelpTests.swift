import Testing

@Suite("Help says what was likely meant")
struct HelpTests {
    private func help(_ field: String) -> [String?] {
        Analysis(users: "methods: { get: { get: a, returns: User } }\nmodels:\n  User: \(field)")
            .bag.all.map(\.help)
    }

    @Test("a comma in a text without quotes cuts it in two")
    func comma() {
        let help =
            "an entry is `key: value`; inside `{ }`, a text with a comma needs quotes: "
            + "`{ doc: \"Yes, really.\" }`"
        #expect(self.help("{ a: { type: int, doc: Yes, really. } }") == [help])
        #expect(self.help("{ a: { type: int, doc: Yes, really , b: c } }").first == help)
        #expect(self.help("{ a: int, b }") == [help])
        #expect(self.help("{ a: { type: int, dok: } }") == ["did you mean `doc`?"])
    }

    @Test(
        "what is said about an object without `fields` is taken for a field",
        arguments: [
            "{ doc: hello, id: int }", "{ doc: Hello you, id: int }", "{ id: int, link: https }",
        ])
    func object(text: String) {
        let help = help(text)
        #expect(help.count == 1 && help.first??.contains("fields: { … }") == true)
        #expect(self.help("{ doc: string, id: int }").isEmpty)
    }

    @Test("an address with rules is a text")
    func url() {
        let help = help("{ a: { type: url, max-length: 5 } }")
        #expect(help == ["for an address with rules, write `type: string, format: uri`"])
    }
}
