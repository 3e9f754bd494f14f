import Testing

@testable import TelexJSON

@Suite("Keys that a model has no field for")
struct AdditionalKeysTests {
    private struct Open: Sendable {
        var id = 0
        var others: [String: Int] = [:]
    }

    private func open(
        _ text: String, unknown: JSONUnknownKeys = .kept
    ) -> JSONResult<[Open]> {
        TelexJSONTests.read(text) { json in
            json.list { json in
                var open = Open()
                json.enterObject(
                    required: "id", optional: "name", nullable: "", sensitive: "", unknown: unknown)
                while let field = json.nextField() {
                    switch field {
                    case 0: json.int(&open.id)
                    case 1: continue
                    default: if json.additional(&open.others) { json.minimum(-1, 0) }
                    }
                }
                return json.endObject() ? open : nil
            }
        }
    }

    @Test("an open model keeps keys without a field, in every object of a document, in any order")
    func kept() throws {
        let text =
            #"[{"a": 1, "id": 2, "b\n": 3, "name": ""}, {"a": 4, "b\n": 5, "id": 6, "c": 7}]"#
        let values = try #require(open(text).value)
        #expect(values.map(\.id) == [2, 6])
        #expect(values.map(\.others) == [["a": 1, "b\n": 3], ["a": 4, "b\n": 5, "c": 7]])
    }

    @Test("a value of the wrong type is a violation at its path, and left out")
    func wrongType() throws {
        let result = open(#"[{"id": 1, "odd key": "x", "a": 1}]"#)
        #expect(result.summary.first == #"[0]["odd key"]: type"#)
        #expect(result.value?.first?.others == ["a": 1])
    }

    @Test("a duplicate key is a violation, and its last value is kept")
    func duplicate() {
        let result = open(#"[{"id": 1, "a": 1, "a": 2}]"#)
        #expect(result.summary.contains("[0].a: duplicate"))
        #expect(result.value?.first?.others == ["a": 2])
    }

    @Test("a rule of a value has the path of its key")
    func rule() {
        let result = open(#"[{"id": 1, "a": 1}]"#)
        #expect(result.summary == ["[0].a: min"])
    }

    @Test("sensitive values never appear in violations, and their keys are known")
    func sensitive() {
        let result = open(#"[{"id": 1, "a": "secret"}]"#, unknown: .keptSensitive)
        #expect(result.violations.map(\.found) == [Violation.redacted])
        #expect(result.report.sensitiveKeys == ["a"])
    }

    @Test("a closed model refuses keys without a field, each with the path of the key")
    func refused() {
        let result = open(#"[{"id": 1, "a": "x"}, {"a": 1, "id": 1}]"#, unknown: .refused)
        #expect(result.summary == ["[0].a: closed", "[1].a: closed"])
        #expect(result.value?.count == 2)
    }

    @Test("the same literals may belong to an open and to a closed model")
    func literals() {
        let text = #"[{"id": 1, "a": 1}]"#
        #expect(open(text, unknown: .skipped).summary == [])
        #expect(open(text, unknown: .refused).summary == ["[0].a: closed"])
        #expect(open(text, unknown: .kept).value?.first?.others == ["a": 1])
    }

    @Test("an object that ends inside a kept key is a syntax error")
    func cut() {
        for text in [#"[{"id": 1, "a"#, #"[{"id": 1, "a""#, #"[{"id": 1, "a":"#, #"[{"a": {"b": "#]
        {
            #expect(open(text).syntaxError != nil, "\(text)")
        }
    }

    @Test("further members are written after the fields, sorted, without keys of fields")
    func written() {
        var json = JSONWriter()
        json.beginObject()
        json.field("id", 1)
        json.additional(["b": 2, "a": 3, "id": 4, "name": 5], besides: ["id", "name"])
        json.endObject()
        #expect(String(decoding: json.bytes, as: UTF8.self) == #"{"id":1,"a":3,"b":2}"#)
        #expect(json.violations.map(\.path) == ["id", "name"])
        #expect(json.violations.allSatisfy { $0.rule == "additional" })
    }

    @Test("sensitive further members are marked")
    func writtenSensitive() {
        var json = JSONWriter()
        json.beginObject()
        json.additional(["a": "x"], besides: [], sensitive: true)
        json.endObject()
        let holdsSensitive = json.holdsSensitive
        #expect(holdsSensitive)
        #expect(json.sensitiveRanges == [5..<8])
    }
}
