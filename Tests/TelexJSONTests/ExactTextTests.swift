import TelexJSON
import Testing

/// One letter in two spellings, which are equal as Swift strings.
private let composed = "\u{E9}"
private let decomposed = "e\u{301}"

@Suite("Texts are equal if their code units are")
struct ExactTextTests {
    private func broken(_ check: (inout JSONWriter) -> Void) -> [String] {
        var json = JSONWriter()
        check(&json)
        return json.violations.map(\.rule)
    }

    private func object(_ text: String) -> (members: [JSONObject.Member], [String]) {
        let result: JSONResult<JSONValue> = read(text) { $0.value() }
        return (result.value?.asObject?.members ?? [], result.summary)
    }

    @Test("an object keeps keys that only look alike", arguments: [0, 40])
    func keepsMembers(_ more: Int) throws {
        let rest = (0..<more).map { ",\"k\($0)\":0" }.joined()
        let (members, violations) = object(
            "{\"\(composed)\":1,\"\(decomposed)\":2\(rest)}")
        #expect(violations.isEmpty)
        #expect(members.count == 2 + more)
        var made = JSONObject(members)
        #expect(made[composed] == 1 && made[decomposed] == 2)
        made[decomposed] = nil
        #expect(made[composed] == 1 && made[decomposed] == nil)
        let value = JSONValue.object(made)
        #expect(value[composed] == 1)
    }

    @Test("a duplicate key in any JSON is a violation", arguments: [0, 40])
    func reportsDuplicates(_ more: Int) {
        let rest = (0..<more).map { ",\"k\($0)\":0" }.joined()
        let (members, violations) = object("{\"a\":1\(rest),\"a\":2,\"b\":{\"\\u0063\":3,\"c\":4}}")
        #expect(violations == ["a: duplicate", "b.c: duplicate"])
        #expect(members.first?.value == 2 && members.count == 2 + more)
        let unchecked: JSONResult<JSONValue> = read("{\"a\":1,\"a\":2}", checks: [.types]) {
            $0.value()
        }
        #expect(unchecked.report.isValid && unchecked.value == ["a": 2])
    }

    @Test("objects and values are compared exactly, in any order")
    func compares() {
        #expect(JSONValue.string(composed) != .string(decomposed))
        let one: JSONValue = [composed: 1, decomposed: 2]
        let swapped: JSONValue = [decomposed: 2, composed: 1]
        let other: JSONValue = [composed: 2, decomposed: 1]
        #expect(one == swapped && one.hashValue == swapped.hashValue)
        #expect(one != other)
        #expect(JSONObject.Member(key: composed, value: 1) != .init(key: decomposed, value: 1))
    }

    @Test("a dictionary that cannot hold two keys reports the reason")
    func dictionary() {
        let text = "{\"\(composed)\":1,\"\(decomposed)\":2}"
        let result: JSONResult<[String: Int]> = read(text) { $0.value() }
        #expect(result.violations.map(\.rule) == ["duplicate"])
        #expect(result.violations.first?.found == "it again, spelt otherwise")
        let again: JSONResult<[String: Int]> = read(#"{"a":1,"a":2}"#) { $0.value() }
        #expect(again.violations.first?.found == "it again")
    }

    @Test("rules about texts compare code units")
    func rules() {
        #expect(broken { $0.constant(composed, decomposed) } == ["const"])
        #expect(broken { $0.constant(composed, composed) }.isEmpty)
        #expect(broken { $0.oneOf(composed, ["a", decomposed]) } == ["in"])
        #expect(broken { $0.oneOf(composed, [decomposed, composed]) }.isEmpty)
        #expect(broken { $0.noneOf(composed, [decomposed]) }.isEmpty)
        #expect(broken { $0.noneOf(composed, [composed]) } == ["not-in"])
        #expect(broken { $0.unique([composed, decomposed]) }.isEmpty)
        #expect(broken { $0.unique([composed, "a", composed]) } == ["unique"])
        let texts: [String?] = [composed, decomposed, nil]
        #expect(broken { $0.uniqueBy(texts, "name") { $0 } }.isEmpty)
        #expect(broken { $0.uniqueBy(texts + [composed], "name") { $0 } } == ["unique-by"])
    }

    @Test("an enumeration case is known in the spelling of the spec only")
    func cases() {
        #expect(!Mark(rawValue: decomposed).isKnown)
        #expect(Mark(rawValue: composed).isKnown)
        #expect(broken { $0.known(Mark(rawValue: decomposed)) } == ["enum"])
    }
}

private struct Mark: OpenEnum {
    let rawValue: String
    static var allKnown: [Mark] { [Mark(rawValue: composed)] }
}
