import TelexJSON
import Testing

@Suite struct RuleTests {
    /// The rules that `check` violates.
    private func broken(_ check: (inout JSONWriter) -> Void) -> [String] {
        var json = JSONWriter()
        check(&json)
        return json.violations.map(\.rule)
    }

    @Test("bounds of numbers hold at their edges; nil passes")
    func numbers() {
        #expect(broken { $0.minimum(18, 18) }.isEmpty)
        #expect(broken { $0.minimum(17, 18) } == ["min"])
        #expect(broken { $0.maximum(27.0, 27) }.isEmpty)
        #expect(broken { $0.maximum(27.5, 27) } == ["max"])
        #expect(broken { $0.above(5, 5) } == ["above"])
        #expect(broken { $0.above(6, 5) }.isEmpty)
        #expect(broken { $0.below(5, 5) } == ["below"])
        #expect(broken { $0.below(UInt(4), 5) }.isEmpty)
        #expect(broken { $0.minimum(Double.nan, 0) } == ["min"])
        #expect(broken { $0.minimum(nil as Int?, 18) }.isEmpty)
        #expect(broken { $0.minimum(16_777_217, 16_777_217) }.isEmpty)
        #expect(broken { $0.minimum(16_777_216, 16_777_217) } == ["min"])
    }

    @Test("multiples and digits are decimal, not binary")
    func decimals() {
        #expect(broken { $0.multiple(0.3, of: "0.1") }.isEmpty)
        #expect(broken { $0.multiple(0.35, of: "0.1") } == ["multiple-of"])
        #expect(broken { $0.multiple(1e300, of: "7") } == ["multiple-of"])
        #expect(broken { $0.multiple(1e300, of: "8") }.isEmpty)
        #expect(broken { $0.multiple(-21, of: 7) }.isEmpty)
        #expect(broken { $0.multiple(22, of: 7) } == ["multiple-of"])
        #expect(broken { $0.multiple(0, of: "0") }.isEmpty)
        #expect(broken { $0.multiple(1, of: "0") } == ["multiple-of"])
        #expect(broken { $0.multiple(19.99, of: "0.01") }.isEmpty)
        #expect(broken { $0.digits(1.25, 2) }.isEmpty)
        #expect(broken { $0.digits(1.251, 2) } == ["digits"])
        #expect(broken { $0.digits(100, 0) }.isEmpty)
        #expect(broken { $0.digits(1e-7, 6) } == ["digits"])
    }

    @Test("lengths count Unicode scalars, bytes count UTF-8")
    func lengths() {
        let text = "e\u{301}😀"
        #expect(broken { $0.length(text, 3) }.isEmpty)
        #expect(broken { $0.length(text, 2) } == ["length"])
        #expect(broken { $0.minLength(text, 3) }.isEmpty)
        #expect(broken { $0.minLength(text, 4) } == ["min-length"])
        #expect(broken { $0.maxLength(text, 3) }.isEmpty)
        #expect(broken { $0.maxLength(text, 2) } == ["max-length"])
        #expect(broken { $0.minBytes(text, 7) }.isEmpty)
        #expect(broken { $0.minBytes(text, 8) } == ["min-bytes"])
        #expect(broken { $0.maxBytes(text, 7) }.isEmpty)
        #expect(broken { $0.maxBytes(text, 6) } == ["max-bytes"])
        #expect(broken { $0.minLength("", 0) }.isEmpty)
    }

    @Test("parts of texts are compared scalar by scalar")
    func parts() {
        #expect(broken { $0.prefix("NSObject", "NS") }.isEmpty)
        #expect(broken { $0.prefix("e\u{301}", "e") }.isEmpty)
        #expect(broken { $0.prefix("é", "e") } == ["prefix"])
        #expect(broken { $0.suffix("NSObject", "ect") }.isEmpty)
        #expect(broken { $0.suffix("ect", "NSObject") } == ["suffix"])
        #expect(broken { $0.contains("aabaaab", "aaab") }.isEmpty)
        #expect(broken { $0.contains("aabaab", "aaab") } == ["contains"])
        #expect(broken { $0.contains("", "") }.isEmpty)
        #expect(broken { $0.excludes("abc", "bc") } == ["excludes"])
        #expect(broken { $0.excludes("abc", "bd") }.isEmpty)
        #expect(broken { $0.notBlank(" \u{A0}\u{3000}\n") } == ["not-blank"])
        #expect(broken { $0.notBlank(" x ") }.isEmpty)
    }

    @Test("rules about choices, constants and cases refuse what breaks them and nothing else")
    func choices() {
        #expect(broken { $0.oneOf("a", ["a", "b"]) }.isEmpty)
        #expect(broken { $0.oneOf("A", ["a", "b"]) } == ["in"])
        #expect(broken { $0.oneOf("STRASSE", ignoringCase: ["strasse", "b"]) }.isEmpty)
        #expect(broken { $0.oneOf("c", ignoringCase: ["A", "b"]) } == ["in"])
        #expect(broken { $0.noneOf("Ä", ignoringCase: ["ä"]) } == ["not-in"])
        #expect(broken { $0.noneOf(nil, ignoringCase: ["ä"]) }.isEmpty)
        #expect(broken { $0.noneOf(3, [1, 2]) }.isEmpty)
        #expect(broken { $0.noneOf(2, [1, 2]) } == ["not-in"])
        #expect(broken { $0.constant(true, true) }.isEmpty)
        #expect(broken { $0.constant([1, 2], [2, 1]) } == ["const"])
        #expect(broken { $0.known(Level.low) }.isEmpty)
        #expect(broken { $0.known(Level(rawValue: "x")) } == ["enum"])
        #expect(broken { $0.known([.low, Level(rawValue: "x"), Level(rawValue: "y")]) }.count == 2)
        #expect(broken { $0.known(nil as [Level]?) }.isEmpty)
        #expect(broken { $0.known([Level(rawValue: "x"): 1, .low: 2]) } == ["enum"])
        #expect(broken { $0.known(nil as [Level: Int]?) }.isEmpty)
    }

    @Test("rules about sizes and uniqueness of lists and maps refuse only what breaks them")
    func collections() {
        #expect(broken { $0.minItems([1], 1) }.isEmpty)
        #expect(broken { $0.minItems([Int](), 1) } == ["min-items"])
        #expect(broken { $0.maxItems([1, 2], 2) }.isEmpty)
        #expect(broken { $0.maxItems([1, 2, 3], 2) } == ["max-items"])
        #expect(broken { $0.unique([1, 2, 3]) }.isEmpty)
        #expect(broken { $0.unique([1, 2, 1]) } == ["unique"])
        #expect(broken { $0.uniqueBy(["a", "bb", "c"], "count") { $0.count } } == ["unique-by"])
        #expect(broken { $0.minKeys(["a": 1], 2) } == ["min-keys"])
        #expect(broken { $0.maxKeys(["a": 1], 0) } == ["max-keys"])
        #expect(broken { $0.maxKeys(["a": 1], 1) }.isEmpty)
    }

    @Test("missing elements are no duplicates, but a null in a list is an element")
    func missing() {
        let absent: [Int?] = [nil, 1, nil, 2]
        #expect(broken { $0.uniqueBy(absent, "id") { $0 } }.isEmpty)
        #expect(broken { $0.uniqueBy(absent + [2], "id") { $0 } } == ["unique-by"])
        let nulls: [Nullable<String>?] = [.null, .value("a"), nil, .null]
        #expect(broken { $0.uniqueBy(nulls, "id") { $0 } }.isEmpty)
        #expect(broken { $0.uniqueBy(nulls + [.value("a")], "id") { $0 } } == ["unique-by"])
        let texts: [String?] = [nil, "a", nil, "b"]
        #expect(broken { $0.uniqueBy(texts, "name") { $0 } }.isEmpty)
        #expect(broken { $0.uniqueBy(texts + ["a"], "name") { $0 } } == ["unique-by"])
        #expect(broken { $0.unique(absent) } == ["unique"])
        #expect(broken { $0.unique(texts) } == ["unique"])
    }

    @Test("a violation carries the author's message and severity")
    func message() {
        var json = JSONWriter()
        json.beginObject()
        json.field("age", 17)
        json.minimum(17, 18, message: "adults only", severity: .warning)
        #expect(json.violations.first?.path == "age")
        #expect(json.violations.first?.severity == .warning)
        #expect(
            json.violations.first?.description
                == "age: adults only (expected at least 18, found 17) [min]")
        #expect(ValidationReport(violations: json.violations).isValid)
    }

    @Test("a rule between fields has the path of the first one, and shows values without secrets")
    func fields() {
        var json = JSONWriter()
        json.beginArray()
        json.beginElement()
        json.beginObject()
        json.field("low", 5)
        json.endObject()
        json.broken(
            "span", at: ["low"], expected: "`low < high`",
            found: ["low": 5, "high": 3.5, "name": "x", "pin": Violation.redacted, "list": [1]])
        json.broken("one", at: ["a", "b c"], expected: "one", found: ["a": nil as Int?])
        #expect(json.violations.map(\.path) == ["[0].low", #"[0].a["b c"]"#])
        #expect(
            json.violations.map(\.found) == [
                "`low` 5, `high` 3.5, `name` \"x\", `pin` ‹redacted›, `list`", "none",
            ])
    }

    @Test("a comparison with an absent value is false, and so is its opposite")
    func terms() {
        let absent: Int? = nil
        #expect(!RuleTerm.isLess(absent, 1) && !RuleTerm.isAtMost(1, absent))
        #expect(!RuleTerm.isEqual(absent, absent) && !RuleTerm.isUnequal(absent, 1))
        #expect(RuleTerm.isLess(1, 2) && !RuleTerm.isLess(2, 2) && RuleTerm.isAtMost(2, 2))
        #expect(RuleTerm.isUnequal("é", "e\u{301}") && RuleTerm.isEqual("é", "é"))
        #expect(RuleTerm.length("e\u{301}😀") == 3 && RuleTerm.length(nil) == nil)
        #expect(RuleTerm.count([1, 2]) == 2 && RuleTerm.count(nil as [Int]?) == nil)
    }

    @Test("rules are silent when their check is off")
    func silent() {
        let result: JSONResult<Int> = read("1", checks: [.keys, .nestedKeys, .types]) { json in
            var value = 0
            json.int(&value)
            json.minimum(value, 2)
            json.oneOf(value, [2])
            return value
        }
        #expect(result.violations.isEmpty)
    }
}

@Suite struct FormatTests {
    @Test(
        "formats accept what their documents allow, and nothing else",
        arguments: [
            (
                .email, ["a@b", "a.b+c@ex-ample.org", "юзер@example.org"],
                ["a", "@b", "a@", "a b@c", ".a@b", "a..b@c", "a@-b"]
            ),
            (
                .uri,
                [
                    "http://a", "urn:isbn:1", "http://u:p@[::1]:80/a?b=c/?#d", "mailto:a@b",
                    "file:///a", "a:%20",
                ],
                [
                    "a", "//a", "1a:b", "http://a b", "http://[::1", "a:%2", "a:#b#c",
                    "http://a:b/", "a:é",
                ]
            ),
            (.uriReference, ["", "a/b", "//h/p", "?q", "#f", "./a:b"], ["a b", "1a:b", "%"]),
            (.hostname, ["a", "a-b.c1"], ["", "-a", "a-", "a..b", "a_b", "a."]),
            (
                .ipv4, ["0.0.0.0", "255.255.255.255"],
                ["256.0.0.1", "01.0.0.0", "1.2.3", "1.2.3.4.5", "1.2.3.a"]
            ),
            (
                .ipv6,
                [
                    "::", "::1", "1::", "1:2:3:4:5:6:7:8", "::ffff:1.2.3.4", "1:2:3:4:5:6:1.2.3.4",
                    "a::B:c",
                ],
                [
                    ":", "1", "1:::2", "::1::", "1:2:3:4:5:6:7:8:9", "1:2:3:4:5:6:7", "12345::",
                    "::1.2.3.4:5", "::g", "1:2:3:4:5:6:7::8", "1.2.3.4::", "::1%eth0",
                ]
            ),
            (
                .dateTime,
                [
                    "2024-02-29T23:59:59Z", "1990-12-31T23:59:60Z", "1990-12-31T15:59:60-08:00",
                    "2000-01-01t00:00:00.123+23:59",
                ],
                [
                    "2023-02-29T00:00:00Z", "2024-01-01T24:00:00Z", "2024-01-01T00:00:00",
                    "2024-01-01T12:00:60Z", "2024-01-01T00:00:00.Z", "2024-01-01T00:00:00+24:00",
                    "2024-01-01",
                ]
            ),
            (
                .date, ["2000-02-29", "2024-12-31"],
                ["1900-02-29", "2024-13-01", "2024-00-10", "2024-04-31", "24-01-01", "2024-1-1"]
            ),
            (.time, ["00:00:00Z", "23:59:60Z"], ["00:00Z", "00:60:00Z", "00:00:00"]),
            (
                .duration, ["P1Y", "P1Y2M3D", "P3DT12H", "PT36H", "P2W", "PT1M30S"],
                ["P", "PT", "P1", "1Y", "P1Y2W", "P1DT", "P1YT1D", "P1D2M", "PT1H2S", "P1Y3D"]
            ),
            (
                .uuid, ["123e4567-E89B-12d3-a456-426614174000"],
                ["123e4567e89b12d3a456426614174000", "123e4567-e89b-12d3-a456-42661417400g", ""]
            ),
            (.jsonPointer, ["", "/", "/a~0b~1/c"], ["a", "/~", "/~2"]),
            (
                .base64, ["", "TQ==", "TWE=", "TWFu", "+/+/"],
                ["TQ", "TQ=", "TR==", "TWF=", "T===", "TWF u", "-_=="]
            ),
            (.base64URL, ["TQ", "TQ==", "TWE", "-_-_"], ["T", "TR", "+/", "TQ="]),
        ] as [(StringFormat, [String], [String])])
    func formats(format: StringFormat, good: [String], bad: [String]) {
        for text in good { #expect(format.matches(text), "\(format) should accept \(text)") }
        for text in bad { #expect(!format.matches(text), "\(format) should refuse \(text)") }
    }
}

@Suite struct PatternTests {
    @Test("programs search anywhere unless they are anchored")
    func search() {
        let word = Pattern("[a-z]+", program: "c61-7a s0,2 m")
        #expect(word.matches("12a"))
        #expect(!word.matches("12A"))
        #expect(!word.matches(""))
        let anchored = Pattern("^[a-z]+$", program: "^ c61-7a s1,3 $ m")
        #expect(anchored.matches("abc"))
        #expect(!anchored.matches("abc1"))
        #expect(!anchored.matches("1abc"))
        #expect(!anchored.matches("abc\n"))
    }

    @Test("patterns match alternatives, negated classes and scalars beyond ASCII")
    func classes() {
        let either = Pattern("^(a|жж)$", program: "^ s2,4 c61 j6 c436 c436 $ m")
        #expect(either.matches("a"))
        #expect(either.matches("жж"))
        #expect(!either.matches("ж"))
        let negated = Pattern("^[^0-9é]$", program: "^ n30-39,e9 $ m")
        #expect(negated.matches("a"))
        #expect(negated.matches("😀"))
        #expect(!negated.matches("5"))
        #expect(!negated.matches("é"))
        #expect(Pattern("", program: "m").matches(""))
        #expect(Pattern("^$", program: "^ $ m").matches(""))
        #expect(!Pattern("^$", program: "^ $ m").matches("a"))
    }

    @Test("matching takes linear time where backtracking would be exponential")
    func linear() {
        // (a|a)*b
        let pattern = Pattern("^(a|a)*b", program: "^ s2,6 s3,5 c61 j1 j3 c62 m")
        #expect(!pattern.matches(String(repeating: "a", count: 20_000)))
        #expect(pattern.matches(String(repeating: "a", count: 20_000) + "b"))
    }

    @Test(
        "a malformed program matches no text and never traps",
        arguments: [
            "", "x", "j9 m", "j-1", "s1 m", "s0,1,2 m", "c m x", "cg m", "c7a-61 m", "c1-2-3 m",
            "^^ m",
            "j0", "s0,0", "c61", "c- m", "c, n",
        ])
    func malformed(program: String) {
        #expect(!Pattern("", program: program).matches("a"))
        #expect(!Pattern("", program: program).matches(""))
    }

    @Test("a rule that stands with its value reports what a check after the value reports")
    func valueRules() {
        func same<Rule: ValueRule>(
            _ rule: Rule, _ value: Rule.Value?, _ check: (inout JSONWriter) -> Void,
            isBroken: Bool = true
        ) {
            var json = JSONWriter()
            var other = JSONWriter()
            rule.check(value, with: &json)
            check(&other)
            #expect(json.violations == other.violations)
            #expect(json.violations.isEmpty != isBroken, "\(rule)")
        }
        same(NumberRule.min(3), 2) { $0.minimum(2, 3) }
        same(NumberRule.max(3), 4) { $0.maximum(4, 3) }
        same(NumberRule.between(0.5, 1), 0) { $0.minimum(0.0, 0.5) }
        same(NumberRule.between(0.5, 1), 2) { $0.maximum(2.0, 1) }
        same(NumberRule.between(0, 1), 1, { _ in }, isBroken: false)
        same(NumberRule.above(3), 3) { $0.above(3, 3) }
        same(NumberRule.below(3), 3) { $0.below(3, 3) }
        same(NumberRule.min(3), nil, { _ in }, isBroken: false)
        same(TextRule.minLength(2), "a") { $0.minLength("a", 2) }
        same(TextRule.maxLength(1), "ab") { $0.maxLength("ab", 1) }
        same(TextRule.lengthBetween(2, 3), "a") { $0.minLength("a", 2) }
        same(TextRule.lengthBetween(2, 3), "abcd") { $0.maxLength("abcd", 3) }
        same(TextRule.length(2), "a") { $0.length("a", 2) }
        same(TextRule.format(.email), "a") { $0.format("a", .email) }
        same(ListRule.minItems(1), [Int]()) { $0.minItems([Int](), 1) }
        same(ListRule.maxItems(1), [1, 2]) { $0.maxItems([1, 2], 1) }
        same(ListRule.itemsBetween(1, 2), [1, 2, 3]) { $0.maxItems([1, 2, 3], 2) }
    }

    @Test("a value that breaks the rule with which it is read is kept, with a violation at its key")
    func readRules() {
        let reply = Array(#"{"a": -1, "b": "xyz", "c": [1, 2], "d": 1.5}"#.utf8)
        let result = JSONReader.read(reply) { json -> (Int, String, [Int], Double?) in
            json.enterObject(required: "a b c d", optional: "")
            var (a, b, c) = (0, "", [Int]())
            var d: Double?
            while let index = json.nextField() {
                switch index {
                case 0: json.int(&a, .min(0))
                case 1: json.string(&b, .maxLength(2))
                case 2: json.list(&c, .maxItems(1))
                default: json.double(&d, .below(1))
                }
            }
            return (a, b, c, d)
        }
        #expect(result.value?.0 == -1 && result.value?.1 == "xyz")
        #expect(result.value?.2 == [1, 2] && result.value?.3 == 1.5)
        #expect(result.violations.map(\.path) == ["a", "b", "c", "d"])
        #expect(result.violations.map(\.rule) == ["min", "max-length", "max-items", "below"])
    }
}
