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

    @Test("are found however they are written")
    func forms() {
        #expect(rules(#"{"error":1}"#, "error") == ["absent", nil])
        #expect(rules(#"{"\u0065rror":1}"#, "error") == ["absent", nil])
        #expect(rules(#"{"e\"r":1}"#, "e\"r") == ["absent", nil])
        #expect(rules(#"{"":1}"#, "") == ["absent", nil])
        #expect(rules(#"{"error":null}"#, "error") == [nil, "present"])
        #expect(rules(#"{"errors":1,"a":"error","b":{"error":1}}"#, "error") == [nil, "present"])
    }

    /// RFC 8259, section 8.3.
    @Test("are the same only if their code units are")
    func codeUnits() {
        #expect(rules("{\"cafe\u{301}\":1}", "caf\u{E9}") == [nil, "present"])
        #expect(rules("{\"\u{212A}\":1}", "K") == [nil, "present"])
        #expect(rules("{\"caf\u{E9}\":1}", "caf\u{E9}") == ["absent", nil])
    }

    @Test("are looked for in short and in long replies alike")
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
                    let value = keys.randomElement(using: &random)
                    json.field(keys.randomElement(using: &random) ?? "", value)
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
