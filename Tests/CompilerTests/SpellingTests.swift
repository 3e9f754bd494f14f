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
        #expect(type("{ type: Date, as: local-date-time }").type == .date(.localDateTime))
        #expect(type("Date", api: "dates: local-date-time").type == .date(.localDateTime))
    }

    @Test(
        "a form of dates is one of a date",
        arguments: [
            ("{ type: string, as: local-date-time }", "T0311: local-date-time"),
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
        "other encodings do not apply",
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
        Any: Meta | string
        Text: { type: Meta, from: string }
        """

    /// A use of a type in a place of a method.
    private func use(_ method: String) -> (method: Method?, marks: [String]) {
        let models = Self.others.split(separator: "\n").map { "  \($0)\n" }.joined()
        let analysis = Analysis(
            users: "methods: { get: { post: users.get, \(method) } }\nmodels:\n\(models)")
        return (analysis.api?.groups.first?.methods.first, analysis.marks)
    }

    @Test(
        "a value that is no scalar may be JSON in a text, wherever JSON is read or written",
        arguments: [
            "{ type: Meta, from: string }", "{ type: json, from: string }",
            "{ type: '[Meta]', from: string }", "{ type: '{string: Meta}', from: string }",
            "{ type: Any, from: string }", "{ fields: { id: int }, from: string }",
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
        #expect(use("returns: { type: Any, from: either }").marks == ["T0311: either"])
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
        #expect(use(path).marks == ["T0350: a.id"])
        let union = "returns: { one-of: { a: { type: Meta, from: string }, b: Meta }, tag: kind }"
        #expect(use(union).marks.count == 1)
    }

    @Test("of a duration is seconds or milliseconds")
    func durations() {
        #expect(type("{ type: Duration, as: ms, default: 1.5s }").marks.isEmpty)
        #expect(type("{ type: Duration, as: s }").marks.isEmpty)
        #expect(type("{ type: Duration, as: hours }").marks == ["T0107: hours"])
        #expect(type("{ type: int, as: ms }").marks == ["T0311: ms"])
    }

    @Test("defaults of such a type keep their notation")
    func defaults() {
        #expect(type("{ type: Date, as: unix, from: string, default: 90 }").marks.isEmpty)
        #expect(type("{ type: decimal, from: string, default: 1.5 }").marks.isEmpty)
        #expect(type("{ type: bool, from: string, default: yes }").marks == ["T0304: yes"])
    }
}
