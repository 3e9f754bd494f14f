import SpecIR
import Testing

@Suite("A scalar may be encoded as text")
struct SpellingTests {
    private func type(_ text: String, api: String = "") -> (type: ValueType?, marks: [String]) {
        let analysis = Analysis(
            users: """
                methods: { get: { get: users.get, returns: User } }
                models: { User: { field: \(text) } }
                """, api: api)
        return (analysis.field("User", "field")?.value.type, analysis.marks)
    }

    @Test(
        "decimals, Booleans and Unix times can come from text",
        arguments: [
            ("{ type: decimal, from: string }", ValueType.decimal(from: .string)),
            ("{ type: decimal, from: either }", .decimal(from: .either)),
            ("{ type: bool, from: string }", .bool(.text)),
            ("{ type: Date, from: string, as: unix }", .date(.unixText)),
            ("{ type: Date, as: unix-ms, from: string }", .date(.unixMillisecondsText)),
            (
                "{ type: [decimal], items: { from: string } }",
                .list(Value(.decimal(from: .string)))
            ),
        ])
    func text(text: String, expected: ValueType) {
        #expect(type(text).type == expected)
    }

    @Test("a date without an offset has a form of its own, also in the settings")
    func local() {
        #expect(type("{ type: Date, as: local-date-time }").type == .date(.localDateTime()))
        #expect(type("Date", api: "dates: local-date-time").type == .date(.localDateTime()))
        let form = "local-date-time -04:30"
        #expect(type("{ type: Date, as: \(form) }").type == .date(.localDateTime(offset: -16_200)))
        #expect(type("Date", api: "dates: \(form)").type == .date(.localDateTime(offset: -16_200)))
    }

    @Test(
        "a form of dates is one of a date",
        arguments: [
            ("{ type: string, as: local-date-time }", "T0311: local-date-time"),
            ("{ type: Date, as: local-date-time Z }", "T0312: local-date-time Z"),
            ("{ type: Date, as: local-date-time +3 }", "T0312: local-date-time +3"),
            (
                "{ type: Date, as: local-date-time Europe/Berlin }",
                "T0312: local-date-time Europe/Berlin"
            ),
            ("{ type: '[Date]', as: local-date-time }", "T0311: local-date-time"),
            ("{ type: bool, as: local-date-time }", "T0107: local-date-time"),
            ("{ type: Duration, as: local-date-time }", "T0107: local-date-time"),
            ("{ type: Date, as: local-date-time, from: string }", "T0311: string"),
            ("{ type: Date, as: local-datetime }", "T0312: local-datetime"),
        ])
    func otherTypes(text: String, mark: String) {
        #expect(type(text).marks == [mark])
    }

    @Test("a Unix time may get its form from the settings")
    func inherited() {
        #expect(type("{ type: Date, from: string }", api: "dates: unix").type == .date(.unixText))
    }

    @Test(
        "encodings other than those of the scalar do not apply",
        arguments: [
            "{ type: Date, from: string }", "{ type: bool01, from: string }",
            "{ type: bool, from: int }", "{ type: decimal, from: int }",
            "{ type: uuid, from: string }",
        ])
    func refused(text: String) {
        let from = text.contains("int") ? "int" : "string"
        #expect(type(text).marks == ["T0311: \(from)"])
    }

    private static let others = """
        Meta: { id: int }
        Level: { enum: [1, 2], type: int }
        Mixed: Meta | string
        Text: { type: Meta, from: string }
        """

    /// A use of a type in a place of a method.
    private func use(_ method: String) -> (method: Method?, marks: [String]) {
        let models = Self.others.split(separator: "\n").map { "  \($0)\n" }.joined()
        let analysis = Analysis(
            users: "methods: { get: { post: users.get, \(method) } }\nmodels:\n\(models)")
        let marks = analysis.marks.filter { !$0.hasPrefix("T0205") }
        return (analysis.api?.groups.first?.methods.first, marks)
    }

    @Test(
        "a value that is no scalar may be JSON in a text, wherever JSON is read or written",
        arguments: [
            "{ type: Meta, from: string }", "{ type: json, from: string }",
            "{ type: '[Meta]', from: string }", "{ type: '{string: Meta}', from: string }",
            "{ type: Mixed, from: string }", "{ fields: { id: int }, from: string }",
            "{ type: Meta | null, from: string }", "{ type: Level, from: string }",
            "{ enum: [1, 2], type: int, from: string }", "Text",
        ])
    func jsonText(type: String) {
        for method in ["returns: { a: \(type) }", "json: { a: \(type) }"] {
            #expect(use(method).marks.isEmpty)
        }
        let parameter = use("json: { a: \(type) }").method?.parameters.first
        #expect(parameter?.value.from == .string)
    }

    @Test("a value that is no text in JSON may be in both forms")
    func eitherForm() {
        for type in ["Meta", "'[Meta]'", "Level"] {
            let method = use("returns: { type: \(type), from: either }").method
            #expect(method?.output.values.map(\.from) == [.either])
        }
        #expect(use("returns: { type: Mixed, from: either }").marks == ["T0311: either"])
        #expect(use("returns: { type: json, from: either }").marks == ["T0311: either"])
        #expect(use("returns: { type: Meta, from: int }").marks == ["T0311: int"])
    }

    @Test(
        "JSON in a text is for JSON, and `style: json` for a query, a header, a form and a part",
        arguments: ["query", "headers", "form", "multipart"])
    func jsonTextInText(section: String) {
        let type = "{ type: Meta, from: string, style: json }"
        #expect(use("\(section): { a: \(type) }").marks == ["T0303: Meta"])
        #expect(use("\(section): { a: { type: Text, style: json } }").marks == ["T0303: Text"])
        #expect(use("\(section): { a: { type: Level, from: string } }").marks.isEmpty)
    }

    @Test("no path leads into JSON in a text, and no tag of a union is there")
    func jsonTextInside() {
        let path = "returns: { a: Text }, extract: { id: a.id }"
        #expect(use(path).marks == ["T0340: a.id"])
        let union = "returns: { one-of: { a: { type: Meta, from: string }, b: Meta }, tag: kind }"
        #expect(use(union).marks.count == 1)
    }

    @Test(
        "bytes have three forms, where they are text",
        arguments: [("base64", BytesForm.base64), ("base64url", .base64url), ("hex", .hex)])
    func bytes(name: String, form: BytesForm) {
        #expect(type("{ type: bytes, as: \(name) }").type == .bytes(form))
        #expect(use("body: { type: bytes, as: \(name) }").marks == ["T0311: \(name)"])
        #expect(use("returns: { type: bytes, as: \(name) }").marks == ["T0311: \(name)"])
        #expect(use("query: { a: { type: bytes, as: \(name) } }").marks == ["T0303: bytes"])
        #expect(use("multipart: { a: { type: bytes, as: \(name) } }").marks.isEmpty)
    }

    @Test("the form of bytes as text is base64, base64url or hex, and nothing else")
    func otherBytes() {
        #expect(type("{ type: bytes, as: base32 }").marks == ["T0107: base32"])
        #expect(type("{ type: '[bytes]', as: hex }").marks == ["T0311: hex"])
        #expect(type("{ type: '[bytes]', items: { as: hex } }").marks.isEmpty)
        #expect(type("{ type: string, as: hex }").marks == ["T0311: hex"])
    }

    @Test(
        "a Boolean may be any two words, that for true first",
        arguments: ["yes/no", "Y/N", "on/off"])
    func words(words: String) {
        for method in ["returns", "json", "query", "headers", "form", "multipart"] {
            #expect(
                use("\(method): { a: { type: bool, as: \(words), default: true } }").marks.isEmpty)
        }
        #expect(type("{ type: bool, as: \(words) }").type == .bool(.words(words)))
    }

    @Test(
        "words but a pair of which the first is for true are none for a Boolean",
        arguments: [
            "no/yes", "N/Y", "off/on", "1/0", "Y/Y", "Y/", "/N", "Y/N/M", "Y N", "yes", "Ja?/Nein",
            "ä/ö",
            "true/", "//",
        ])
    func otherWords(words: String) {
        #expect(type("{ type: bool, as: '\(words)' }").marks == ["T0107: '\(words)'"])
    }

    @Test(
        "a pattern of dates may have days and months of one digit, which no digits follow",
        arguments: [
            ("d.M.yyyy", true), ("M/d/yyyy", true), ("d MMM yyyy", true), ("dMMMyyyy", true),
            ("yyyy-M-d", true), ("d'x'M'y'yyyy", true), ("dMyyyy", false), ("ddMyyyy", false),
            ("yyyyMd", false), ("d.dd.yyyy", false), ("M.MM.yyyy", false), ("d.M.yy", false),
            ("d.M", false), ("d.M.y", false), ("dEEE yyyy", false),
        ])
    func patterns(pattern: String, isValid: Bool) {
        let (type, marks) = type("{ type: Date, as: \"\(pattern)\" }")
        #expect(isValid ? type == .date(.pattern(pattern)) : marks == ["T0312: \"\(pattern)\""])
    }

    @Test("a pattern in the letters of other libraries is named in those of Telex")
    func usualPatterns() {
        for (written, meant) in [("D.M.YYYY", "d.M.yyyy"), ("YYYY-MM-DD", "yyyy-MM-dd")] {
            let analysis = Analysis(
                users: """
                    methods: { get: { get: users.get, returns: User } }
                    models: { User: { field: { type: Date, as: \(written) } } }
                    """)
            #expect(analysis.bag.all.map(\.help) == ["did you mean `\(meant)`?"])
        }
    }

    @Test("a duration may be encoded as seconds, milliseconds or one of two texts")
    func durations() {
        #expect(type("{ type: Duration, as: clock }").type == .duration(.clock))
        #expect(type("{ type: Duration, as: iso8601, default: 1h }").type == .duration(.iso8601))
        #expect(type("{ type: Duration, as: iso-8601 }").marks == ["T0107: iso-8601"])
        #expect(type("{ type: Duration, as: ms, default: 1.5s }").marks.isEmpty)
        #expect(type("{ type: Duration, as: s }").marks.isEmpty)
        #expect(type("{ type: Duration, as: hours }").marks == ["T0107: hours"])
        #expect(type("{ type: int, as: ms }").marks == ["T0311: ms"])
    }

    @Test("defaults of a scalar encoded as text keep their notation")
    func defaults() {
        #expect(type("{ type: Date, as: unix, from: string, default: 90 }").marks.isEmpty)
        #expect(type("{ type: decimal, from: string, default: 1.5 }").marks.isEmpty)
        #expect(type("{ type: bool, from: string, default: yes }").marks == ["T0304: yes"])
    }
}
