import SpecIR
import Testing

@Suite("Values written in a spec are values of their type")
struct LiteralTests {
    /// A parameter of a method, in the long form without its braces.
    private func parameter(_ text: String) -> Analysis {
        Analysis(users: "methods: { get: { get: a, query: { x: { \(text) } } } }")
    }

    /// The codes and help lines of diagnostics about a parameter.
    private func advice(_ text: String) -> [String] {
        parameter(text).bag.all.map { "\($0.code.id): \($0.help ?? "")" }
    }

    @Test(
        "an impossible date is reported, as a default and in a rule",
        arguments: [
            ("2026-02-30", "2026-02 has 28 days"), ("2025-02-29", "2025-02 has 28 days"),
            ("1900-02-29", "1900-02 has 28 days"), ("2026-04-31", "2026-04 has 30 days"),
            ("2026-13-01", "a year has the months 01 to 12"),
            ("'2026-01-31T24:00:00Z'", "a day ends with 23:59:59"),
            ("'2026-01-31T12:30:60Z'", "a leap second is the last one of an hour, `:59:60`"),
            ("'2026-01-31T12:59:60+99:99'", "an offset is at most 23:59"),
            ("'2026-01-31T12:59:60+01:60'", "an offset is at most 23:59"),
        ])
    func noDate(text: String, help: String) {
        #expect(advice("type: Date, default: \(text)") == ["T0304: \(help)"])
        #expect(advice("type: Date, after: \(text)") == ["T0402: \(help)"])
        #expect(advice("type: Date, before: \(text)") == ["T0402: \(help)"])
    }

    @Test(
        "a valid day or date-time is a date",
        arguments: [
            "2024-02-29", "2000-02-29", "'2026-12-31T23:59:60Z'", "'2026-01-01T00:00:00.5-23:59'",
        ])
    func date(text: String) {
        #expect(parameter("type: Date, default: \(text), after: 1999-12-31").codes.isEmpty)
    }

    @Test("a Unix time lies in the years of dates")
    func unix() {
        #expect(parameter("type: Date, as: unix, default: 253402300799").codes.isEmpty)
        #expect(parameter("type: Date, as: unix-ms, default: 253402300799999").codes == ["T0304"])
        #expect(parameter("type: Date, as: unix, default: 253402300800").codes == ["T0304"])
    }

    @Test(
        "an invalid URL, and one that Foundation would change, is reported",
        arguments: [
            ("http://[", "an IPv6 address needs brackets: `https://[2001:db8::1]/`"),
            ("http://[x]/", "an IPv6 address needs brackets: `https://[2001:db8::1]/`"),
            ("https://a:b/", "behind the host is a port: `:8080`"),
            ("https://[::1]b/", "behind the host is a port: `:8080`"),
            ("1a:b", "begin with a scheme: `https://…`"),
            ("a/b", "begin with a scheme: `https://…`"),
            ("https://a b/", "a host is letters, digits, `-` and `.`"),
            ("https://a/{x}", "percent-encode characters that a URL cannot contain: `%7B`"),
            ("https://a/#b#c", "percent-encode characters that a URL cannot contain: `%23`"),
            (
                "https://a/100%",
                "behind `%` are two hexadecimal digits; the sign itself is `%25`"
            ),
        ])
    func noURL(text: String, help: String) {
        #expect(advice("type: url, default: '\(text)'") == ["T0304: \(help)"])
    }

    @Test(
        "a URL may have every part",
        arguments: [
            "https://u:p@h.x:80/a;b/%20?c=d&e=/?#f", "https://[::1]:80", "mailto:a@b", "a:",
        ]
    )
    func url(text: String) {
        #expect(parameter("type: url, default: '\(text)'").codes.isEmpty)
    }

    @Test("a decimal has 38 digits and a power of ten of eight bits, in rules as well")
    func decimals() {
        let many = String(repeating: "1", count: 39)
        for text in [many, "0.\(many)", "1e128", "1.0e-128", "0e999"] {
            for use in ["default: \(text)", "const: \(text)", "in: [\(text)]", "not-in: [\(text)]"]
            {
                #expect(parameter("type: decimal, \(use)").codes == ["T0304"], "\(use)")
            }
            #expect(parameter("type: decimal, max: \(text)").codes == ["T0402"], "\(text)")
        }
        for text in [String(many.dropLast()), "1e127", "1e-128", "1.5e-127", "-0", ".5"] {
            #expect(parameter("type: decimal, default: \(text), not-in: [7]").codes.isEmpty)
        }
        #expect(
            advice("type: decimal, default: \(many)") == [
                "T0304: a `decimal` keeps 38 digits, and these are 39"
            ])
    }

    @Test(
        "two notations of one map key are reported",
        arguments: [
            ("int", "{ 1: 5, 01: 6 }", "01"), ("int", "{ 31: 5, 0x1F: 6 }", "0x1F"),
        ])
    func keys(type: String, map: String, mark: String) {
        let analysis = Analysis(
            users: "models: { M: { m: { type: '{\(type): int}', default: \(map) } } }\n"
                + "methods: { get: { get: a, returns: M } }")
        #expect(analysis.marks == ["T0304: \(mark)"])
    }

    @Test(
        "a length of time is less than 1e15 seconds, and exact to 18 places",
        arguments: [
            ("1e30", false), ("1e15", false), ("-1e15", false), ("1e-19", false), ("1e-400", false),
            ("999999999999999", true), ("1e-18", true), ("1.5s", true), ("365d", true),
        ])
    func durations(text: String, isFine: Bool) {
        let codes = parameter("type: Duration, default: \(text)").codes
        #expect(codes == (isFine ? [] : ["T0304"]))
    }

    @Test(
        "a bound of an integer is a value of its type",
        arguments: [
            ("int32", "max: 4294967296"), ("int32", "min: -2147483649"), ("uint", "min: -1"),
            ("uint", "multiple-of: -1"), ("int", "max: 9223372036854775808"), ("int", "min: 1.0"),
        ])
    func integers(type: String, rule: String) {
        #expect(parameter("type: \(type), \(rule)").codes == ["T0402"])
        #expect(parameter("type: int32, max: 2147483647, above: -2147483648").codes.isEmpty)
    }

    @Test(
        "a double fits a Swift literal", arguments: ["1e400", "-1e400", "1e-310", "2e308"])
    func doubles(text: String) {
        for use in ["default: \(text)", "const: \(text)", "in: [\(text)]"] {
            #expect(parameter("type: double, \(use)").codes == ["T0304"], "\(use)")
        }
        #expect(parameter("type: double, max: \(text)").codes == ["T0402"])
    }

    @Test("defaults and rules are compared exactly")
    func exact() {
        let large = "9007199254740992"
        #expect(parameter("type: int, max: \(large), default: 9007199254740993").codes == ["T0405"])
        #expect(
            parameter("type: decimal, min: 0.3, default: 0.29999999999999999999").codes.count == 1)
        #expect(parameter("type: double, in: [1.0, 2.50], default: 1").codes.isEmpty)
        #expect(parameter("type: double, not-in: [1.0], default: 1").codes == ["T0405"])
        #expect(parameter("type: [double], unique: true, default: [1, 1.0]").codes == ["T0405"])
        #expect(parameter("type: string, in: [\u{E9}], default: e\u{301}").codes == ["T0405"])
        #expect(parameter("type: decimal, min: -1.5, max: -1.4, default: -1.45").codes.isEmpty)
    }

    @Test("the tighter bound of an alias is compared with an added one")
    func tighter() {
        let analysis = Analysis(
            users: """
                methods: { get: { get: a, query: { x: { type: Five, min: 1, max: 3 } } } }
                models: { Five: { type: int, min: 5 } }
                """)
        #expect(analysis.codes == ["T0403"])
    }

    @Test("`within` has whole seconds", arguments: [("1500ms", ["T0402"]), ("1.5m", [])])
    func within(text: String, codes: [String]) {
        #expect(parameter("type: Date, within: \(text)").codes == codes)
    }
}
