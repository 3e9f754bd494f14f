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
