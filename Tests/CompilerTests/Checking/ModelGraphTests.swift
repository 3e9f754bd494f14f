import SpecIR
import Testing

@Suite("Models that contain models")
struct ModelGraphTests {
    private func models(_ lines: [String], returns: String = "A") -> Analysis {
        Analysis(
            users: """
                methods:
                  get: { get: users.get, returns: \(returns) }
                models:
                \(lines.map { "  \($0)\n" }.joined())
                """)
    }

    @Test("a cycle of required fields is one error that shows the cycle")
    func required() {
        let analysis = models([
            "A: { b: B, x: X }", "B: { c: C }", "C: { a: A, b: B }", "X: { x: int }",
        ])
        #expect(analysis.marks == ["T0301: A"])
        #expect(analysis.bag.all.first?.label == "A → B → C → A")
    }

    @Test("two cycles are two errors")
    func two() {
        let analysis = models(["A: { a: A, b: B }", "B: { c: C }", "C: { b: B }"])
        #expect(analysis.marks == ["T0301: A", "T0301: B"])
    }

    @Test("an inline type can close a cycle")
    func inline() {
        let analysis = models(["A: { child: { parent: A } }"])
        #expect(analysis.marks == ["T0301: A"])
    }

    @Test("an optional or nullable field on the way is boxed, and only that one")
    func boxed() throws {
        let analysis = models([
            "A: { b: B, list: [A] }", "B: { a: A?, c: \"C | null\" }", "C: { b: B }",
        ])
        #expect(analysis.field("A", "b")?.isIndirect == false)
        #expect(analysis.field("A", "list")?.isIndirect == false)
        #expect(analysis.field("B", "a")?.isIndirect == true)
        #expect(analysis.field("B", "c")?.isIndirect == true)
        #expect(analysis.field("C", "b")?.isIndirect == false)
    }

    @Test("a large model inside another is boxed, also if it is required; a small one is not")
    func large() {
        let texts = { (count: Int) in (0..<count).map { "t\($0): string" }.joined(separator: ", ") }
        let analysis = models([
            "A: { small: Small, large: Large, maybe: Large?, outer: Outer, list: [Large] }",
            "Small: { \(texts(16)), number: int }", "Large: { \(texts(17)) }",
            "Outer: { large: Large, small: Small }",
        ])
        let boxed = ["small", "large", "maybe", "outer", "list"].map {
            analysis.field("A", $0)?.isIndirect
        }
        #expect(boxed == [false, true, true, true, false])
        #expect(analysis.field("Outer", "large")?.isIndirect == true)
        #expect(analysis.field("Outer", "small")?.isIndirect == false)
    }

    @Test("a model that contains itself only through a list or a map needs no box")
    func lists() {
        let analysis = models(["A: { all: [A], named: { string: A } }"])
        #expect(analysis.rendered.isEmpty)
        #expect(analysis.field("A", "all")?.isIndirect == false)
    }

    @Test("models are read if a reply, an error or an argument holds them, written if sent")
    func reach() {
        let analysis = Analysis(
            users: """
                methods:
                  get: { get: users.get, returns: { string: [Got] } }
                  set: { post: users.set, json: { value: Sent } }
                models:
                  Got: { both: Both, key: { Key: int } }
                  Sent: { both: "[Both]?" }
                  Both: { deep: { deeper: { x: int } } }
                  Failure: { code: int }
                  Key: { x: int }
                """,
            api: "errors: { code: code, cases: { bad: { code: 1, model: Failure } } }\n"
                + "generate: [requests]\n")
        let flags = ["Got", "Sent", "Both.Deep.Deeper", "Failure"].map { name in
            analysis.model(name).map { [$0.isRead, $0.isWritten] }
        }
        #expect(flags == [[true, false], [true, true], [true, true], [true, false]])
    }

    @Test("models that only refer to each other are unused")
    func unused() {
        let analysis = models(["A: int", "B: { c: C? }", "C: { b: \"[B]\" }", "D: { d: D? }"])
        #expect(analysis.marks == ["T0205: B", "T0205: C", "T0205: D"])
        #expect(analysis.api != nil)
    }

    @Test("a chain of a thousand models has no diagnostics")
    func chain() {
        let lines = (0..<1000).map { "M\($0): { next: M\($0 + 1) }" } + ["M1000: { x: int }"]
        let analysis = models(lines.reversed(), returns: "M0")
        #expect(analysis.rendered.isEmpty)
        #expect(analysis.model("M1000")?.isRead == true)
    }

    @Test("a cycle of a thousand models is shown on one line")
    func circle() throws {
        let lines = (0..<1000).map { "M\($0): { next: M\(($0 + 1) % 1000) }" }
        let analysis = models(lines, returns: "M0")
        let label = try #require(analysis.bag.all.first?.label)
        #expect(analysis.codes == ["T0301"])
        #expect(label == "M0 → M1 → M2 → M3 → … → M998 → M999 → M0")
        let optional = models(lines.map { $0.replacing(" }", with: "? }") }, returns: "M0")
        #expect(optional.field("M7", "next")?.isIndirect == true)
    }
}
