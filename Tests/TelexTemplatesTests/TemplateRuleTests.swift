import TelexJSON
import TelexTemplates
import Testing

/// The rules of the article, each as its table describes it.
@Suite("Rules of templates")
struct TemplateRuleTests {
    /// Returns the violations of a reply as `path rule`.
    private func violations(
        _ reply: String, of template: String, checks: JSONChecks = .all,
        _ compatibility: TemplateCompatibility = .documented
    ) throws -> [String] {
        let template = try Template(parsing: Array(template.utf8), compatibility: compatibility)
        return template.validate(Array(reply.utf8), checks: checks).violations.map {
            "\($0.path) \($0.rule)"
        }
    }

    /// Returns the mistakes of a template.
    private func mistakes(_ template: String) -> [String] {
        do throws(TemplateError) {
            _ = try Template(parsing: Array(template.utf8))
            return []
        } catch {
            return error.mistakes.map(\.description)
        }
    }

    @Test("A key of the template that a reply has not is a violation")
    func missingKey() throws {
        #expect(try violations("{}", of: #"{"a": 1}"#) == ["a required"])
        #expect(try violations(#"{"a": {}}"#, of: #"{"a": {"b": 1}}"#) == ["a.b required"])
    }

    @Test("Keys that the template has not are ignored")
    func newKeys() throws {
        #expect(try violations(#"{"a": 2, "b": 1}"#, of: #"{"a": 1}"#) == [])
    }

    @Test("A value of another kind is a violation, a Boolean no number and a fraction no integer")
    func kinds() throws {
        let samples = ["1", "1.5", "true", #""x""#, "[1]", #"{"x": 1}"#]
        for (row, sample) in samples.enumerated() {
            for (column, reply) in samples.enumerated() {
                let isSame = row == column || (row == 1 && column == 0)
                let found = try violations(#"{"a": \#(reply)}"#, of: #"{"a": \#(sample)}"#)
                #expect(found == (isSame ? [] : ["a type"]), "\(sample) and \(reply)")
            }
        }
    }

    @Test("Null in a reply is a violation, and null in a template says nothing")
    func null() throws {
        #expect(try violations(#"{"a": null}"#, of: #"{"a": 1}"#) == ["a type"])
        #expect(try violations(#"{"a": "x"}"#, of: #"{"a": null}"#) == [])
        let optional = #"{"a": 1, "a-Rules": {"isOptional": true}}"#
        #expect(try violations("{}", of: optional) == [])
        #expect(try violations(#"{"a": null}"#, of: optional) == ["a type"])
    }

    @Test(
        "A rule refuses what breaks it and nothing else",
        arguments: [
            (#""4321""#, #""equalInLength": true"#, [#""43210""#, #""432""#], [#""abcd""#]),
            (
                #""qwerty""#, #""lengthMustBeEqualOrGreaterThan": 6"#, [#""qwert""#],
                [#""qwerty""#, #""qwertyu""#]
            ),
            (
                #""qwerty""#, #""lengthMustBeEqualOrLessThan": 6"#, [#""qwertyu""#],
                [#""qwerty""#, #""""#]
            ),
            (#""a.png""#, #""hasSuffix": ".png""#, [#"".png.jpg""#, #"".PNG""#], [#""b.png""#]),
            (
                #""Asia""#, #""matchWithOneOf": ["Asia", "Europe"]"#, [#""asia""#, #""""#],
                [#""Europe""#]
            ),
            ("[1, 2]", #""elementsMustBeEqualOrMoreThan": 2"#, ["[1]"], ["[1, 2]", "[1, 2, 3]"]),
            ("[1, 2]", #""elementsMustBeEqualOrLessThan": 2"#, ["[1, 2, 3]"], ["[1, 2]", "[]"]),
            ("20", #""minimum": 18"#, ["17"], ["18", "19"]),
            ("20", #""maximum": 27"#, ["28"], ["27", "-1"]),
            (#""US""#, #""mustMatch": true"#, [#""us""#, #""USA""#, "1"], [#""US""#]),
            ("1.50", #""mustMatch": true"#, ["1.51", #""1.50""#], ["1.5", "15e-1"]),
            ("[1, [2]]", #""mustMatch": true"#, ["[[2], 1]", "[1, [3]]"], ["[1,[2]]"]),
            (
                #"{"b": 1, "b-Rules": {"isOptional": true}}"#, #""mustMatch": true"#,
                [#"{"b": 1, "c": 2}"#, "{}", #"{"b": 2}"#], [#"{"b": 1}"#]
            ),
        ] as [(String, String, [String], [String])])
    func rule(sample: String, rule: String, broken: [String], kept: [String]) throws {
        let template = #"{"a": \#(sample), "a-Rules": {\#(rule)}}"#
        for reply in broken {
            #expect(try violations(#"{"a": \#(reply)}"#, of: template).count == 1, "\(reply)")
        }
        for reply in kept {
            #expect(try violations(#"{"a": \#(reply)}"#, of: template) == [], "\(reply)")
        }
    }

    @Test("A rule that is switched off is none")
    func off() throws {
        let off = #"{"a": "x", "a-Rules": {"mustMatch": false, "equalInLength": false}}"#
        #expect(try violations(#"{"a": "other"}"#, of: off) == [])
    }

    @Test("A fractional bound of integers is exact, and so is a large one")
    func bounds() throws {
        let half = #"{"a": 19, "a-Rules": {"minimum": 18.5}}"#
        #expect(try violations(#"{"a": 18}"#, of: half) == ["a min"])
        let large = #"{"a": 9007199254740993, "a-Rules": {"maximum": 9007199254740993}}"#
        #expect(try violations(#"{"a": 9007199254740994}"#, of: large) == ["a max"])
    }

    @Test("Each element of a list has to be like those in the template")
    func elements() throws {
        let template = #"""
            { "items": [
                { "id": 1, "id-Rules": { "minimum": 1 }, "title": "first" },
                { "id": 2, "tags": ["x"] }
            ] }
            """#
        #expect(try violations(#"{"items": []}"#, of: template) == [])
        let reply = #"{"items": [{"id": 1}, {"id": 0, "tags": [1]}, {"title": 3}]}"#
        #expect(
            try violations(reply, of: template) == [
                "items[1].id min", "items[1].tags[0] type", "items[2].title type",
                "items[2].id required",
            ])
    }

    @Test("An element may be of each kind that the template has among the elements")
    func severalKinds() throws {
        #expect(try violations(#"["y", 2, true]"#, of: #"["x", 1]"#) == ["[2] type"])
    }

    @Test("A check that is off reports nothing")
    func checks() throws {
        let template = #"{"a": 1, "b": {"c": 1}, "d": "x", "d-Rules": {"mustMatch": true}}"#
        let reply = #"{"b": {}, "d": "y"}"#
        #expect(try violations(reply, of: template, checks: .keys) == ["a required"])
        #expect(try violations(reply, of: template, checks: .nestedKeys) == ["b.c required"])
        #expect(try violations(reply, of: template, checks: .rules) == ["d const"])
        #expect(try violations(#"{"a": "", "d": 1}"#, of: template, checks: .types).count == 2)
    }

    @Test(
        "The original meaning has exclusive bounds, a prefix, texts in any case, one kind of number"
    )
    func original() throws {
        let template = #"""
            { "a": "abcd", "a-Rules": { "lengthMustBeEqualOrGreaterThan": 3, "hasSuffix": "ab" },
              "b": "x", "b-Rules": { "matchWithOneOf": ["X"] }, "c": 1, "d": [{ "e": 1 }] }
            """#
        let reply = #"{"a": "abcde", "b": "X", "c": true, "d": [{}]}"#
        #expect(try violations(reply, of: template, .original) == [])
        #expect(
            try violations(#"{"a": "bab", "b": "y", "c": "", "d": []}"#, of: template, .original)
                == ["a min-length", "a prefix", "b in", "c type"])
        let read = try Template(parsing: Array(template.utf8), compatibility: .original)
        #expect(read.warnings.map(\.line) == [1, 1, 2])
    }

    @Test(
        "A value in the template that breaks its own rule is a warning, with the original meaning")
    func ownRule() throws {
        let template = #"{ "rootClass": "NSObject", "rootClass-Rules": { "hasSuffix": "NS" } }"#
        let warnings = try Template(parsing: Array(template.utf8)).warnings
        #expect(
            warnings.map(\.description) == [
                "1:49: the value in the template breaks its own rule: it is not a text that ends with "
                    + "`NS`; `compatibility: original` reads the rule as a text that begins with `NS`; "
                    + "otherwise correct the value or the rule"
            ])
    }

    @Test(
        "A mistake in the rules is an error with its place and the remedy",
        arguments: [
            (#"{"a": 1, "a-Rules": {"minimun": 1}}"#, "1:22: there is no rule `minimun`"),
            (
                #"{"a": 1, "b-Rules": {}}"#,
                "1:10: these rules are about `b`, which is not beside them"
            ),
            (
                #"{"a": "x", "a-Rules": {"minimum": 1}}"#,
                "1:24: `minimum` is a rule of a number, and the value is a string"
            ),
            (#"{"a": 1, "a-Rules": {"minimum": "1"}}"#, "1:33: `minimum` has a number"),
            (
                #"{"a": 5, "a-Rules": {"minimum": 9, "maximum": 1}}"#,
                "1:21: no value can satisfy these rules"
            ),
            (
                #"{"a": "x", "a-Rules": {"mustMatch": true, "hasSuffix": "y"}}"#,
                "1:43: no value can satisfy this rule and the others beside it"
            ),
            (
                #"[{"a": 1, "a-Rules": {"minimum": 1}}, {"a": 1, "a-Rules": {"minimum": 2}}]"#,
                "1:48: the elements of a list share their rules, and `a` has others before"
            ),
        ])
    func mistake(template: String, message: String) {
        let found = mistakes(template)
        #expect(found.contains { $0.hasPrefix(message) && $0.contains("; ") }, "\(found)")
    }

    @Test("A violation of a rule names the rule's place in the file of the template")
    func place() throws {
        let text = "{\n  \"a\": 1, \"a-Rules\": {\"minimum\": 1}\n}"
        let template = try Template(parsing: Array(text.utf8), of: "x.json")
        #expect(
            template.validate(["a": 0]).violations.map(\.description)
                == ["a: the rule at x.json:2:23 (expected at least 1, found 0) [min]"])
        #expect(template.validate([:]).violations.map(\.message) == [nil])
    }

    @Test("No violation has the value of a key that has the name of a secret")
    func secrets() throws {
        let template = try Template(
            parsing: Array(
                #"""
                { "access_token": "a", "access_token-Rules": { "equalInLength": true },
                  "user": { "password": "a", "id": 1 }, "user-Rules": { "mustMatch": true },
                  "api-key": "a", "list": [{ "Set-Cookie": { "a": 1 } }], "name": "a" }
                """#.utf8))
        let reply = #"""
            {"access_token": "hunter2", "user": {"password": "hunter2", "id": 1}, "api-key": 4711,
             "list": [{"Set-Cookie": {"a": "hunter2"}}], "name": 5}
            """#
        let found = template.validate(Array(reply.utf8)).violations
        #expect(found.count == 5, "\(found)")
        #expect(!"\(found)".contains("hunter2") && !"\(found)".contains("4711"), "\(found)")
        #expect(found.last?.found == "5")
    }

    @Test("A key that ends in -Rules and has no object is a key like any other")
    func plainKey() throws {
        let template = #"{"House-Rules": "no pets"}"#
        #expect(try violations("{}", of: template) == [#"["House-Rules"] required"#])
    }
}
