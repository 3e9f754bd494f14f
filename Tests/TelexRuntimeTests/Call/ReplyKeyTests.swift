import TelexJSON
import TestSupport
import Testing

@testable import TelexRuntime

@Suite("The keys by which a reply counts as success")
struct ReplyKeyTests {
    private let limits = JSONLimits()

    private func rules(_ text: String, _ key: String) -> [String?] {
        let body = Array(text.utf8)
        return [ReplyRules(absent: [key]), ReplyRules(present: [key])].map {
            $0.violation(in: body, limits: limits)?.rule
        }
    }

    @Test("the keys by which a reply counts as success are recognised however they are written")
    func forms() {
        #expect(rules(#"{"error":1}"#, "error") == ["absent", nil])
        #expect(rules(#"{"\u0065rror":1}"#, "error") == ["absent", nil])
        #expect(rules(#"{"e\"r":1}"#, "e\"r") == ["absent", nil])
        #expect(rules(#"{"":1}"#, "") == ["absent", nil])
        #expect(rules(#"{"error":null}"#, "error") == [nil, "present"])
        #expect(rules(#"{"errors":1,"a":"error","b":{"error":1}}"#, "error") == [nil, "present"])
    }

    /// RFC 8259, section 8.3.
    @Test("the keys by which a reply counts as success are equal only if their code units are")
    func codeUnits() {
        #expect(rules("{\"cafe\u{301}\":1}", "caf\u{E9}") == [nil, "present"])
        #expect(rules("{\"\u{212A}\":1}", "K") == [nil, "present"])
        #expect(rules("{\"caf\u{E9}\":1}", "caf\u{E9}") == ["absent", nil])
    }

    @Test("success keys are not searched for where a plain value has no place for them")
    func alone() {
        let keys = ["response", "error", "items", ""]
        var random = SeededRandom(seed: 11)
        func path() -> [String] {
            (0..<Int.random(in: 0...2, using: &random)).compactMap { _ in
                keys.randomElement(using: &random)
            }
        }
        func object(_ depth: Int) -> String {
            guard depth > 0, Int.random(in: 0...5, using: &random) > 0 else { return "1" }
            let members = (0..<Int.random(in: 1...2, using: &random)).map { _ in
                "\"\(keys.randomElement(using: &random) ?? "")\":\(object(depth - 1))"
            }
            return "{\(members.joined(separator: ","))}"
        }
        var alone = 0
        for _ in 0..<40_000 {
            let present = Bool.random(using: &random) ? path() : []
            let asksForValue = Int.random(in: 0...3, using: &random) == 0
            let rules = ReplyRules(
                absent: path(), present: present,
                conditions: asksForValue ? [.value(at: path(), in: [1])] : [],
                unwrap: path().map(JSONStep.key))
            let text = object(3)
            let body = Array(text.utf8)
            let result = JSONReader.read(body, at: rules.unwrap) { $0.nothing() }
            guard result.report.isValid, result.isOnlyMember, rules.allowsBareValue else {
                continue
            }
            alone += 1
            #expect(rules.violation(in: body, limits: limits) == nil, "\(rules) of \(text)")
        }
        #expect(alone > 500)
    }

    @Test("success keys are searched for in short and in long replies")
    func lengths() async {
        await onThreadForLongTests {
            let keys = [
                "error", "e", "", "caf\u{E9}", "cafe\u{301}", "a\"b", "\\", "ключ", "\u{7}",
            ]
            var random = SeededRandom(seed: 7)
            var found = 0
            for _ in 0..<2000 {
                var json = JSONWriter()
                json.beginObject()
                for _ in 0..<Int.random(in: 0...3, using: &random) {
                    let value = keys.randomElement(using: &random) ?? ""
                    json.key(keys.randomElement(using: &random) ?? "")
                    json.value(value)
                }
                json.endObject()
                let text = String(decoding: json.bytes, as: UTF8.self)
                for key in keys {
                    let long = text + String(repeating: " ", count: 4097)
                    #expect(rules(text, key) == rules(long, key), "\(key) in \(text)")
                    if rules(text, key).first == "absent" { found += 1 }
                }
            }
            #expect(found > 1000)
        }
    }
}
