import SpecDiagnostics
import SpecSyntax
import TestSupport
import Testing

@Suite("The same files give the same result")
struct CompilerDeterminismTests {
    /// Files with many errors, including name collisions.
    static let broken = [
        "api.yaml": Analysis.smallAPI + "auth: { token: { token: { in: query, name: t } } }\n",
        "a.yaml": """
        methods:
          get: { get: a, returns: user_name, query: { a: Unknown1, b: Unknown2 } }
          all: { get: a, returns: [UserName], server: x }
        models:
          user_name: { id: int, other: other_name }
          A: { b: B }
          B: { a: A }
        """,
        "b.yaml": """
        methods:
          a.get: { get: a, returns: OtherName }
          list: { get: a, query: { k: { type: sort_by, default: newes } } }
        models:
          UserName: { id: Strng, list: { type: [OtherName], unique-by: idd } }
          other_name: { id: int }
          OtherName: { idx: int }
          sort_by: { enum: [newest, oldest] }
          SortBy: { enum: [first, last] }
        """,
    ]

    @Test("the same files give the same result from run to run")
    func runs() {
        let first = Analysis(Self.broken)
        #expect(first.bag.errorCount > 8)
        for _ in 0..<20 { #expect(Analysis(Self.broken).rendered == first.rendered) }
    }

    @Test("the same files give the same result in any order of files")
    func order() {
        var generator = SeededGenerator(3)
        let broken = Analysis(Self.broken)
        let rich = Analysis(RichSpec.files)
        for _ in 0..<20 {
            let shuffled: ([SpecFile]) -> [SpecFile] = { $0.shuffled(using: &generator) }
            #expect(Analysis(Self.broken, order: shuffled).rendered == broken.rendered)
            #expect(Analysis(RichSpec.files, order: shuffled).api == rich.api)
        }
    }

    @Test("the order of declarations affects only the order of output")
    func declarations() {
        let one = Analysis(
            users:
                "methods: { get: { get: a, returns: A } }\nmodels: { A: { b: B }, B: { c: C? }, C: [A] }\n"
        )
        let other = Analysis(
            users:
                "models: { C: [A], B: { c: C? }, A: { b: B } }\nmethods: { get: { get: a, returns: A } }\n"
        )
        #expect(one.api != nil)
        #expect(one.model("A") == other.model("A"))
        #expect(one.model("B") == other.model("B"))
    }
}
