import SpecDiagnostics
import Testing

@Suite("diagnostics")
struct DiagnosticTests {
    @Test("a bag sorts by file, span and code, and keeps one diagnostic per code and span")
    func sorting() {
        var sources = SourceMap()
        let first = sources.add(path: "z.yaml", text: "abc")
        let second = sources.add(path: "a.yaml", text: "abc")
        var bag = DiagnosticBag()
        bag.report(.tag, "e", at: second.start)
        bag.report(.tag, "d", at: first.span(1..<2))
        bag.report(.tag, "c", at: first.span(0..<1))
        bag.report(.duplicateKey, "b", at: first.span(0..<1))
        bag.report(.duplicateKey, "again", at: first.span(0..<1))
        #expect(bag.all.map(\.message) == ["b", "c", "d", "e"])
        #expect(bag.summary == "4 errors")
        #expect(bag.hasErrors)
    }

    @Test("a bag keeps what its limit allows and counts the rest")
    func limit() {
        var sources = SourceMap()
        let file = sources.add(path: "a.yaml", text: "abcdef")
        var bag = DiagnosticBag(limit: 2)
        for offset in 0..<5 { bag.report(.tag, "t", at: file.span(offset..<offset + 1)) }
        #expect(bag.all.count == 2)
        #expect(bag.droppedCount == 3)
        #expect(bag.summary == "5 errors (the first 2 are shown)")
        var other = DiagnosticBag()
        other.report(contentsOf: bag)
        #expect(other.errorCount == 5)
        #expect(other.all.count == 2)
    }

    @Test("codes are unique, well-formed, explained and found by name")
    func codes() {
        let ids = DiagnosticCode.all.map(\.id)
        #expect(Set(ids).count == ids.count)
        #expect(ids == ids.sorted())
        for code in DiagnosticCode.all {
            #expect(code.id.count == 5 && code.id.hasPrefix("T") && Int(code.id.dropFirst()) != nil)
            #expect(!code.title.isEmpty && !code.explanation.isEmpty)
            #expect(DiagnosticCode.find(code.id.lowercased()) == code)
        }
        #expect(DiagnosticCode.find("T9999") == nil)
    }

    @Test(
        "the nearest word is suggested",
        arguments: [
            ("paramters", "parameters"), ("retruns", "returns"), ("Returns", "returns"),
            ("que", nil), ("quer", "query"), ("querry", "query"), ("xyz", nil), ("", nil),
            ("a", nil), ("returns", nil), ("bodyy", "body"),
        ])
    func suggestions(_ word: String, _ expected: String?) {
        #expect(nearest(to: word, among: ["returns", "query", "parameters", "body"]) == expected)
    }

    @Test("the first in the alphabet of equally near words is suggested, whatever their order")
    func ties() {
        #expect(nearest(to: "cat", among: ["hat", "bat", "rat"]) == "bat")
        #expect(nearest(to: "cat", among: ["rat", "hat", "bat"]) == "bat")
        #expect(nearest(to: "teh", among: ["ten", "the"]) == "ten")
        #expect(nearest(to: String(repeating: "a", count: 5_000), among: ["a"]) == nil)
    }
}
