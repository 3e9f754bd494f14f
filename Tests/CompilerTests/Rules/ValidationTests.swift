import SpecIR
import SpecSemantics
import TestSupport
import Testing

@Suite("`validate` decides how replies are checked")
struct ValidationTests {
    private func analysis(
        _ method: String, group: String = "", api: String = "", rest: String = "returns: int"
    ) -> Analysis {
        Analysis(
            users: "\(group)methods: { get: { get: a, \(rest), \(method) } }\n", api: api)
    }

    private func validation(
        _ mode: ValidationPolicy.Mode,
        checks: Set<ValidationPolicy.Check> = Set(ValidationPolicy.Check.allCases),
        sample: Int = 100
    ) -> ValidationPolicy {
        var validation = ValidationPolicy()
        validation.mode = mode
        validation.checks = checks
        validation.sample = sample
        return validation
    }

    @Test(
        "the short form of `validate` is a mode",
        arguments: [ValidationPolicy.Mode.off, .warn, .custom])
    func short(mode: ValidationPolicy.Mode) {
        let api = analysis("doc: x", api: "validate: \(mode.rawValue)\n")
        #expect(api.api?.validation == validation(mode))
        #expect(api.marks == [])
        #expect(api.method("users.get")?.validation == .some(nil))
    }

    @Test("the three keys of `validate` cascade one by one")
    func cascade() {
        let analysis = analysis(
            "validate: { sample: 7% }", group: "validate: { checks: [keys, types] }\n",
            api: "validate: { mode: warn, checks: [rules], sample: 5% }\n")
        #expect(
            analysis.method("users.get")?.validation
                == validation(.warn, checks: [.keys, .types], sample: 7))
        #expect(analysis.api?.validation == validation(.warn, checks: [.rules], sample: 5))
    }

    @Test("a method that is checked as the API says has no validation of its own")
    func inherited() {
        let equal = analysis("validate: warn", api: "validate: warn\n")
        #expect(equal.method("users.get")?.validation == .some(nil))
        let reset = analysis("validate: throw", api: "validate: warn\n")
        #expect(reset.method("users.get")?.validation == validation(.throw))
    }

    @Test("`custom` asks the app only about JSON values")
    func custom() {
        let json = analysis("validate: custom")
        #expect(json.method("users.get")?.isCheckedByApp == true)
        for rest in ["returns: bytes", "doc: x", "kind: download"] {
            let other = analysis("link: https://a.com", group: "validate: custom\n", rest: rest)
            #expect(other.method("users.get")?.isCheckedByApp == false)
            #expect(other.marks == [])
        }
        let stream = analysis("validate: custom", rest: "stream: json-lines, returns: int")
        #expect(stream.method("users.get")?.isCheckedByApp == true)
    }

    @Test("a model cannot have the name of the protocol that `custom` makes")
    func protocolName() {
        let users = """
            methods: { get: { get: a, returns: VKReplyChecks, validate: VALUE } }
            models: { VKReplyChecks: { id: int } }
            """
        let taken = Analysis(users: users.replacing("VALUE", with: "custom"))
        #expect(taken.marks == ["T0701: VKReplyChecks"])
        #expect(Analysis(users: users.replacing("VALUE", with: "warn")).marks == [])
    }

    @Test(
        "wrong words of `validate` are reported, with what was meant",
        arguments: [
            ("wran", "T0107: wran", "did you mean `warn`?"),
            ("strict", "T0107: strict", "did you mean `throw`?"),
            ("false", "T0107: false", "did you mean `off`?"),
            ("rules", "T0107: rules", "write `{ checks: [rules] }`"),
            ("{ mode: custon }", "T0107: custon", "did you mean `custom`?"),
            ("{ checks: [key, rules] }", "T0107: key", "did you mean `keys`?"),
            ("{ check: [keys] }", "T0101: check", "did you mean `checks`?"),
        ])
    func words(value: String, mark: String, help: String) {
        let analysis = analysis("validate: \(value)")
        #expect(analysis.marks == [mark])
        #expect(analysis.rendered.contains(help))
        #expect(analysis.api == nil)
    }

    @Test("each invalid check of a list is reported")
    func invalidChecks() {
        let analysis = analysis("validate: { checks: [key, 3, {}] }")
        #expect(analysis.marks == ["T0107: key", "T0107: 3", "T0102: {}"])
    }

    @Test(
        "a sample is whole percent from 0 to 100",
        arguments: ["101%", "5", "-1%", "0.5%", "%", "[5%]", "99999999999999999999%"])
    func samples(value: String) {
        let analysis = analysis("validate: { sample: \"\(value)\" }")
        #expect(analysis.codes == ["T0102"])
        #expect(analysis.rendered.contains("whole percent from 0% to 100%"))
    }

    @Test(
        "settings of `validate` without an effect are reported",
        arguments: [
            ("validate: { mode: off, checks: [keys] }", "", ["T0117: [keys]"]),
            ("validate: { mode: off, sample: 5% }", "", ["T0117: 5%"]),
            ("validate: { sample: 5% }", "validate: off\n", ["T0117: 5%"]),
            ("validate: off", "validate: { sample: 5% }\n", []),
            ("validate: { checks: [keys, types, keys] }", "", ["T0117: keys"]),
            ("validate: { checks: [] }", "", ["T0117: []"]),
            ("validate: { mode: custom, checks: [] }", "", []),
        ])
    func noEffect(method: String, group: String, marks: [String]) {
        let analysis = analysis(method, group: group)
        #expect(analysis.marks == marks)
        #expect(analysis.api != nil)
    }

    @Test(
        "`validate` of a method without a JSON value is reported",
        arguments: ["returns: bytes", "doc: x", "kind: download"])
    func nothingToCheck(rest: String) {
        #expect(analysis("validate: warn", rest: rest).marks == ["T0117: warn"])
    }

    @Test("`telex explain` tells where each part of `validate` comes from")
    func explained() throws {
        let analysis = analysis(
            "validate: { sample: 7% }", group: "validate: { checks: [keys, types] }\n",
            api: "validate: warn\n")
        let values = try #require(SpecAnalyzer.explain("users.get", in: analysis.spec)).values
        let shown = ["validate", "checks", "sample"].map { name in
            values.first { $0.name == name }.map { "\($0.value) (\($0.origin.rawValue))" }
        }
        #expect(shown == ["warn (api)", "keys, types (group)", "7% (method)"])
    }
}
