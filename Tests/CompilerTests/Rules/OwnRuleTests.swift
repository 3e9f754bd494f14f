import SpecIR
import SpecSemantics
import TestSupport
import Testing

@Suite("`rule` asks the app about a value")
struct OwnRuleTests {
    private func analysis(_ fields: String, _ more: String = "") -> Analysis {
        Analysis(
            users: """
                methods:
                  get: { get: a, returns: User }
                \(more)
                models: { User: { fields: { \(fields) } } }

                """)
    }

    private func rule(_ type: String) -> Rule? {
        analysis("a: \(type)").field("User", "a")?.value.rules.first
    }

    @Test("the short and the long form of `rule` are one rule, which is checked when received")
    func forms() {
        let short = Rule(
            .own, .check(id: "phone-number", function: "phoneNumber"), direction: .receive)
        #expect(rule("{ type: string, rule: phone-number }") == short)
        #expect(rule("{ type: string?, rule: { id: phone-number } }") == short)
        var long = short
        long.message = "no"
        long.isWarning = true
        #expect(
            rule("{ type: string, rule: { id: phone-number, message: no, severity: warning } }")
                == long)
    }

    @Test(
        "values of every type may have `rule`",
        arguments: [
            "bool", "url", "json", "User?", "[int]", "{ enum: [a] }", "Date | null", "string | int",
        ])
    func types(type: String) {
        let analysis = analysis("a: { type: '\(type)', rule: x }")
        let inline = self.analysis("a: { enum: [a], rule: x }")
        #expect((type.hasPrefix("{") ? inline : analysis).marks == [])
    }

    @Test("elements, keys and values may have `rule`, each with its own type")
    func parts() {
        let analysis = analysis(
            "a: { type: [string], items: { rule: x }, rule: y }, "
                + "b: { type: '{string: int}', keys: { rule: x }, values: { rule: z } }")
        #expect(analysis.marks == [])
        let types = analysis.model("User")?.values.flatMap(\.ownRules).map(\.type.swift)
        #expect(types == ["[String]", "String", "String", "Int"])
    }

    @Test(
        "a `rule` that is no name is reported, with what was meant",
        arguments: [
            ("true", "T0402: true", "a name of your own"),
            ("string", "T0402: string", "`rule`, write `{ fields: { … } }`"),
            ("[a, b]", "T0402: [a, b]", "found a list"),
            ("''", "T0402: ''", "a name of your own"),
            ("'…'", "T0703: '…'", "name the rule with letters"),
            ("{ id: a, value: b }", "T0101: value", "`id` names the rule"),
            ("{ id: a, name: b }", "T0101: name", "did you mean `id`?"),
            ("{ id: a, on: receive }", "T0101: on", "the app checks only what it receives"),
            ("{ id: a, case-insensitive: true }", "T0101: case-insensitive", "known keys: id"),
            ("{ id: a, severity: info }", "T0107: info", "warning"),
        ])
    func words(rule: String, mark: String, help: String) {
        let analysis = analysis("a: { type: string, rule: \(rule) }")
        #expect(analysis.marks == [mark])
        #expect(analysis.rendered.contains(help))
        #expect(analysis.api == nil)
    }

    @Test("a long form of `rule` without a name is reported")
    func nameless() {
        let analysis = analysis("a: { type: string, rule: { message: b } }")
        #expect(analysis.marks.first == "T0103: rule")
        #expect(analysis.rendered.contains("write `rule: { id: … }`"))
    }

    @Test("one name with two Swift types is reported with both places")
    func twoTypes() {
        let analysis = analysis("a: { type: string, rule: x }, b: { type: int, rule: x }")
        #expect(analysis.marks == ["T0409: x"])
        #expect(analysis.rendered.contains("rule `x` checks `Int` here, and `String` elsewhere"))
        #expect(analysis.rendered.contains("`String` is here"))
        let equal = "a: { type: string, rule: x }, b: { type: string, from: int, rule: x }"
        #expect(self.analysis(equal).marks == [])
    }

    @Test("two names that become one function are reported")
    func oneFunction() {
        let names = analysis("a: { type: string, rule: a-b }, b: { type: string, rule: a_b }")
        #expect(names.marks == ["T0701: a_b"])
        let method = analysis(
            "a: { type: string, rule: users-own }",
            "  own: { get: a, returns: int, validate: custom }")
        #expect(method.marks == ["T0701: users-own"])
    }

    @Test(
        "a value that no reply has is reported at its place",
        arguments: [
            ("  b: { get: a, query: { q: { type: string, rule: x } } }", "T0409: q"),
            ("  b: { get: a, query: { q: Own? } }", "T0409: q"),
            ("  b: { post: a, json: { q: [Own] } }", "T0409: q"),
            ("  b: { post: a, json: { q: { a: Own } } }", "T0409: a"),
            ("  b: { post: a, body: Sending }", "T0409: deep"),
            ("  b: { post: a, body: Both, returns: Both }", "T0409: hidden"),
            ("  b: { get: a, returns: json, extract: { e: { at: a, type: Own } } }", "T0409: e"),
            ("  b: { get: a, errors: { model: Sending }, returns: int }", "T0409: deep"),
        ])
    func sent(method: String, mark: String) {
        let users = """
            methods:
              get: { get: a, returns: User }
            \(method)
            models:
              User: { a: Own? }
              Own: { type: string, rule: x }
              Sending: { deep: [Own] }
              Both: { seen: Own, hidden: { type: Own, only: request } }

            """
        let result = Analysis(users: users)
        #expect(result.marks.contains(mark) && Set(result.codes) == ["T0409"])
        #expect(result.rendered.contains("the rule is here"))
    }

    @Test("a model that requests send, too, has the rule in replies alone")
    func both() {
        let analysis = Analysis(
            users: """
                methods:
                  put: { put: a, body: Both, returns: Both }
                models:
                  Both: { id: { type: int, only: reply }, seen: { type: [int], items: { rule: x } } }

                """)
        #expect(analysis.marks == [])
        #expect(analysis.model("Both")?.values.flatMap(\.ownRules).count == 1)
        #expect(analysis.model("Both.Input")?.values.flatMap(\.ownRules).isEmpty == true)
    }

    @Test("a model cannot have the name of the protocol that it makes")
    func protocolName() {
        let analysis = Analysis(
            users: """
                methods: { get: { get: a, returns: VKReplyChecks } }
                models: { VKReplyChecks: { a: { type: string, rule: x } } }
                """)
        #expect(Set(analysis.codes) == ["T0701"])
    }
}
