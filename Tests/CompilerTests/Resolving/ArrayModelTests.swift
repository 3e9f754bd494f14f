import SpecIR
import Testing

@Suite("An object may be an array in JSON")
struct ArrayModelTests {
    private func analysis(_ sample: String, method: String = "returns: [Sample]") -> Analysis {
        Analysis(
            users: """
                methods: { get: { post: users.get, \(method) } }
                models:
                  Named: { name: string }
                  Sample: \(sample)
                """)
    }

    @Test(
        "an object as an array has fields of any type, the last of which may be missing",
        arguments: [
            "{ as: array, fields: { a: int } }",
            "{ as: array, fields: { a: int | null, b: { type: double, from: string } } }",
            "{ as: array, closed: true, fields: { a: int, b: Named?, c: { type: int, default: 1 } } }",
            "{ as: array, fields: { a: { fields: { b: int }, as: array } } }",
            "{ as: array, fields: { a: int, b: int }, rules: [{ less-than: [a, b] }] }",
        ])
    func valid(sample: String) throws {
        let analysis = analysis(sample, method: "json: { all: [Sample] }, returns: [Sample]")
        #expect(analysis.codes.allSatisfy { $0 == "T0205" })
        let model = try #require(analysis.api?.groups[0].models.first { $0.name == "Sample" })
        #expect(model.isArray && model.isRead && model.isWritten)
    }

    @Test(
        "an object as an array refuses what has no place in one",
        arguments: [
            ("{ as: array, fields: { a: { type: int, key: b } } }", "T0105: key"),
            ("{ as: array, fields: { a: { type: int, at: b.c } } }", "T0105: at"),
            ("{ as: array, fields: { a: { type: int, only: reply } } }", "T0105: only"),
            ("{ as: array, fields: { a: int }, additional: json }", "T0105: additional"),
            ("{ as: array, with: Named, fields: { a: int } }", "T0105: Named"),
            ("{ as: array, fields: { a: int?, b: int } }", "T0105: b"),
            ("{ as: array, fields: { a: { type: int, default: 1 }, b: int } }", "T0105: b"),
            ("{ as: list, fields: { a: int } }", "T0107: list"),
            ("{ as: array, enum: [a] }", "T0311: as"), ("{ a: int, as: array }", "T0201: array"),
        ])
    func invalid(sample: String, mark: String) {
        let marks = analysis(sample).marks
        #expect(marks == [mark])
    }

    @Test("`as: array` is refused where an object is used, and for what is no object")
    func uses() {
        let sample = "{ as: array, fields: { a: int } }"
        let used = analysis(sample, method: "returns: { a: { type: Sample, as: array } }")
        #expect(used.marks == ["T0311: array"])
        #expect(used.bag.all.map(\.help) == ["set it where the model is declared"])
        #expect(
            analysis("{ type: string, as: array }", method: "returns: Sample").marks == [
                "T0311: array"
            ])
    }

    @Test("an object as an array is an array for unions, and no path or tag leads into it")
    func unions() {
        let sample = "{ as: array, fields: { a: int, kind: string } }"
        let plain = analysis(sample, method: "returns: { a: Sample | Named }")
        #expect(plain.rendered == "")
        #expect(analysis(sample, method: "returns: { a: Sample | [int] }").codes.count == 1)
        let tagged = "returns: { a: { one-of: { x: Sample, y: Named }, tag: kind } }"
        #expect(analysis(sample, method: tagged).codes.count == 1)
        let path = "returns: { a: Sample }, extract: { b: a.kind }"
        #expect(analysis(sample, method: path).marks == ["T0340: a.kind"])
    }

    @Test("an object as an array has examples that are lists")
    func examples() {
        let fields = "fields: { a: int, b: string, c: { type: int?, min: 1 } }"
        let examples = [
            ("[1, x]", true), ("[1, x, 2, 3]", true), ("[1]", false), ("[x, x]", false),
            ("[1, x, 0]", false), ("{ a: 1, b: x }", false), ("[]", false),
        ]
        for (example, isValid) in examples {
            let analysis = analysis("{ as: array, \(fields), example: \(example) }")
            #expect(analysis.codes.contains { $0 != "T0205" } != isValid, "\(example)")
        }
    }
}
