import SpecIR
import Testing

@Suite("Examples")
struct ExampleTests {
    private func analysis(method: String = "usual: { id: 1 }", example: String = "1") -> Analysis {
        Analysis(
            users: """
                methods:
                  get:
                    get: "{id}"
                    path: { id: { type: int, min: 1, example: \(example) } }
                    returns: User
                    examples: { \(method) }
                models:
                  Kind: { enum: { first: A, second: B } }
                  Level: { enum: { low: 1 }, type: int }
                  Shape: { one-of: { circle: Circle, square: Square }, tag: kind }
                  Wrapped: { one-of: { circle: Circle, text: string }, tag: type, content: $tag }
                  Circle: { r: int }
                  Square: { side: { type: int, max: 9 } }
                  User:
                    fields:
                      id: int
                      secret: { type: string?, only: request }
                      kind: Kind?
                      level: Level?
                      shape: Shape?
                      wrapped: Wrapped?
                      value: string | int?
                      digits: { type: int?, from: string }
                      flag: bool01?
                      day: { type: Date?, as: date }
                      time: { type: Date?, as: date-time }
                      local: { type: Date?, as: local-date-time }
                      stamp: { type: Date?, as: unix }
                      names: { type: "[string | null]?", unique: true }
                      city: { at: place.city, type: string? }
                      any: json?
                """)
    }

    private func json(_ members: String) -> String? {
        let analysis = analysis(method: "usual: { id: 1, \(members) }")
        let example = analysis.method("users.get")?.documentation.examples.first
        #expect(example?.name == "usual", "\(analysis)")
        let text = example?.value.json
        return text.map { String($0.dropFirst("{\"id\": 1, ".count).dropLast()) }
    }

    @Test(
        "a reply is JSON as the server sends it",
        arguments: [
            ("kind: B", #""kind": "B""#), ("level: 1", #""level": 1"#),
            ("digits: 5", #""digits": "5""#), ("flag: true", #""flag": 1"#),
            ("day: 2020-01-31", #""day": "2020-01-31""#),
            ("time: 2020-01-31", #""time": "2020-01-31T00:00:00Z""#),
            ("local: 2020-01-31T12:00:00.5", #""local": "2020-01-31T12:00:00.5""#),
            ("local: 2020-01-31T12:00:00Z", #""local": "2020-01-31T12:00:00Z""#),
            ("local: 2020-01-31", #""local": "2020-01-31T00:00:00""#),
            ("stamp: 5", #""stamp": 5"#), ("names: [a, ~]", #""names": ["a", null]"#),
            ("shape: { kind: square, side: 2 }", #""shape": {"kind": "square", "side": 2}"#),
            ("wrapped: { type: text, text: a }", #""wrapped": {"type": "text", "text": "a"}"#),
            ("value: 5", #""value": "5""#), ("place: { city: X }", #""place": {"city": "X"}"#),
            (#"any: { a: "q\"\n" }"#, #""any": {"a": "q\"\u000a"}"#),
        ])
    func rendered(members: String, expected: String) {
        #expect(json(members) == expected)
    }

    @Test("an example of a parameter belongs to it")
    func parameter() {
        let parameter = analysis(example: "7").method("users.get")?.parameters.first
        #expect(parameter?.documentation.examples.map(\.value) == [.plain("7")])
    }

    @Test(
        "an example that does not fit is reported at its place",
        arguments: [
            ("{ id: x }", "T0304: x"), ("{ }", "T0304: { }"), ("5", "T0304: 5"),
            ("{ id: 1, kin: A }", "T0304: kin"), ("{ id: 1, kind: C }", "T0304: C"),
            ("{ id: 1, secret: a }", "T0304: secret"), ("{ id: 1, names: a }", "T0304: a"),
            ("{ id: 1, names: [a, a] }", "T0405: [a, a]"),
            ("{ id: 1, shape: { kind: square, side: 10 } }", "T0405: 10"),
            ("{ id: 1, shape: { kind: oval } }", "T0304: { kind: oval }"),
            ("{ id: 1, wrapped: { type: circle } }", "T0304: { type: circle }"),
            ("{ id: 1, value: [1] }", "T0304: [1]"),
            ("{ id: 1, day: 2020-02-30 }", "T0304: 2020-02-30"),
            ("{ id: 1, local: 2020-02-30T12:00:00 }", "T0304: 2020-02-30T12:00:00"),
            ("{ id: 1, time: 2020-01-31T12:00:00 }", "T0304: 2020-01-31T12:00:00"),
        ])
    func mistakes(example: String, mark: String) {
        let analysis = analysis(method: "usual: \(example)")
        #expect(analysis.marks == [mark], "\(analysis)")
    }

    @Test("examples belong to fields, parameters, models and methods with a value")
    func places() {
        #expect(analysis(example: "0").marks == ["T0405: 0"])
        func marks(_ text: String) -> [String] { Analysis(users: text).marks }
        #expect(
            marks("methods: { get: { get: a, examples: { a: 1 } } }\n") == ["T0311: a"])
        #expect(
            marks(
                "methods: { get: { get: a, returns: A } }\nmodels: { A: { type: int, example: 1 } }\n"
            )
                == ["T0311: example"])
        #expect(
            marks("methods: { get: { get: a, query: { b: { type: int, examples: 1 } } } }\n")
                == ["T0102: 1"])
    }
}
